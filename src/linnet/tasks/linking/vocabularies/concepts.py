"""Concept records, as the readers of vocabularies give them."""

from dataclasses import dataclass

__all__ = ["Concept"]


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept of one source; identifiers are CURIEs where their database is known."""

    identifier: str
    name: str  # the preferred one
    synonyms: tuple[str, ...] = ()
    equivalents: tuple[str, ...] = ()  # further identifiers that the source itself gives to the concept
    cross_references: tuple[str, ...] = ()  # identifiers of other databases
    retired: tuple[str, ...] = ()  # earlier identifiers, which the concept replaces
    parents: tuple[str, ...] = ()
    trees: tuple[str, ...] = ()  # tree numbers of MeSH
    species: str = ""  # number in the NCBI Taxonomy
    is_obsolete: bool = False  # then it is known, but never an answer
    replaced_by: str = ""  # of an obsolete one

    @property
    def names(self) -> tuple[str, ...]:
        """The preferred name and the synonyms, each once and none empty."""
        stripped = (name.strip() for name in (self.name, *self.synonyms))
        return tuple(dict.fromkeys(name for name in stripped if name))
