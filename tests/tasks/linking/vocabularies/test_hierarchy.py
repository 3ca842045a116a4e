"""Parents of concepts."""

import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.concepts import Concept
from linnet.tasks.linking.vocabularies.hierarchy import find_parents, refuse_circle


def test_parents_come_from_sources_and_trees() -> None:
    concepts = [
        Concept("x:1", "top", trees=("C04",)),
        Concept("x:2", "middle", trees=("C04.1", "D1.2")),
        Concept("x:3", "low", parents=("x:2", "x:9")),
    ]

    parents, starts = find_parents(concepts, {each.identifier: place for place, each in enumerate(concepts)})

    assert parents.tolist() == [0, 1]
    assert starts.tolist() == [0, 0, 1, 2]


def test_a_circle_of_parents_is_refused() -> None:
    concepts = [
        Concept("x:1", "a", parents=("x:2",)),
        Concept("x:2", "b", parents=("x:1",)),
        Concept("x:3", "c", parents=("x:1",)),
    ]

    with pytest.raises(BadFile, match=r"list.*circle, x:1, x:2 are"):
        refuse_circle("list", concepts)


def test_several_paths_to_one_ancestor_are_no_circle() -> None:
    concepts = [Concept("x:1", "a"), Concept("x:2", "b", parents=("x:1",)), Concept("x:3", "c", parents=("x:1", "x:2"))]

    refuse_circle("list", concepts)
