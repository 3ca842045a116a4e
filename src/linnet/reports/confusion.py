"""Confusion matrix of gold and predicted labels."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["MOST_LABELS", "Confusion", "count_confusion"]

MOST_LABELS = 20  # in a table or a plot


@dataclass(frozen=True)
class Confusion:
    """How often each gold label (rows) is predicted as each label (columns)."""

    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    n_labels: int  # that occur, including those left out
    n_left_out: int  # examples whose gold or predicted label is left out


def count_confusion(
    gold: Sequence[str], predicted: Sequence[str], labels: Sequence[str], *, most: int = MOST_LABELS
) -> Confusion:
    """Return the counts of the labels that occur, at most the `most` frequent ones.

    Args:
        gold: the gold label of each example.
        predicted: the predicted label of each example.
        labels: in their order; other labels that occur come after them, sorted.
        most: number of labels to count.
    """
    pairs = Counter(zip(gold, predicted, strict=True))
    frequency = Counter(gold) + Counter(predicted)
    known = dict.fromkeys(label for label in labels if label in frequency)
    ordered = [*known, *sorted(frequency.keys() - known.keys())]
    kept = set(sorted(ordered, key=lambda label: -frequency[label])[:most])
    shown = tuple(label for label in ordered if label in kept)
    counts = tuple(tuple(pairs[row, column] for column in shown) for row in shown)
    return Confusion(shown, counts, len(ordered), len(gold) - sum(map(sum, counts)))
