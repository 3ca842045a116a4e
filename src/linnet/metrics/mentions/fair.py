"""Fair evaluation of mentions: every error is counted once, by its type.

Traditional scores count a mention with one wrong boundary twice, as a false positive and a false negative, so that
predicting nothing would be better. Fair evaluation (Ortmann 2022, "Fine-grained error analysis and fair evaluation of
labeled spans", LREC) counts every error once:

1. identical mentions are true positives (TP);
2. same boundaries, other label: a label error (LE);
3. the remaining mentions are sorted by length, shortest first;
4. same label, overlapping: a boundary error (BE); the predicted mention is smaller than the gold one (BES), larger
   (BEL) or overlaps it (BEO);
5. other label, overlapping: a labelling-boundary error (LBE);
6. the remaining gold mentions are false negatives (FN), the remaining predicted mentions false positives (FP).

Steps 4 and 5 each go through the mentions three times: free gold mentions with free predicted ones; free gold mentions
with predicted ones already matched; free predicted mentions with gold ones already matched. Whenever two mentions are
matched, the positions that they share are used up, and a match needs a shared position that is not used up. Of several
candidates the one with the most shared positions is matched, then the one that lacks the fewest positions of the
mention, then the one with the fewest other positions, then the shortest, then the first.

LE, BE and LBE count for the gold mention's label, FP for the predicted one's. Mentions of several fragments count from
start to end here, except that identical mentions must have the same fragments; if only those differ, it is a BEO.
"""

from collections import defaultdict

from linnet.labels.mention import Mention
from linnet.metrics.mentions.tally import Reading
from linnet.metrics.mentions.units import Unit, get_boundaries, overlap, pair_off

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

# A BE is half right; its other half is FN if the mention is too small, FP if too large, a quarter of each if it
# overlaps.
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


class _OpenMention:
    """A mention in steps 4 and 5, with its positions that are not used up by a match, as bits from its start on."""

    __slots__ = ("mention", "rest")

    def __init__(self, mention: Mention) -> None:
        self.mention = mention
        self.rest = (1 << (mention.end - mention.start)) - 1

    def bits_from(self, start: int) -> int:
        """Return the positions that are not used up, from one inside the mention on."""
        return self.rest >> (start - self.mention.start)

    def use_up(self, positions: int, start: int) -> None:
        """Take positions away, which are bits from `start` on."""
        self.rest &= ~(positions << (start - self.mention.start))


def count_fair(unit: Unit) -> Rows:
    """Count every true positive and every error of a unit once, by label."""
    rows: Rows = defaultdict(_new_row)
    for mention in unit.gold:
        rows[mention.label][GOLD] += 1
    for mention in unit.predicted:
        rows[mention.label][PREDICTED] += 1
    identical, missed, spurious = pair_off(unit.gold, unit.predicted)
    for mention, _ in identical:
        rows[mention.label][TP] += 1
    if missed and spurious:
        same_boundaries, missed, spurious = pair_off(missed, spurious, key=get_boundaries)
        for mention, _ in same_boundaries:
            rows[mention.label][LE] += 1
    if missed and spurious:
        missed, spurious = _count_overlaps(rows, missed, spurious)
    for mention in missed:
        rows[mention.label][FN] += 1
    for mention in spurious:
        rows[mention.label][FP] += 1
    return rows


def _new_row() -> list[float]:
    return [0.0] * len(COLUMNS)


def _count_overlaps(rows: Rows, missed: list[Mention], spurious: list[Mention]) -> tuple[list[Mention], list[Mention]]:
    """Count BE and LBE, and return the remaining gold and predicted mentions."""
    gold = [_OpenMention(mention) for mention in sorted(missed, key=_count_positions)]
    predicted = [_OpenMention(mention) for mention in sorted(spurious, key=_count_positions)]
    matched_gold: list[_OpenMention] = []
    matched_predicted: list[_OpenMention] = []
    for same_label in (True, False):
        errors = _match(gold, predicted, same_label)
        matched_gold += [mention for mention, _ in errors]
        matched_predicted += [mention for _, mention in errors]
        gold = [mention for mention in gold if mention not in matched_gold]
        predicted = [mention for mention in predicted if mention not in matched_predicted]

        again = _match(gold, matched_predicted, same_label, reuse=True)
        errors += again
        matched_gold += [mention for mention, _ in again]
        gold = [mention for mention in gold if mention not in matched_gold]

        reverse = _match(predicted, matched_gold, same_label, reuse=True)
        errors += [(target, system) for system, target in reverse]
        matched_predicted += [mention for mention, _ in reverse]
        predicted = [mention for mention in predicted if mention not in matched_predicted]

        for target, system in errors:
            column = _classify_boundary_error(target.mention, system.mention) if same_label else LBE
            rows[target.mention.label][column] += 1
    return [target.mention for target in gold], [system.mention for system in predicted]


def _count_positions(mention: Mention) -> int:
    return mention.end - mention.start


def _match(
    mentions: list[_OpenMention], candidates: list[_OpenMention], same_label: bool, *, reuse: bool = False
) -> list[tuple[_OpenMention, _OpenMention]]:
    """Match each mention with the closest candidate, if any, and use up the positions that they share."""
    matches: list[tuple[_OpenMention, _OpenMention]] = []
    free = list(candidates)
    for mention in mentions:
        fitting = [candidate for candidate in free if _fits(mention, candidate, same_label)]
        if fitting:
            closest = min(fitting, key=lambda candidate: _distance(mention, candidate))
            shared, start = _share(mention, closest)
            mention.use_up(shared, start)
            closest.use_up(shared, start)
            matches.append((mention, closest))
            if not reuse:
                free.remove(closest)
    return matches


def _fits(a: _OpenMention, b: _OpenMention, same_label: bool) -> bool:
    # their boundaries differ: mentions with the same boundaries were paired in steps 1 and 2
    return overlap(a.mention, b.mention) and (a.mention.label == b.mention.label) == same_label and _share(a, b)[0] != 0


def _share(a: _OpenMention, b: _OpenMention) -> tuple[int, int]:
    """Return the positions of both that are not used up, as bits, and the position of the first bit."""
    start = max(a.mention.start, b.mention.start)
    return a.bits_from(start) & b.bits_from(start), start


def _distance(mention: _OpenMention, candidate: _OpenMention) -> tuple[int, int, int, int]:
    n_shared = _share(mention, candidate)[0].bit_count()
    return (
        -n_shared,
        mention.rest.bit_count() - n_shared,
        candidate.rest.bit_count() - n_shared,
        _count_positions(candidate.mention),
    )


def _classify_boundary_error(gold: Mention, predicted: Mention) -> int:
    is_inside = gold.start <= predicted.start and predicted.end <= gold.end
    is_around = predicted.start <= gold.start and gold.end <= predicted.end
    if is_inside == is_around:
        return BEO
    return BES if is_inside else BEL
