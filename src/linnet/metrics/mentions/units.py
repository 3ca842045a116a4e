"""What is compared when a prediction is scored?"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from linnet.errors import BadSetting

__all__ = ["Mark", "Unit", "overlap", "pair_off", "place"]

Interval = tuple[int, int]


class Mark(NamedTuple):
    """A typed stretch; positions are tokens or characters, end exclusive, the same for all marks of a unit."""

    start: int
    end: int
    label: str
    fragments: tuple[Interval, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """One sentence (or a document without sentences) with its true and its predicted marks.

    The marks are kept in reading order, whatever order they are given in, and a single fragment counts as none,
    so that no score can depend on either.

    Args:
        gold: the true marks.
        predicted: the conlleval reading of a model's tags, or simply its marks.
        strictly_predicted: the strict reading of the same tags; None where it is the same as `predicted`.
        gold_labels: the label of each token, "" outside of marks.
        predicted_labels: likewise, as many.
        group: the number of the document that the unit belongs to.
        gold_tags: the tag of each word, for the word-level report; empty where words have no tags.
        predicted_tags: likewise in the same tagging, as many.
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
        object.__setattr__(self, "gold", _in_reading_order(self.gold))
        object.__setattr__(self, "predicted", _in_reading_order(self.predicted))
        if self.strictly_predicted is not None:
            object.__setattr__(self, "strictly_predicted", _in_reading_order(self.strictly_predicted))
        for what, true, said in (
            ("label", self.gold_labels, self.predicted_labels),
            ("tag", self.gold_tags, self.predicted_tags),
        ):
            if len(true) != len(said):
                raise BadSetting(
                    f"a sentence of document number {self.group} has {len(true)} true token {what}s "
                    f"and {len(said)} predicted ones",
                    f"predict on the same tokens, one {what} for each",
                )


def place(mark: Mark) -> tuple[int, int, tuple[Interval, ...]]:
    """Return where the mark lies, without its label; equal places are the same stretch or stretches."""
    return mark.start, mark.end, mark.fragments


def overlap(a: Mark, b: Mark) -> bool:
    """Do the two share a position? (Marks of several fragments count from start to end.)."""
    return a.start < b.end and b.start < a.end


def pair_off(
    gold: Iterable[Mark], predicted: Iterable[Mark], key: Callable[[Mark], Hashable] | None = None
) -> tuple[list[tuple[Mark, Mark]], list[Mark], list[Mark]]:
    """Return pairs of gold and predicted marks with equal keys, one to one, then what is left of either.

    Without a key, marks pair off if they are the same in place and label.
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
    if key is not None:  # marks that share a key came together, away from their place in the row
        missed.sort()
    return pairs, missed, spurious


def _in_reading_order(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    return tuple(sorted([_plain(mark) if mark.fragments else mark for mark in marks]))


def _plain(mark: Mark) -> Mark:
    fragments = tuple(sorted(mark.fragments))
    return mark._replace(fragments=fragments if len(fragments) > 1 else ())
