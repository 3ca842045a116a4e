"""Filters of vocabularies: trees of MeSH, species and prefixes of identifiers."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from linnet.errors import BadSetting
from linnet.tasks.linking.vocabularies.concepts import Concept
from linnet.tasks.linking.vocabularies.curies import prefix_of

__all__ = ["Filters", "keep_by_prefix", "keep_by_source", "parse_filters"]

KINDS = ("prefix", "species", "tree")
SPECIES = "human is 9606, mouse 10090, rat 10116, zebrafish 7955, fruit fly 7227"
REMEDY = "write e.g. `--keep tree=C,F03`, `--keep species=9606,10090` or `--keep prefix=mesh,omim`"


@dataclass(frozen=True, slots=True)
class Filters:
    """What is kept; an empty filter keeps everything."""

    prefix: tuple[str, ...] = ()
    species: tuple[str, ...] = ()
    tree: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, list[str]]:
        """Return the filters that are set, as JSON has them."""
        return {kind: list(values) for kind in KINDS if (values := getattr(self, kind))}


def parse_filters(given: Iterable[str]) -> Filters:
    """Return the filters that are written as `kind=value,value`."""
    found: dict[str, tuple[str, ...]] = {}
    for text in given:
        kind, _, values = text.partition("=")
        kind = kind.strip().lower()
        parts = tuple(part.strip() for part in values.split(",") if part.strip())
        if kind not in KINDS or not parts:
            raise BadSetting(f"the filter {text!r} is not `kind=values`, a kind being {', '.join(KINDS)}", REMEDY)
        if kind == "species" and (names := [part for part in parts if not part.isdecimal()]):
            raise BadSetting(f"`--keep species={names[0]}`: expected a number of the NCBI Taxonomy", SPECIES)
        found[kind] = found.get(kind, ()) + parts
    if "prefix" in found:
        found["prefix"] = tuple(prefix.lower().rstrip(":") for prefix in found["prefix"])
    return Filters(**found)


def keep_by_source(concepts: Sequence[Concept], filters: Filters) -> list[Concept]:
    """Return the concepts of all sources that pass the filters of trees and species.

    A supplementary record of MeSH has the trees of the descriptors that it is mapped to. What has neither trees nor
    such descriptors passes the filter of trees, and what has no species passes that of species.

    Raises:
        BadSetting: if no concept has what a filter looks at.
    """
    if filters.species and not any(concept.species for concept in concepts):
        raise BadSetting("no source says to which species its concepts belong", "leave out `--keep species=...`")
    if filters.tree and not any(concept.trees for concept in concepts):
        raise BadSetting("no source has tree numbers of MeSH", "add the descriptors, or leave out `--keep tree=...`")
    kept = [concept for concept in concepts if not concept.species or _has_species(concept, filters)]
    return [concept for concept in kept if passes(concept)] if (passes := _tree_filter(concepts, filters)) else kept


def keep_by_prefix(concepts: Iterable[Concept], filters: Filters) -> list[Concept]:
    """Return the merged concepts with an identifier of the prefixes, which then comes first."""
    if not filters.prefix:
        return list(concepts)
    kept = []
    for concept in concepts:
        identifiers = (concept.identifier, *concept.equivalents)
        first = next((each for each in identifiers if prefix_of(each).lower() in filters.prefix), None)
        if first is not None:
            others = tuple(each for each in identifiers if each != first)
            kept.append(replace(concept, identifier=first, equivalents=others))
    return kept


def _has_species(concept: Concept, filters: Filters) -> bool:
    return not filters.species or concept.species in filters.species


def _tree_filter(concepts: Iterable[Concept], filters: Filters) -> Callable[[Concept], bool] | None:
    if not filters.tree:
        return None
    is_kept = {concept.identifier: _is_below(concept.trees, filters.tree) for concept in concepts if concept.trees}

    def passes(concept: Concept) -> bool:
        if concept.trees:
            return is_kept[concept.identifier]
        mapped = [is_kept[parent] for parent in concept.parents if parent in is_kept]
        return any(mapped) or not mapped

    return passes


def _is_below(numbers: Iterable[str], trees: Sequence[str]) -> bool:
    return any(
        number == tree or number.startswith(tree if len(tree) == 1 else f"{tree}.")
        for number in numbers
        for tree in trees
    )
