"""Matchings: the rules by which a predicted mention counts as right.

A matching is a function that counts one unit, and a reading of its counts. Register your own with
`matchings.register("name")(Matching(count, SPANS))` or through the entry-point group `linnet.matching`. `count` takes
a `Unit` and returns, for each label with anything to count, one number per column of the reading. It must not depend
on other units, so that counts add up; matchings that share one `count` are counted once.

Labels: a gold mention counts for its own label, and so does a predicted mention. A pair of the two counts as `correct`
for the gold mention's label and as `confirmed` for the predicted mention's label (see `Tally`).

`exact`, `partial` and `type` are those of SemEval-2013 task 9 (Segura-Bedmar et al. 2013), as nervaluate 1.2 computes
them, with one deviation. nervaluate goes through the predicted mentions once, so a mention may be matched with a gold
one that it only overlaps, before the equal one is reached. Here all equal mentions are paired first, then the
overlapping ones in reading order. This matters only if mentions of one side overlap each other, never for tags.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from linnet.labels.mention import Mention
from linnet.metrics.mentions.fair import FAIR, WEIGHTED_FAIR, count_fair
from linnet.metrics.mentions.tally import Reading, Tally
from linnet.metrics.mentions.units import Unit, get_boundaries, overlap, pair_off
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
    """Count as right a mention of the strict reading with the label and both boundaries of a gold mention.

    In IOB2 only `B` begins a mention of the strict reading (seqeval with `mode="strict", scheme=IOB2`).
    """
    return _count_equal(unit.gold, unit.predicted if unit.strictly_predicted is None else unit.strictly_predicted)


def count_conll(unit: Unit) -> Rows:
    """Count as right a mention of the conlleval reading with the label and both boundaries of a gold mention."""
    return _count_equal(unit.gold, unit.predicted)


def count_exact(unit: Unit) -> Rows:
    """Count as right a mention with both boundaries of a gold mention, whatever its label."""
    if unit.gold == unit.predicted:
        return _count_all_right(unit.gold)
    pairs, missed, spurious = pair_off(unit.gold, unit.predicted)
    pairs += pair_off(missed, spurious, key=get_boundaries)[0]
    return _count_pairs(unit, pairs)


def count_partial(unit: Unit) -> Rows:
    """Count as right a mention with both boundaries of a gold one, as half right one that overlaps; ignore labels."""
    if unit.gold == unit.predicted:
        return _count_all_right(unit.gold)
    pairs, missed, spurious = pair_off(unit.gold, unit.predicted)
    same_boundaries, missed, spurious = pair_off(missed, spurious, key=get_boundaries)
    return _count_pairs(unit, pairs + same_boundaries, half_right=_pair_overlapping(missed, spurious))


def count_type(unit: Unit) -> Rows:
    """Count as right a mention that overlaps a gold mention of the same label.

    Of several free gold mentions of its label it is paired with the one with the nearest boundaries. A mention that
    overlaps only gold mentions of other labels is wrong, but the first of them is used up nevertheless, as in
    nervaluate.
    """
    if unit.gold == unit.predicted:
        return _count_all_right(unit.gold)
    pairs, missed, spurious = pair_off(unit.gold, unit.predicted)
    return _count_pairs(unit, pairs + _pair_same_label(missed, spurious))


def count_tokens(unit: Unit) -> Rows:
    """Count as right a token with the label of the gold token; prefixes and tokens outside mentions do not count."""
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


def _count_equal(gold: tuple[Mention, ...], predicted: tuple[Mention, ...]) -> Rows:
    if gold == predicted:
        return _count_all_right(gold)
    rows: Rows = defaultdict(_new_row)
    _add_mentions(rows, gold, predicted)
    for mention, _ in pair_off(gold, predicted)[0]:
        row = rows[mention.label]
        row[CORRECT] += 1
        row[CONFIRMED] += 1
    return rows


def _count_all_right(mentions: tuple[Mention, ...]) -> Rows:
    rows: Rows = {}
    for mention in mentions:
        n_before = rows[mention.label][GOLD] if mention.label in rows else 0.0
        rows[mention.label] = [n_before + 1] * len(SPANS.columns)
    return rows


def _count_pairs(
    unit: Unit, right: Iterable[tuple[Mention, Mention]], half_right: Iterable[tuple[Mention, Mention]] = ()
) -> Rows:
    rows: Rows = defaultdict(_new_row)
    _add_mentions(rows, unit.gold, unit.predicted)
    for pairs, credit in ((right, 1.0), (half_right, PARTIAL_CREDIT)):
        for gold, predicted in pairs:
            rows[gold.label][CORRECT] += credit
            rows[predicted.label][CONFIRMED] += credit
    return rows


def _add_mentions(rows: Rows, gold: tuple[Mention, ...], predicted: tuple[Mention, ...]) -> None:
    for mention in gold:
        rows[mention.label][GOLD] += 1
    for mention in predicted:
        rows[mention.label][PREDICTED] += 1


def _new_row() -> list[float]:
    return [0.0, 0.0, 0.0, 0.0]


def _pair_overlapping(gold: Sequence[Mention], predicted: Sequence[Mention]) -> list[tuple[Mention, Mention]]:
    """Return pairs that overlap, one to one: each predicted mention in reading order with the first free gold one."""
    free = list(gold)
    pairs: list[tuple[Mention, Mention]] = []
    for mention in predicted:
        for index, candidate in enumerate(free):
            if candidate.start >= mention.end:
                break
            if overlap(candidate, mention):
                pairs.append((free.pop(index), mention))
                break
    return pairs


def _pair_same_label(gold: Sequence[Mention], predicted: Sequence[Mention]) -> list[tuple[Mention, Mention]]:
    free = list(gold)
    pairs: list[tuple[Mention, Mention]] = []
    for mention in predicted:
        candidates = [candidate for candidate in free if overlap(candidate, mention)]
        of_same_label = [candidate for candidate in candidates if candidate.label == mention.label]
        if of_same_label:
            nearest = min(of_same_label, key=lambda gold: abs(gold.start - mention.start) + abs(gold.end - mention.end))
            free.remove(nearest)
            pairs.append((nearest, mention))
        elif candidates:
            free.remove(candidates[0])
    return pairs
