"""Metrics of classification and multi-label classification: accuracy, precision, recall and F1.

Texts with one label (relations, inference, most classification) are scored by `classification_metrics`, texts with any
number of labels by `multi_label_metrics`. All scores are computed from three counts per unit and label: correct,
predicted and gold. F1 is 2 correct / (predicted + gold), and 0.0 for a label that is neither gold nor predicted.
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

LabelMatrix = npt.NDArray[np.bool_]  # (units, labels): does the unit have the label?


def classification_metrics(
    gold: Sequence[str],
    predicted: Sequence[str],
    *,
    positive: Collection[str] | None = None,
    has_f1: bool | None = None,
    unit: str = "examples",
) -> list[Metric]:
    """Return the metrics of texts with one label each.

    They are accuracy, micro_precision, micro_recall, micro_f1, macro_f1, and f1 (another name of micro F1, for tasks
    with one positive label).
    Micro scores count all positive labels alike. Macro F1 is the plain mean over the positive labels that occur in gold
    or predicted, in a resample over those that occur in the resample.

    Args:
        gold: the gold label of each unit.
        predicted: the predicted label of each unit.
        positive: the labels that precision, recall and F1 count. By default all, and then micro F1 equals accuracy.
        has_f1: is f1 among the metrics? By default if `positive` is exactly one label.
        unit: the name of a unit in reports.

    >>> from linnet.metrics.texts.resampled import plain_value
    >>> gold, predicted = ["CPR:3", "false", "CPR:4"], ["CPR:3", "CPR:4", "false"]
    >>> metrics = classification_metrics(gold, predicted, positive=["CPR:3", "CPR:4"])
    >>> {metric.name: plain_value(metric) for metric in metrics if metric.name.startswith("micro")}
    {'micro_precision': 0.5, 'micro_recall': 0.5, 'micro_f1': 0.5}
    """
    check_lengths(gold=gold, predicted=predicted)
    labels = sorted({*gold, *predicted} if positive is None else set(positive))
    counts = _count(_mark_choices(gold, labels), _mark_choices(predicted, labels))
    is_right = [float(true == chosen) for true, chosen in zip(gold, predicted, strict=True)]
    micro = counts.sum(axis=1)
    metrics: list[Metric] = [
        mean_metric("accuracy", "accuracy", unit, is_right),
        SumMetric(name="micro_precision", title="micro precision", unit=unit, parts=micro, value=_precision_of),
        SumMetric(name="micro_recall", title="micro recall", unit=unit, parts=micro, value=_recall_of),
        SumMetric(name="micro_f1", title="micro F1", unit=unit, parts=micro, value=_f1_of),
        _macro_metric("macro_f1", "macro F1", unit, counts),
    ]
    if (positive is not None and len(labels) == 1) if has_f1 is None else has_f1:
        metrics.append(SumMetric(name="f1", title="F1", unit=unit, parts=micro, value=_f1_of))
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
    gold labels, and its test file has none; here they are not units of this score, so predictions for them have no
    effect. The other document scores count the predictions for them. Macro means are over the labels that occur in
    gold or predicted, in resamples over those that occur in the resample.

    Args:
        gold: the gold labels of each text.
        predicted: the predicted labels of each text.
        groups: the document that each text belongs to.
        labels: all labels.
    """
    check_lengths(gold=gold, predicted=predicted, groups=groups)
    is_gold, is_predicted = _mark_labels(gold, labels), _mark_labels(predicted, labels)
    names, group = np.unique(np.array(groups, dtype=str), return_inverse=True)
    counts = _count(is_gold, is_predicted)
    by_document = _count(*(_unite_groups(matrix, group, len(names)) for matrix in (is_gold, is_predicted)))
    micro, document_micro = counts.sum(axis=1), by_document.sum(axis=1)
    is_exact = (is_gold == is_predicted).all(axis=1).astype(np.float64)
    return [
        SumMetric(name="micro_f1", title="micro F1", unit="examples", parts=micro, value=_f1_of),
        _macro_metric("macro_f1", "macro F1", "examples", counts),
        mean_metric("subset_accuracy", "exact accuracy", "examples", is_exact),
        SumMetric(
            name="document_micro_f1", title="document micro F1", unit="documents", parts=document_micro, value=_f1_of
        ),
        _example_f1_metric(document_micro),
        _macro_metric("document_macro_f1", "document macro F1", "documents", by_document),
    ]


