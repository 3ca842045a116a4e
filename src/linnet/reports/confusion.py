"""Which label is taken for which, and how often?"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["MOST_LABELS", "Confusion", "count_confusion"]

MOST_LABELS = 20  # that a table or a picture can hold


@dataclass(frozen=True)
class Confusion:
    """How often each true label (rows) is predicted as each label (columns)."""

    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    n_labels: int  # that occur, with those left out
    n_left_out: int  # examples whose true or predicted label is not among the labels


def count_confusion(
    gold: Sequence[str], predicted: Sequence[str], labels: Sequence[str], *, most: int = MOST_LABELS
) -> Confusion:
    """Return the counts of the labels that occur, the most frequent ones where there are more than `most`.

    Args:
        gold: the true label of each example.
        predicted: the label that was chosen for each.
        labels: the order of labels; others that occur stand behind them, sorted.
        most: labels to count.
    """
    pairs = Counter(zip(gold, predicted, strict=True))
    frequency = Counter(gold) + Counter(predicted)
    known = dict.fromkeys(label for label in labels if label in frequency)
    ordered = [*known, *sorted(frequency.keys() - known.keys())]
    kept = set(sorted(ordered, key=lambda label: -frequency[label])[:most])
    shown = tuple(label for label in ordered if label in kept)
    counts = tuple(tuple(pairs[true, chosen] for chosen in shown) for true in shown)
    return Confusion(shown, counts, len(ordered), len(gold) - sum(map(sum, counts)))
