"""Word-level scores of every tag, `O` included, with micro, macro and weighted averages.

Each word is right if its tag is, begin and inside apart. These are the figures of a classification report over words
(scikit-learn's `classification_report`). People quote the averages with `O` and without it; they are far apart, so both
are given.
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
    """Precision, recall and F1 as fractions, and the words that they were counted from; `gold` is the support."""

    precision: float
    recall: float
    f1: float
    gold: int
    predicted: int
    correct: int


@dataclass(frozen=True, slots=True)
class TagAverages:
    """The averages over some tags.

    `micro` counts all words alike. `macro` is the plain mean over the tags, `weighted` the mean weighted by how many
    gold words each has.
    """

    micro: TagScore
    macro: TagScore
    weighted: TagScore


@dataclass(frozen=True, slots=True)
class TagReport:
    """The scores of every tag that occurs in gold or predicted, and their averages with and without `O`."""

    words: int
    tags: Mapping[str, TagScore]
    with_outside: TagAverages
    without_outside: TagAverages

    def as_dict(self) -> dict[str, object]:
        """Return plain numbers in the shape of the block `tags` of `linnet score --json`."""
        return {
            "words": self.words,
            "tags": {tag: asdict(found) for tag, found in self.tags.items()},
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
    """Return the scores of each tag from how many words have each pair of gold and predicted tag.

    >>> report = report_tags({("O", "O"): 6, ("B-X", "B-X"): 1, ("B-X", "O"): 1})
    >>> report.tags["B-X"].recall, round(report.with_outside.micro.f1, 3), report.without_outside.micro.precision
    (0.5, 0.875, 1.0)
    """
    gold, predicted, correct = Counter[str](), Counter[str](), Counter[str]()
    for (true, said), number in pairs.items():
        gold[true] += number
        predicted[said] += number
        if true == said:
            correct[true] += number
    tags = {tag: _score(gold[tag], predicted[tag], correct[tag]) for tag in sorted({*gold, *predicted}, key=_place)}
    named = [found for tag, found in tags.items() if tag != OUTSIDE]
    return TagReport(sum(pairs.values()), tags, _averages(list(tags.values())), _averages(named))


def _place(tag: str) -> tuple[bool, str, int]:
    """Return where a tag stands in a report: `O` first, then by label, begin before inside."""
    prefix, label = split_tag(tag)
    return tag != OUTSIDE, label, PREFIXES.find(prefix)


def _score(gold: int, predicted: int, correct: int) -> TagScore:
    return TagScore(
        correct / predicted if predicted else 0.0,
        correct / gold if gold else 0.0,
        2 * correct / (gold + predicted) if gold + predicted else 0.0,
        gold,
        predicted,
        correct,
    )


def _averages(found: Sequence[TagScore]) -> TagAverages:
    gold, predicted, correct = (sum(getattr(each, name) for each in found) for name in ("gold", "predicted", "correct"))
    micro = _score(gold, predicted, correct)
    return TagAverages(micro, _mean(found, micro, [1] * len(found)), _mean(found, micro, [each.gold for each in found]))


def _mean(found: Sequence[TagScore], total: TagScore, weights: Sequence[int]) -> TagScore:
    """Return the weighted mean of the scores, with the counts of all tags together."""
    scale = sum(weights) or 1
    precision, recall, f1 = (
        sum(weight * getattr(each, name) for each, weight in zip(found, weights, strict=True)) / scale
        for name in ("precision", "recall", "f1")
    )
    return TagScore(precision, recall, f1, total.gold, total.predicted, total.correct)
