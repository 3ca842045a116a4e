"""How often is the right label chosen, of one or of several that a text may have?

Texts with one label (relations, inference, most classification) are scored by `classification_metrics`, texts with any
number of labels by `multi_label_metrics`. All scores are read off three counts per unit and label: correct, predicted
and gold. F1 is 2 correct / (predicted + gold), and 0.0 where a label is neither gold nor predicted.
"""

from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt

from linnet.errors import BadSetting
from linnet.metrics.mentions.tally import Array, Tally
from linnet.metrics.texts.resampled import Metric, SumMetric, check_lengths, mean_metric, ratio

__all__ = ["classification_metrics", "multi_label_metrics", "per_label"]

CORRECT, PREDICTED, GOLD = 0, 1, 2
N_COUNTS = 3

Marks = npt.NDArray[np.bool_]  # (units, labels): does the unit have the label?


def classification_metrics(
    gold: Sequence[str],
    predicted: Sequence[str],
    *,
    positive: Collection[str] | None = None,
    has_f1: bool | None = None,
    unit: str = "examples",
) -> list[Metric]:
    """Return the metrics of texts with one label each.

    They are accuracy, micro_precision, micro_recall, micro_f1, macro_f1, and f1 (micro F1 by the name that it has where
    one label is positive).
    Micro scores count all positive labels alike. Macro F1 is the plain mean over the positive labels that occur in gold
    or predicted; a resample is scored as the sample is, over the labels that occur in it.

    Args:
        gold: the true label of each unit.
        predicted: the chosen label of each unit.
        positive: the labels that precision, recall and F1 count. By default all, and then micro F1 equals accuracy.
        has_f1: is f1 among them? By default where `positive` is exactly one label.
        unit: what a unit is called.

    >>> from linnet.metrics.texts.resampled import plain_value
    >>> gold, predicted = ["CPR:3", "false", "CPR:4"], ["CPR:3", "CPR:4", "false"]
    >>> metrics = classification_metrics(gold, predicted, positive=["CPR:3", "CPR:4"])
    >>> {metric.name: plain_value(metric) for metric in metrics if metric.name.startswith("micro")}
    {'micro_precision': 0.5, 'micro_recall': 0.5, 'micro_f1': 0.5}
    """
    check_lengths(gold=gold, predicted=predicted)
    labels = sorted({*gold, *predicted} if positive is None else set(positive))
    counts = _counts(_chosen(gold, labels), _chosen(predicted, labels))
    is_right = [float(true == chosen) for true, chosen in zip(gold, predicted, strict=True)]
    micro = counts.sum(axis=1)
    metrics: list[Metric] = [
        mean_metric("accuracy", "accuracy", unit, is_right),
        SumMetric("micro_precision", "micro precision", unit, micro, _precision_of),
        SumMetric("micro_recall", "micro recall", unit, micro, _recall_of),
        SumMetric("micro_f1", "micro F1", unit, micro, _f1_of),
        _macro("macro_f1", "macro F1", unit, counts),
    ]
    if (positive is not None and len(labels) == 1) if has_f1 is None else has_f1:
        metrics.append(SumMetric("f1", "F1", unit, micro, _f1_of))
    return metrics


def multi_label_metrics(
    gold: Sequence[Collection[str]],
    predicted: Sequence[Collection[str]],
    *,
    groups: Sequence[str],
    labels: Sequence[str],
) -> list[Metric]:
    """Return the metrics of texts with any number of labels, such as the sentences of abstracts.

    By text: micro_f1, macro_f1 and subset_accuracy (all labels right, none missing). By document, whose labels are the
    union over its texts: document_micro_f1 and document_macro_f1 over all pairs of document and label, the former as
    BLURB scores the Hallmarks of Cancer (Gu et al. 2021), and document_example_f1 as BLUE does (Peng et al. 2019,
    `blue/eval_hoc.py`): the harmonic mean of mean precision and mean recall over documents.

    In BLUE's score the precision of a document without predicted labels is 0. Its program stops at documents without
    gold labels, and its test file has none; they are no units of this score, so that predictions for them change
    nothing. The other document scores count what is predicted for them. Macro means are over the labels that occur in
    gold or predicted, in resamples over those that occur in the resample.

    Args:
        gold: the true labels of each text.
        predicted: the labels found for each text.
        groups: the document that each text belongs to.
        labels: all labels there are.
    """
    check_lengths(gold=gold, predicted=predicted, groups=groups)
    truth, found = _marks(gold, labels), _marks(predicted, labels)
    names, place = np.unique(np.array(groups, dtype=str), return_inverse=True)
    document_truth, document_found = _union(truth, place, len(names)), _union(found, place, len(names))
    counts, document_counts = _counts(truth, found), _counts(document_truth, document_found)
    return [
        SumMetric("micro_f1", "micro F1", "examples", counts.sum(axis=1), _f1_of),
        _macro("macro_f1", "macro F1", "examples", counts),
        mean_metric("subset_accuracy", "exact accuracy", "examples", (truth == found).all(axis=1).astype(np.float64)),
        SumMetric("document_micro_f1", "document micro F1", "documents", document_counts.sum(axis=1), _f1_of),
        _example_f1(document_counts.sum(axis=1)),
        _macro("document_macro_f1", "document macro F1", "documents", document_counts),
    ]


