"""Merges the concepts of several sources: equivalent identifiers are one concept.

Two concepts are one if one of them names an identifier of the other as its own, as an equivalent or as a
cross-reference. Since ontologies also refer to broader concepts, a merge never joins two concepts of one source; such
references are left aside and counted. The first source decides about identifier and preferred name.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.concepts import Concept

__all__ = ["Merged", "merge"]


@dataclass(frozen=True, slots=True)
class Merged:
    """Concepts of all sources, and what was left aside."""

    concepts: tuple[Concept, ...]
    successor_by_retired: Mapping[str, str]  # an empty text where nothing replaces the identifier
    n_merged: int  # concepts that became part of another
    n_left_aside: int  # references that would have joined two concepts of one source


def merge(sources: Sequence[tuple[str, Sequence[Concept]]]) -> Merged:
    """Return the concepts of several sources as one list.

    Args:
        sources: the name of each, for messages, and its concepts.

    Raises:
        BadFile: where a source has an identifier twice, or obsolete concepts replace one another in a circle.
    """
    for name, concepts in sources:
        _refuse_second_identifier(name, concepts)
    every = [(number, concept) for number, (_, concepts) in enumerate(sources) for concept in concepts]
    living = [(number, concept) for number, concept in every if not concept.is_obsolete]
    groups = _Groups([number for number, _ in living])
    home: dict[str, int] = {}
    for place, (_, concept) in enumerate(living):
        for identifier in (concept.identifier, *concept.equivalents):
            groups.join(home.setdefault(identifier, place), place)
    for place, (_, concept) in enumerate(living):
        for identifier in concept.cross_references:
            if identifier in home:
                groups.join(home[identifier], place)
    members: dict[int, list[Concept]] = {}
    for place, (_, concept) in enumerate(living):
        members.setdefault(groups.first(place), []).append(concept)
    merged = _give_shared_identifiers_once(_unite(group) for group in members.values())
    retired = _find_successors([concept for _, concept in every], home)
    return Merged(tuple(merged), retired, len(living) - len(merged), groups.n_refused)


class _Groups:
    """Sets of concepts that grow together, none with two concepts of one source."""

    def __init__(self, sources: Sequence[int]) -> None:
        self._above = list(range(len(sources)))
        self._sources = [frozenset({source}) for source in sources]
        self.n_refused = 0

    def first(self, place: int) -> int:
        while self._above[place] != place:
            self._above[place] = self._above[self._above[place]]
            place = self._above[place]
        return place

    def join(self, one: int, other: int) -> None:
        one, other = sorted((self.first(one), self.first(other)))
        if one == other:
            return
        if self._sources[one] & self._sources[other]:
            self.n_refused += 1
            return
        self._above[other] = one
        self._sources[one] |= self._sources[other]


def _refuse_second_identifier(name: str, concepts: Iterable[Concept]) -> None:
    seen: dict[str, str] = {}
    for concept in concepts:
        if concept.identifier in seen:
            raise BadFile(
                f"{name}: has the identifier {concept.identifier!r} twice, for {seen[concept.identifier]!r} and "
                f"{concept.name!r}",
                "write all names of a concept in one entry, or correct one of the identifiers",
            )
        seen[concept.identifier] = concept.name


def _unite(group: Sequence[Concept]) -> Concept:
    if len(group) == 1:
        return group[0]
    first = group[0]
    others = (each for concept in group for each in (concept.identifier, *concept.equivalents))
    return replace(
        first,
        synonyms=tuple(dict.fromkeys(name for concept in group for name in concept.names)),
        equivalents=tuple(each for each in dict.fromkeys(others) if each != first.identifier),
        retired=tuple(dict.fromkeys(each for concept in group for each in concept.retired)),
        parents=tuple(dict.fromkeys(each for concept in group for each in concept.parents)),
        trees=tuple(dict.fromkeys(each for concept in group for each in concept.trees)),
        species=next((concept.species for concept in group if concept.species), ""),
    )


def _give_shared_identifiers_once(concepts: Iterable[Concept]) -> list[Concept]:
    """Return the concepts so that no identifier belongs to two; its own concept, or else the first one, keeps it."""
    listed = list(concepts)
    owned = {concept.identifier for concept in listed}
    unique = []
    for concept in listed:
        equivalents = tuple(each for each in dict.fromkeys(concept.equivalents) if each not in owned)
        owned.update(equivalents)
        unique.append(concept if equivalents == concept.equivalents else replace(concept, equivalents=equivalents))
    return unique


def _find_successors(concepts: Iterable[Concept], living: Mapping[str, int]) -> dict[str, str]:
    """Return, by retired identifier, the identifier that stands for it today, or an empty text."""
    direct: dict[str, str] = {}
    for concept in concepts:
        if concept.is_obsolete:
            direct.setdefault(concept.identifier, concept.replaced_by)
        for identifier in concept.retired:
            direct[identifier] = concept.identifier
    return {identifier: _follow(identifier, direct, living) for identifier in direct if identifier not in living}


def _follow(identifier: str, direct: Mapping[str, str], living: Mapping[str, int]) -> str:
    path = [identifier]
    while path[-1] in direct and path[-1] not in living:
        successor = direct[path[-1]]
        if successor in path:
            raise BadFile(
                f"the obsolete identifiers {', '.join(path)} replace one another in a circle",
                "correct `replaced_by` of one of them",
            )
        path.append(successor)
    return path[-1] if path[-1] in living else ""