def per_label(
    gold: Sequence[Collection[str]], predicted: Sequence[Collection[str]]
) -> dict[str, dict[str, float | int]]:
    """Return precision, recall, f1, gold, predicted and correct for each label that occurs, labels sorted.

    The labels of a unit are a string for a single label, or a collection of strings.

    >>> per_label(["yes", "no"], ["yes", "yes"])["yes"]
    {'precision': 0.5, 'recall': 1.0, 'f1': 0.6666666666666666, 'gold': 1, 'predicted': 2, 'correct': 1}
    """
    check_lengths(gold=gold, predicted=predicted)
    gold_sets, predicted_sets = [_as_set(row) for row in gold], [_as_set(row) for row in predicted]
    labels = sorted(set().union(*gold_sets, *predicted_sets))
    is_gold, is_predicted = _mark_labels(gold_sets, labels), _mark_labels(predicted_sets, labels)
    sums = _count(is_gold, is_predicted).sum(axis=0).astype(np.int64)
    return {label: _score_label(*row) for label, row in zip(labels, sums.tolist(), strict=True)}


def _mark_choices(choices: Sequence[str], labels: Sequence[str]) -> LabelMatrix:
    """Return which of the labels each unit has, none if its label is not among them."""
    matrix: LabelMatrix = np.array(choices, dtype=object)[:, np.newaxis] == np.array(labels, dtype=object)
    return matrix


def _count(is_gold: LabelMatrix, is_predicted: LabelMatrix) -> Array:
    """Return the counts of each unit and label: (units, labels, 3), in the order correct, predicted, gold."""
    return np.stack([is_gold & is_predicted, is_predicted, is_gold], axis=2).astype(np.float64)


def _macro_metric(name: str, title: str, unit: str, counts: Array) -> SumMetric:
    n_units, n_labels, n_counts = counts.shape
    parts = counts.reshape(n_units, n_labels * n_counts)
    return SumMetric(name=name, title=title, unit=unit, parts=parts, value=_macro_f1_of)


def _mark_labels(rows: Sequence[Collection[str]], labels: Sequence[str]) -> LabelMatrix:
    """Return which labels each unit has."""
    position = {label: index for index, label in enumerate(labels)}
    matrix = np.zeros((len(rows), len(labels)), dtype=np.bool_)
    for index, row in enumerate(rows):
        for label in row:
            if label not in position:
                known = ", ".join(labels) or "none"
                raise BadSetting(f"unit {index} (counted from 0) has the label {label!r}", f"give one of: {known}")
            matrix[index, position[label]] = True
    return matrix


def _unite_groups(matrix: LabelMatrix, group: npt.NDArray[np.int64], n_groups: int) -> LabelMatrix:
    """Return which labels any unit of each group has: (groups, labels)."""
    union = np.zeros((n_groups, matrix.shape[1]), dtype=np.bool_)
    np.logical_or.at(union, group, matrix)
    return union


def _example_f1_metric(counts: Array) -> SumMetric:
    """Return BLUE's score from the counts of documents: (documents, 3). Its units are those with gold labels."""
    counts = counts[counts[:, GOLD] > 0]
    parts = np.stack([_precision_of(counts), _recall_of(counts), np.ones(len(counts))], axis=1)
    return SumMetric(
        name="document_example_f1",
        title="document example-based F1",
        unit="documents",
        parts=parts,
        value=_example_f1_of,
    )


def _as_set(row: Collection[str]) -> set[str]:
    return {row} if isinstance(row, str) else set(row)


def _score_label(correct: int, predicted: int, gold: int) -> dict[str, float | int]:
    tally = Tally(correct=correct, confirmed=correct, precision_base=predicted, recall_base=gold)
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