def per_label(
    gold: Sequence[Collection[str]], predicted: Sequence[Collection[str]]
) -> dict[str, dict[str, float | int]]:
    """Return precision, recall, f1, gold, predicted and correct for each label that occurs, labels sorted.

    A unit's labels are a string where it has one, and a collection of strings where it may have several.

    >>> per_label(["yes", "no"], ["yes", "yes"])["yes"]
    {'precision': 0.5, 'recall': 1.0, 'f1': 0.6666666666666666, 'gold': 1, 'predicted': 2, 'correct': 1}
    """
    check_lengths(gold=gold, predicted=predicted)
    truth, found = [_label_set(row) for row in gold], [_label_set(row) for row in predicted]
    labels = sorted(set().union(*truth, *found))
    sums = _counts(_marks(truth, labels), _marks(found, labels)).sum(axis=0).astype(np.int64)
    return {label: _label_score(*row) for label, row in zip(labels, sums.tolist(), strict=True)}


def _chosen(choices: Sequence[str], labels: Sequence[str]) -> Marks:
    """Return which of the labels was chosen, none where it is not among them."""
    marks: Marks = np.array(choices, dtype=object)[:, np.newaxis] == np.array(labels, dtype=object)
    return marks


def _counts(truth: Marks, found: Marks) -> Array:
    """Return what each unit adds for each label: (units, labels, 3), in the order correct, predicted, gold."""
    return np.stack([truth & found, found, truth], axis=2).astype(np.float64)


def _macro(name: str, title: str, unit: str, counts: Array) -> SumMetric:
    n_units, n_labels, n_counts = counts.shape
    return SumMetric(name, title, unit, counts.reshape(n_units, n_labels * n_counts), _macro_f1_of)


def _marks(rows: Sequence[Collection[str]], labels: Sequence[str]) -> Marks:
    """Return which labels each unit has."""
    position = {label: index for index, label in enumerate(labels)}
    marks = np.zeros((len(rows), len(labels)), dtype=np.bool_)
    for index, row in enumerate(rows):
        for label in row:
            if label not in position:
                known = ", ".join(labels) or "none"
                raise BadSetting(f"unit {index} (counted from 0) has the label {label!r}", f"give one of: {known}")
            marks[index, position[label]] = True
    return marks


def _union(marks: Marks, place: npt.NDArray[np.int64], n_groups: int) -> Marks:
    """Return which labels any unit of each group has: (groups, labels)."""
    union = np.zeros((n_groups, marks.shape[1]), dtype=np.bool_)
    np.logical_or.at(union, place, marks)
    return union


def _example_f1(counts: Array) -> SumMetric:
    """Return BLUE's score from the counts of documents: (documents, 3). Its units are those with gold labels."""
    counts = counts[counts[:, GOLD] > 0]
    parts = np.stack([_precision_of(counts), _recall_of(counts), np.ones(len(counts))], axis=1)
    return SumMetric("document_example_f1", "document example-based F1", "documents", parts, _example_f1_of)


def _label_set(row: Collection[str]) -> set[str]:
    return {row} if isinstance(row, str) else set(row)


def _label_score(correct: int, predicted: int, gold: int) -> dict[str, float | int]:
    tally = Tally(gold, predicted, correct, confirmed=correct, precision_base=predicted, recall_base=gold)
    scores = {"precision": tally.precision, "recall": tally.recall, "f1": tally.f1}
    return {**scores, "gold": gold, "predicted": predicted, "correct": correct}


def _precision_of(sums: Array) -> Array:
    return ratio(sums[..., CORRECT], sums[..., PREDICTED])


def _recall_of(sums: Array) -> Array:
    return ratio(sums[..., CORRECT], sums[..., GOLD])


def _f1_of(sums: Array) -> Array:
    return ratio(2 * sums[..., CORRECT], sums[..., PREDICTED] + sums[..., GOLD])


def _macro_f1_of(sums: Array) -> Array:
    by_label = sums.reshape(*sums.shape[:-1], sums.shape[-1] // N_COUNTS, N_COUNTS)
    occurs = by_label[..., PREDICTED] + by_label[..., GOLD] > 0
    return ratio(_f1_of(by_label).sum(axis=-1), occurs.sum(axis=-1).astype(np.float64))


def _example_f1_of(sums: Array) -> Array:
    precision, recall, n_documents = np.moveaxis(sums, -1, 0)
    precision, recall = ratio(precision, n_documents), ratio(recall, n_documents)
    return ratio(2 * precision * recall, precision + recall)
