"""Fair evaluation of mentions: every error is counted once, by its type.

Traditional scores count a mark with one wrong boundary twice, as a false positive and a false negative, so that
predicting nothing would be better. Fair evaluation (Ortmann 2022, "Fine-grained error analysis and fair evaluation of
labeled spans", LREC) counts every error once:

1. identical marks are true positives (TP);
2. same boundaries, other label: a label error (LE);
3. the remaining marks are sorted by length, shortest first;
4. same label, overlapping: a boundary error (BE); the predicted mark is smaller than the gold mark (BES), larger (BEL)
   or overlaps it (BEO);
5. other label, overlapping: a labelling-boundary error (LBE);
6. the remaining gold marks are false negatives (FN), the remaining predicted marks false positives (FP).

Steps 4 and 5 each go through the marks three times: free gold marks with free predicted marks; free gold marks with
predicted marks already matched; free predicted marks with gold marks already matched. Whenever two marks are matched,
the positions that they share are used up, and a match needs a shared position that is not used up. Of several
candidates the one with the most shared positions is matched, then the one that lacks the fewest positions of the mark,
then the one with the fewest other positions, then the shortest, then the first.

LE, BE and LBE count for the gold mark's label, FP for the predicted mark's. Marks of several fragments count from
start to end here, except that identical marks must have the same fragments; if only those differ, it is a BEO.
"""

from collections import defaultdict

from linnet.metrics.mentions.tally import Reading
from linnet.metrics.mentions.units import Mark, Unit, get_boundaries, overlap, pair_off

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

# A BE is half right; its other half is FN if the mark is too small, FP if too large, a quarter of each if overlapping.
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


class _OpenMark:
    """A mark in steps 4 and 5, with its positions that are not used up by a match, as bits."""

    __slots__ = ("mark", "rest")

    def __init__(self, mark: Mark) -> None:
        self.mark = mark
        self.rest = (1 << mark.end) - (1 << mark.start)


def count_fair(unit: Unit) -> Rows:
    """Count every true positive and every error of a unit once, by label."""
    rows: Rows = defaultdict(_new_row)
    for mark in unit.gold:
        rows[mark.label][GOLD] += 1
    for mark in unit.predicted:
        rows[mark.label][PREDICTED] += 1
    identical, missed, spurious = pair_off(unit.gold, unit.predicted)
    for mark, _ in identical:
        rows[mark.label][TP] += 1
    if missed and spurious:
        same_boundaries, missed, spurious = pair_off(missed, spurious, key=get_boundaries)
        for mark, _ in same_boundaries:
            rows[mark.label][LE] += 1
    if missed and spurious:
        missed, spurious = _count_overlaps(rows, missed, spurious)
    for mark in missed:
        rows[mark.label][FN] += 1
    for mark in spurious:
        rows[mark.label][FP] += 1
    return rows


def _new_row() -> list[float]:
    return [0.0] * len(COLUMNS)


def _count_overlaps(rows: Rows, missed: list[Mark], spurious: list[Mark]) -> tuple[list[Mark], list[Mark]]:
    """Count BE and LBE, and return the remaining gold and predicted marks."""
    gold = [_OpenMark(mark) for mark in sorted(missed, key=_count_positions)]
    predicted = [_OpenMark(mark) for mark in sorted(spurious, key=_count_positions)]
    matched_gold: list[_OpenMark] = []
    matched_predicted: list[_OpenMark] = []
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

        reverse = _match(predicted, matched_gold, same_label, reuse=True)
        errors += [(target, system) for system, target in reverse]
        matched_predicted += [mark for mark, _ in reverse]
        predicted = [mark for mark in predicted if mark not in matched_predicted]

        for target, system in errors:
            column = _classify_boundary_error(target.mark, system.mark) if same_label else LBE
            rows[target.mark.label][column] += 1
    return [target.mark for target in gold], [system.mark for system in predicted]


def _count_positions(mark: Mark) -> int:
    return mark.end - mark.start


def _match(
    marks: list[_OpenMark], candidates: list[_OpenMark], same_label: bool, *, reuse: bool = False
) -> list[tuple[_OpenMark, _OpenMark]]:
    """Match each mark with the closest candidate, if any, and use up the positions that they share."""
    matches: list[tuple[_OpenMark, _OpenMark]] = []
    free = list(candidates)
    for mark in marks:
        fitting = [candidate for candidate in free if _fits(mark, candidate, same_label)]
        if fitting:
            closest = min(fitting, key=lambda candidate: _distance(mark, candidate))
            unshared = ~(mark.rest & closest.rest)
            mark.rest &= unshared
            closest.rest &= unshared
            matches.append((mark, closest))
            if not reuse:
                free.remove(closest)
    return matches


def _fits(a: _OpenMark, b: _OpenMark, same_label: bool) -> bool:
    # their boundaries differ: marks with the same boundaries were paired in steps 1 and 2
    return overlap(a.mark, b.mark) and (a.mark.label == b.mark.label) == same_label and a.rest & b.rest != 0


def _distance(mark: _OpenMark, candidate: _OpenMark) -> tuple[int, int, int, int]:
    shared = mark.rest & candidate.rest
    return (
        -shared.bit_count(),
        (mark.rest & ~shared).bit_count(),
        (candidate.rest & ~shared).bit_count(),
        _count_positions(candidate.mark),
    )


def _classify_boundary_error(gold: Mark, predicted: Mark) -> int:
    is_inside = gold.start <= predicted.start and predicted.end <= gold.end
    is_around = predicted.start <= gold.start and gold.end <= predicted.end
    if is_inside == is_around:
        return BEO
    return BES if is_inside else BEL
