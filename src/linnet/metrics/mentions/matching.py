"""Matchings: the rules by which a predicted mark counts as right.

A matching is a function that counts one unit, and a reading of its counts. Register your own with
`matchings.register("name")(Matching(count, SPANS))` or through the entry-point group `linnet.matching`. `count` takes
a `Unit` and returns, for each label with anything to count, one number per column of the reading. It must not depend
on other units, so that counts add up; matchings that share one `count` are counted once.

Labels: a gold mark counts for its own label, and so does a predicted mark. A pair of the two counts as `correct`
for the gold mark's label and as `confirmed` for the predicted mark's label (see `Tally`).

`exact`, `partial` and `type` are those of SemEval-2013 task 9 (Segura-Bedmar et al. 2013), as nervaluate 1.2 computes
them, with one deviation. nervaluate goes through the predicted marks once, so a mark may be matched with a gold mark
that it only overlaps, before the equal mark is reached. Here all equal marks are paired first, then the overlapping
ones in reading order. This matters only if marks of one side overlap each other, never for tag sequences.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from linnet.metrics.mentions.fair import FAIR, WEIGHTED_FAIR, count_fair
from linnet.metrics.mentions.tally import Reading, Tally
from linnet.metrics.mentions.units import Mark, Unit, get_boundaries, overlap, pair_off
from linnet.registry import Registry

__all__ = ["SPANS", "Matching", "matchings"]

SPANS = Reading(
    columns=("gold", "predicted", "correct", "confirmed"),
    confirmed={"confirmed": 1.0},
    correct={"correct": 1.0},
    precision_base={"predicted": 1.0},
    recall_base={"gold": 1.0},
)
GOLD, PREDICTED, CORRECT, CONFIRMED = range(4)
PARTIAL_CREDIT = 0.5

Rows = dict[str, list[float]]


@dataclass(frozen=True)
class Matching:
    """A function that counts one unit, and how its counts are read."""

    count: Callable[[Unit], Mapping[str, Sequence[float]]]
    reading: Reading

    def __call__(self, unit: Unit) -> dict[str, Tally]:
        """Return the tally of each label that occurs in the unit."""
        return {label: self.reading.tally(row) for label, row in self.count(unit).items()}


matchings: Registry[Matching] = Registry("matching", home="linnet.metrics.mentions.matching")


def count_strict(unit: Unit) -> Rows:
    """Count as right a mark of the strict reading with the label and both boundaries of a gold mark.

    In IOB2 only `B` begins a mark of the strict reading (seqeval with `mode="strict", scheme=IOB2`).
    """
    return _count_equal(unit.gold, unit.predicted if unit.strictly_predicted is None else unit.strictly_predicted)


def count_conll(unit: Unit) -> Rows:
    """Count as right a mark of the conlleval reading with the label and both boundaries of a gold mark."""
    return _count_equal(unit.gold, unit.predicted)


def count_exact(unit: Unit) -> Rows:
    """Count as right a mark with both boundaries of a gold mark, whatever its label."""
    if unit.gold == unit.predicted:
        return _count_all_right(unit.gold)
    pairs, missed, spurious = pair_off(unit.gold, unit.predicted)
    pairs += pair_off(missed, spurious, key=get_boundaries)[0]
    return _count_pairs(unit, pairs)


def count_partial(unit: Unit) -> Rows:
    """Count as right a mark with both boundaries of a gold mark, and as half right one that overlaps; ignore labels."""
    if unit.gold == unit.predicted:
        return _count_all_right(unit.gold)
    pairs, missed, spurious = pair_off(unit.gold, unit.predicted)
    same_boundaries, missed, spurious = pair_off(missed, spurious, key=get_boundaries)
    return _count_pairs(unit, pairs + same_boundaries, half_right=_pair_overlapping(missed, spurious))


def count_type(unit: Unit) -> Rows:
    """Count as right a mark that overlaps a gold mark of the same label.

    Of several free gold marks of its label it is paired with the one with the nearest boundaries. A mark that overlaps
    only gold marks of other labels is wrong, but the first of them is used up nevertheless, as in nervaluate.
    """
    if unit.gold == unit.predicted:
        return _count_all_right(unit.gold)
    pairs, missed, spurious = pair_off(unit.gold, unit.predicted)
    return _count_pairs(unit, pairs + _pair_same_label(missed, spurious))


def count_tokens(unit: Unit) -> Rows:
    """Count as right a token with the label of the gold token; prefixes and tokens outside marks do not count."""
    rows: Rows = defaultdict(_new_row)
    for gold, predicted in zip(unit.gold_labels, unit.predicted_labels, strict=True):
        if gold:
            rows[gold][GOLD] += 1
        if predicted:
            rows[predicted][PREDICTED] += 1
            if predicted == gold:
                rows[gold][CORRECT] += 1
                rows[gold][CONFIRMED] += 1
    return rows


matchings.register("strict")(Matching(count_strict, SPANS))
matchings.register("conll")(Matching(count_conll, SPANS))
matchings.register("exact")(Matching(count_exact, SPANS))
matchings.register("partial")(Matching(count_partial, SPANS))
matchings.register("type")(Matching(count_type, SPANS))
matchings.register("fair")(Matching(count_fair, FAIR))
matchings.register("weighted_fair")(Matching(count_fair, WEIGHTED_FAIR))
matchings.register("tokens")(Matching(count_tokens, SPANS))


def _count_equal(gold: tuple[Mark, ...], predicted: tuple[Mark, ...]) -> Rows:
    if gold == predicted:
        return _count_all_right(gold)
    rows: Rows = defaultdict(_new_row)
    _add_marks(rows, gold, predicted)
    for mark, _ in pair_off(gold, predicted)[0]:
        row = rows[mark.label]
        row[CORRECT] += 1
        row[CONFIRMED] += 1
    return rows


def _count_all_right(marks: tuple[Mark, ...]) -> Rows:
    rows: Rows = {}
    for mark in marks:
        n_before = rows[mark.label][GOLD] if mark.label in rows else 0.0
        rows[mark.label] = [n_before + 1] * len(SPANS.columns)
    return rows


def _count_pairs(unit: Unit, right: Iterable[tuple[Mark, Mark]], half_right: Iterable[tuple[Mark, Mark]] = ()) -> Rows:
    rows: Rows = defaultdict(_new_row)
    _add_marks(rows, unit.gold, unit.predicted)
    for pairs, credit in ((right, 1.0), (half_right, PARTIAL_CREDIT)):
        for gold, predicted in pairs:
            rows[gold.label][CORRECT] += credit
            rows[predicted.label][CONFIRMED] += credit
    return rows


def _add_marks(rows: Rows, gold: tuple[Mark, ...], predicted: tuple[Mark, ...]) -> None:
    for mark in gold:
        rows[mark.label][GOLD] += 1
    for mark in predicted:
        rows[mark.label][PREDICTED] += 1


def _new_row() -> list[float]:
    return [0.0, 0.0, 0.0, 0.0]


def _pair_overlapping(gold: Sequence[Mark], predicted: Sequence[Mark]) -> list[tuple[Mark, Mark]]:
    """Return pairs that overlap, one to one: each predicted mark in reading order with the first free gold mark."""
    free = list(gold)
    pairs: list[tuple[Mark, Mark]] = []
    for mark in predicted:
        for index, candidate in enumerate(free):
            if candidate.start >= mark.end:
                break
            if overlap(candidate, mark):
                pairs.append((free.pop(index), mark))
                break
    return pairs


def _pair_same_label(gold: Sequence[Mark], predicted: Sequence[Mark]) -> list[tuple[Mark, Mark]]:
    free = list(gold)
    pairs: list[tuple[Mark, Mark]] = []
    for mark in predicted:
        candidates = [candidate for candidate in free if overlap(candidate, mark)]
        of_same_label = [candidate for candidate in candidates if candidate.label == mark.label]
        if of_same_label:
            nearest = min(of_same_label, key=lambda gold: abs(gold.start - mark.start) + abs(gold.end - mark.end))
            free.remove(nearest)
            pairs.append((nearest, mark))
        elif candidates:
            free.remove(candidates[0])
    return pairs
