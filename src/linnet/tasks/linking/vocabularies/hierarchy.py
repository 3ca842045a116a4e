"""Parents of concepts, from their sources or from the tree numbers of MeSH."""

from collections.abc import Mapping, Sequence

import numpy as np

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.arrays import Array
from linnet.tasks.linking.vocabularies.concepts import Concept

__all__ = ["find_parents", "refuse_circle"]


def find_parents(concepts: Sequence[Concept], place_by_identifier: Mapping[str, int]) -> tuple[Array, Array]:
    """Return the places of the parents of all concepts one after the other, and where those of each concept start.

    Parents that the vocabulary lacks are left out.
    """
    place_by_tree = {number: place for place, concept in enumerate(concepts) for number in concept.trees}
    parents = []
    for place, concept in enumerate(concepts):
        above = {place_by_identifier.get(identifier) for identifier in concept.parents}
        above |= {place_by_tree.get(number.rpartition(".")[0]) for number in concept.trees}
        parents.append(sorted(each for each in above if each is not None and each != place))
    starts = np.concatenate([[0], np.cumsum([len(each) for each in parents])]).astype(np.int64)
    return np.array([place for each in parents for place in each], dtype=np.int32), starts


def refuse_circle(source: str, concepts: Sequence[Concept]) -> None:
    """Refuse a source in which concepts are their own ancestors by the parents that it names.

    Tree numbers of MeSH are no matter here: there, two descriptors may stand above each other in different trees.

    Raises:
        BadFile: with some of the concepts.
    """
    place_by_identifier = {concept.identifier: place for place, concept in enumerate(concepts)}
    parents = [
        {place_by_identifier[each] for each in concept.parents if each in place_by_identifier} for concept in concepts
    ]
    n_children = [0] * len(parents)
    for above in parents:
        for parent in above:
            n_children[parent] += 1
    leaves = [place for place, number in enumerate(n_children) if not number]
    while leaves:
        for parent in parents[leaves.pop()]:
            n_children[parent] -= 1
            if not n_children[parent]:
                leaves.append(parent)
    examples = [concept.identifier for concept, number in zip(concepts, n_children, strict=True) if number][:3]
    if examples:
        raise BadFile(
            f"{source}: the hierarchy has a circle, {', '.join(examples)} are among their own ancestors",
            "correct their parents",
        )
