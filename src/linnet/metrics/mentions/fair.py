"""How many mistakes did a system really make?

Traditional scores count a mark with one wrong boundary twice, as a false positive and a false negative, so that
predicting nothing would have been better. Fair evaluation (Ortmann 2022, "Fine-grained error analysis and fair
evaluation of labeled spans", LREC) counts every mistake once:

1. identical marks are true positives (TP);
2. same boundaries, other label: a label error (LE);
3. the rest is taken by length, shortest first;
4. same label, overlapping: a boundary error (BE), relative to the gold mark smaller (BES), larger (BEL) or
   overlapping it (BEO);
5. other label, overlapping: a labelling-boundary error (LBE);
6. what is left of the gold is a false negative (FN), what is left of the predicted a false positive (FP).

Steps 4 and 5 each go through the marks three times: free gold marks with free predicted marks; free gold marks with
predicted marks already matched; free predicted marks with gold marks already matched. Whenever two are matched,
the positions that they share are used up, and a match needs a shared position that is not. Of several
candidates the one with most shared positions is taken, then with fewest positions of the mark looked for that it
lacks, then with fewest of its own, then the shortest, then the first.

LE, BE and LBE count for the gold mark's label, FP for the predicted one's. Marks of several fragments count from start
to end here, except that identical marks must have the same fragments; if only those differ, it is a BEO.
"""

from collections import defaultdict

from linnet.metrics.mentions.tally import Reading
from linnet.metrics.mentions.units import Mark, Unit, overlap, pair_off, place

__all__ = ["FAIR", "WEIGHTED_FAIR", "count_fair"]

COLUMNS = ("gold", "predicted", "tp", "fp", "fn", "le", "bes", "bel", "beo", "lbe")
GOLD, PREDICTED, TP, FP, FN, LE, BES, BEL, BEO, LBE = range(len(COLUMNS))
HALVES = {"le": 0.5, "bes": 0.5, "bel": 0.5, "beo": 0.5, "lbe": 0.5}

# An LE, BE or LBE is half a false positive and half a false negative.
FAIR = Reading(
    columns=COLUMNS,
    confirmed={"tp": 1.0},
    correct={"tp": 1.0},
    precision_base={"tp": 1.0, "fp": 1.0, **HALVES},
    recall_base={"tp": 1.0, "fn": 1.0, **HALVES},
    details=("tp", "fp", "fn", "le", "be", "lbe"),
)

# A BE is half right; its other half is FN if too little was marked, FP if too much, a quarter of each if crossing.
HALF_RIGHT = {"tp": 1.0, "bes": 0.5, "bel": 0.5, "beo": 0.5}
WEIGHTED_FAIR = Reading(
    columns=COLUMNS,
    confirmed=HALF_RIGHT,
    correct=HALF_RIGHT,
    precision_base={"tp": 1.0, "fp": 1.0, "le": 0.5, "lbe": 0.5, "bes": 0.5, "bel": 1.0, "beo": 0.75},
    recall_base={"tp": 1.0, "fn": 1.0, "le": 0.5, "lbe": 0.5, "bes": 1.0, "bel": 0.5, "beo": 0.75},
    details=("tp", "fp", "fn", "le", "be", "lbe", "bes", "bel", "beo"),
)

Rows = dict[str, list[float]]


class Open:
    """A mark in steps 4 and 5, with those of its positions that no match has used up yet, as bits."""

    __slots__ = ("mark", "rest")

    def __init__(self, mark: Mark) -> None:
        self.mark = mark
        self.rest = (1 << mark.end) - (1 << mark.start)


def count_fair(unit: Unit) -> Rows:
    """Count every true mark and every mistake of a unit once, by label."""
    rows: Rows = defaultdict(_empty_row)
    for mark in unit.gold:
        rows[mark.label][GOLD] += 1
    for mark in unit.predicted:
        rows[mark.label][PREDICTED] += 1
    identical, missed, spurious = pair_off(unit.gold, unit.predicted)
    for mark, _ in identical:
        rows[mark.label][TP] += 1
    if missed and spurious:
        same_place, missed, spurious = pair_off(missed, spurious, key=place)
        for mark, _ in same_place:
            rows[mark.label][LE] += 1
    if missed and spurious:
        missed, spurious = _count_overlaps(rows, missed, spurious)
    for mark in missed:
        rows[mark.label][FN] += 1
    for mark in spurious:
        rows[mark.label][FP] += 1
    return rows


def _empty_row() -> list[float]:
    return [0.0] * len(COLUMNS)


def _count_overlaps(rows: Rows, missed: list[Mark], spurious: list[Mark]) -> tuple[list[Mark], list[Mark]]:
    """Count BE and LBE, and return what is left of the gold and of the predicted marks."""
    gold = [Open(mark) for mark in sorted(missed, key=_length)]
    predicted = [Open(mark) for mark in sorted(spurious, key=_length)]
    matched_gold: list[Open] = []
    matched_predicted: list[Open] = []
    for same_label in (True, False):
        errors = _match(gold, predicted, same_label)
        matched_gold += [mark for mark, _ in errors]
        matched_predicted += [mark for _, mark in errors]
        gold = [mark for mark in gold if mark not in matched_gold]
        predicted = [mark for mark in predicted if mark not in matched_predicted]

        again = _match(gold, matched_predicted, same_label, reuse=True)
        errors += again
        matched_gold += [mark for mark, _ in again]
        gold = [mark for mark in gold if mark not in matched_gold]

        turned = _match(predicted, matched_gold, same_label, reuse=True)
        errors += [(found, looked_for) for looked_for, found in turned]
        matched_predicted += [mark for mark, _ in turned]
        predicted = [mark for mark in predicted if mark not in matched_predicted]

        for target, system in errors:
            rows[target.mark.label][_boundary_error(target.mark, system.mark) if same_label else LBE] += 1
    return [target.mark for target in gold], [system.mark for system in predicted]


def _length(mark: Mark) -> int:
    return mark.end - mark.start


def _match(
    looked_for: list[Open], candidates: list[Open], same_label: bool, *, reuse: bool = False
) -> list[tuple[Open, Open]]:
    """Match each mark looked for with the likest candidate, if any, and use up the positions that they share."""
    matches: list[tuple[Open, Open]] = []
    free = list(candidates)
    for mark in looked_for:
        fitting = [candidate for candidate in free if _fits(mark, candidate, same_label)]
        if fitting:
            likest = min(fitting, key=lambda candidate: _unlikeness(mark, candidate))
            unshared = ~(mark.rest & likest.rest)
            mark.rest &= unshared
            likest.rest &= unshared
            matches.append((mark, likest))
            if not reuse:
                free.remove(likest)
    return matches


def _fits(a: Open, b: Open, same_label: bool) -> bool:
    # that their boundaries differ is certain: marks of the same place have paired off in steps 1 and 2
    return overlap(a.mark, b.mark) and (a.mark.label == b.mark.label) == same_label and a.rest & b.rest != 0


def _unlikeness(looked_for: Open, candidate: Open) -> tuple[int, int, int, int]:
    shared = looked_for.rest & candidate.rest
    return (
        -shared.bit_count(),
        (looked_for.rest & ~shared).bit_count(),
        (candidate.rest & ~shared).bit_count(),
        _length(candidate.mark),
    )


def _boundary_error(gold: Mark, predicted: Mark) -> int:
    is_inside = gold.start <= predicted.start and predicted.end <= gold.end
    is_around = predicted.start <= gold.start and gold.end <= predicted.end
    if is_inside == is_around:
        return BEO
    return BES if is_inside else BEL
