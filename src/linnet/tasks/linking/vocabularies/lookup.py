"""Looks up a concept by an identifier: its names, parents, and other identifiers."""

from dataclasses import dataclass
from typing import Any

from linnet.tasks.linking.vocabularies.curies import normalise_identifier, prefix_of
from linnet.tasks.linking.vocabularies.vocabulary import Vocabulary

__all__ = ["ConceptFacts", "is_of_vocabulary", "look_up"]


@dataclass(frozen=True)
class ConceptFacts:
    """What a vocabulary knows of a concept."""

    id: str
    names: tuple[str, ...]  # the preferred one first
    parents: tuple[tuple[str, str], ...]  # identifier and preferred name of each
    equivalent: tuple[str, ...]  # other current identifiers
    retired: tuple[str, ...]
    species: str  # number in the NCBI Taxonomy; empty if it has none

    def as_dict(self) -> dict[str, Any]:
        """Return the concept as JSON has it."""
        return {
            "id": self.id,
            "name": self.names[0],
            "names": list(self.names),
            "parents": [{"id": id, "name": name} for id, name in self.parents],
            "equivalent": list(self.equivalent),
            "retired": list(self.retired),
            **({"species": self.species} if self.species else {}),
        }

    def as_candidate(self, written: str) -> dict[str, str | float]:
        """Return the concept as a candidate that was found by an identifier, as it was written."""
        return {"id": self.id, "name": self.names[0], "matched": written, "score": 1.0}

    def sentences(self) -> list[str]:
        """Return what the command prints."""
        lines = [f"{self.id}: {self.names[0]}"]
        rows = (
            ("names", self.names),
            ("parents", [f"{name} ({id})" for id, name in self.parents]),
            ("other identifiers", self.equivalent),
            ("retired identifiers", self.retired),
            ("species", [self.species] if self.species else []),
        )
        return [*lines, *(f"{what}: {' | '.join(values)}" for what, values in rows if values)]


def look_up(vocabulary: Vocabulary, identifier: str) -> ConceptFacts | None:
    """Return the concept of an identifier, also of an equivalent, retired or bare one; None if there is none."""
    concept = vocabulary.find(identifier)
    if concept is None:
        return None
    own, *others = vocabulary.identifiers(concept)
    return ConceptFacts(
        id=own,
        names=tuple(vocabulary.names_of(concept)),
        parents=tuple((vocabulary.identifier(each), vocabulary.name(each)) for each in vocabulary.parents(concept)),
        equivalent=tuple(others),
        retired=tuple(vocabulary.retired_identifiers(concept)),
        species=vocabulary.species(concept),
    )


def is_of_vocabulary(vocabulary: Vocabulary, text: str) -> bool:
    """Is the text written as an identifier with a prefix that the vocabulary has?"""
    return prefix_of(normalise_identifier(text)) in vocabulary.facts["prefixes"]
