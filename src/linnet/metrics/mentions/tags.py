"""Word-level precision, recall and F1 of every tag, with micro, macro and weighted averages.

A word is right if its tag is right; B and I are different tags. These are the numbers of scikit-learn's
`classification_report` over words. Averages with and without `O` are both in use and differ widely, so both are given.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from linnet.labels.tagging import OUTSIDE, split_tag
from linnet.metrics.mentions.units import Unit

__all__ = ["AVERAGES", "TagAverages", "TagReport", "TagScore", "count_tags", "report_tags"]

AVERAGES = ("micro", "macro", "weighted")
PREFIXES = "BIES"  # in this order within a label


@dataclass(frozen=True, slots=True)
class TagScore:
    """Precision, recall and F1 as fractions, with their counts of words; `gold` is the support."""

    precision: float
    recall: float
    f1: float
    gold: int
    predicted: int
    correct: int


@dataclass(frozen=True, slots=True)
class TagAverages:
    """The averages over some tags.

    `micro` counts all words alike. `macro` is the plain mean over the tags, `weighted` the mean weighted by the number
    of gold words.
    """

    micro: TagScore
    macro: TagScore
    weighted: TagScore


@dataclass(frozen=True, slots=True)
class TagReport:
    """The scores of every gold or predicted tag, and their averages with and without `O`."""

    words: int
    tags: Mapping[str, TagScore]
    with_outside: TagAverages
    without_outside: TagAverages

    def as_dict(self) -> dict[str, object]:
        """Return plain numbers in the shape of the block `tags` of `linnet score --json`."""
        return {
            "words": self.words,
            "tags": {tag: asdict(score) for tag, score in self.tags.items()},
            "with_o": asdict(self.with_outside),
            "without_o": asdict(self.without_outside),
        }


def count_tags(units: Iterable[Unit]) -> Counter[tuple[str, str]]:
    """Return how many words have each pair of gold and predicted tag."""
    pairs: Counter[tuple[str, str]] = Counter()
    for unit in units:
        pairs.update(zip(unit.gold_tags, unit.predicted_tags, strict=True))
    return pairs


def report_tags(pairs: Mapping[tuple[str, str], int]) -> TagReport:
    """Return the scores of each tag from the number of words with each pair of gold and predicted tag.

    >>> report = report_tags({("O", "O"): 6, ("B-X", "B-X"): 1, ("B-X", "O"): 1})
    >>> report.tags["B-X"].recall, round(report.with_outside.micro.f1, 3), report.without_outside.micro.precision
    (0.5, 0.875, 1.0)
    """
    gold, predicted, correct = Counter[str](), Counter[str](), Counter[str]()
    for (gold_tag, predicted_tag), number in pairs.items():
        gold[gold_tag] += number
        predicted[predicted_tag] += number
        if gold_tag == predicted_tag:
            correct[gold_tag] += number
    tags = {
        tag: _score_tag(gold[tag], predicted[tag], correct[tag]) for tag in sorted({*gold, *predicted}, key=_sort_key)
    }
    without_outside = [score for tag, score in tags.items() if tag != OUTSIDE]
    return TagReport(sum(pairs.values()), tags, _average(list(tags.values())), _average(without_outside))


def _sort_key(tag: str) -> tuple[bool, str, int]:
    """Return the position of a tag in a report: `O` first, then by label, B before I."""
    prefix, label = split_tag(tag)
    return tag != OUTSIDE, label, PREFIXES.find(prefix)


def _score_tag(gold: int, predicted: int, correct: int) -> TagScore:
    return TagScore(
        precision=correct / predicted if predicted else 0.0,
        recall=correct / gold if gold else 0.0,
        f1=2 * correct / (gold + predicted) if gold + predicted else 0.0,
        gold=gold,
        predicted=predicted,
        correct=correct,
    )


def _average(scores: Sequence[TagScore]) -> TagAverages:
    gold, predicted, correct = (
        sum(getattr(score, name) for score in scores) for name in ("gold", "predicted", "correct")
    )
    micro = _score_tag(gold, predicted, correct)
    macro = _weighted_mean(scores, micro, [1] * len(scores))
    weighted = _weighted_mean(scores, micro, [score.gold for score in scores])
    return TagAverages(micro, macro, weighted)


def _weighted_mean(scores: Sequence[TagScore], total: TagScore, weights: Sequence[int]) -> TagScore:
    """Return the weighted mean of the scores, with the counts of all tags together."""
    scale = sum(weights) or 1
    precision, recall, f1 = (
        sum(weight * getattr(score, name) for score, weight in zip(scores, weights, strict=True)) / scale
        for name in ("precision", "recall", "f1")
    )
    return TagScore(
        precision=precision,
        recall=recall,
        f1=f1,
        gold=total.gold,
        predicted=total.predicted,
        correct=total.correct,
    )
