"""Units of evaluation: sentences with gold and predicted marks."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from linnet.documents.document import Interval
from linnet.errors import BadSetting

__all__ = ["Mark", "Unit", "get_boundaries", "overlap", "pair_off"]


class Mark(NamedTuple):
    """A mention in a unit; positions are tokens or characters, end exclusive, the same for all marks of a unit."""

    start: int
    end: int
    label: str
    fragments: tuple[Interval, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence (or a document without sentences) with its gold and its predicted marks.

    The marks are sorted in reading order, and a single fragment is dropped, so that no score depends on either.

    Args:
        gold: the gold marks.
        predicted: the conlleval reading of a model's tags, or its marks.
        strictly_predicted: the strict reading of the same tags; None if it is the same as `predicted`.
        gold_labels: the label of each token, "" outside marks.
        predicted_labels: the same for the prediction, of equal length.
        group: the number of the document that the unit belongs to.
        gold_tags: the tag of each word, for the word-level report; empty if words have no tags.
        predicted_tags: the same for the prediction in the same tagging, of equal length.
    """

    gold: tuple[Mark, ...]
    predicted: tuple[Mark, ...]
    strictly_predicted: tuple[Mark, ...] | None = None
    gold_labels: Sequence[str] = ()
    predicted_labels: Sequence[str] = ()
    group: int = 0
    gold_tags: Sequence[str] = ()
    predicted_tags: Sequence[str] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "gold", _sort_marks(self.gold))
        object.__setattr__(self, "predicted", _sort_marks(self.predicted))
        if self.strictly_predicted is not None:
            object.__setattr__(self, "strictly_predicted", _sort_marks(self.strictly_predicted))
        for what, gold, predicted in (
            ("label", self.gold_labels, self.predicted_labels),
            ("tag", self.gold_tags, self.predicted_tags),
        ):
            if len(gold) != len(predicted):
                raise BadSetting(
                    f"a sentence of document number {self.group} has {len(gold)} true token {what}s "
                    f"and {len(predicted)} predicted ones",
                    f"predict on the same tokens, one {what} for each",
                )


def get_boundaries(mark: Mark) -> tuple[int, int, tuple[Interval, ...]]:
    """Return start, end and fragments of a mark, without its label."""
    return mark.start, mark.end, mark.fragments


def overlap(a: Mark, b: Mark) -> bool:
    """Do the marks share a position? Marks of several fragments count from start to end."""
    return a.start < b.end and b.start < a.end


def pair_off(
    gold: Iterable[Mark], predicted: Iterable[Mark], key: Callable[[Mark], Hashable] | None = None
) -> tuple[list[tuple[Mark, Mark]], list[Mark], list[Mark]]:
    """Return pairs of gold and predicted marks with equal keys, one to one, then the remaining marks of each side.

    Without a key, marks are paired if boundaries and label are the same.
    """
    waiting: dict[Hashable, list[Mark]] = {}
    for mark in gold:
        waiting.setdefault(key(mark) if key else mark, []).append(mark)
    pairs: list[tuple[Mark, Mark]] = []
    spurious: list[Mark] = []
    for mark in predicted:
        candidates = waiting.get(key(mark) if key else mark)
        if candidates:
            pairs.append((candidates.pop(0), mark))
        else:
            spurious.append(mark)
    missed = [mark for candidates in waiting.values() for mark in candidates]
    if key is not None:  # marks that share a key were grouped, which changed their order
        missed.sort()
    return pairs, missed, spurious


def _sort_marks(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    return tuple(sorted([_normalise(mark) if mark.fragments else mark for mark in marks]))


def _normalise(mark: Mark) -> Mark:
    fragments = tuple(sorted(mark.fragments))
    return mark._replace(fragments=fragments if len(fragments) > 1 else ())
