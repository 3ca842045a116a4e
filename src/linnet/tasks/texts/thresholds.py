"""Tunes the thresholds of multi-label classification on devel.

A text has a label where its probability reaches the threshold. The best threshold on devel is chosen from the grid
0.05, 0.10 .. 0.95, by the micro F1 of documents: the score that BLURB reports for the Hallmarks of Cancer (Gu et al.
2021). A document has the labels of all its texts, so it has a label if the highest probability among them reaches the
threshold.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from linnet.metrics.texts.resampled import check_lengths

__all__ = ["GRID", "tune_thresholds"]

N_STEPS = 20
GRID = tuple(step / N_STEPS for step in range(1, N_STEPS))  # 0.05 .. 0.95
MIDDLE = len(GRID) // 2  # position of 0.5

Numbers = npt.NDArray[np.float64]  # (documents, labels)
Marks = npt.NDArray[np.bool_]  # (documents, labels)


def tune_thresholds(
    outputs: Sequence[Mapping[str, float]],
    gold: Sequence[Collection[str]],
    labels: Sequence[str],
    *,
    groups: Sequence[str],
    shared: bool = True,
) -> dict[str, float]:
    """Return the least probability of each label that gives the highest micro F1 of documents.

    Among equals the one nearest to 0.5 is taken, and the higher of two that are equally near. Where nothing can be
    learned (no texts, no label right at any threshold) it is 0.5.

    Args:
        outputs: the probability of each label, for each text of devel.
        gold: the true labels of each text.
        labels: all labels there are.
        groups: the document that each text belongs to.
        shared: one threshold for all labels, or else one for each. The latter start from the shared one and are
            improved one after another until none improves the score; few texts of a label make them overfit.

    >>> tune_thresholds([{"a": 0.4}, {"a": 0.1}], [("a",), ()], ["a"], groups=["1", "2"])
    {'a': 0.4}
    """
    check_lengths(outputs=outputs, gold=gold, groups=groups)
    document_of = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    highest: Numbers = np.zeros((len(document_of), len(labels)))
    truth: Marks = np.zeros(highest.shape, dtype=np.bool_)
    for output, right, group in zip(outputs, gold, groups, strict=True):
        document = document_of[group]
        highest[document] = np.maximum(highest[document], [output[label] for label in labels])
        truth[document] |= [label in right for label in labels]
    together = _best(lambda at: _micro_f1(highest >= GRID[at], truth))
    chosen = [together] * len(labels)
    if not shared:
        chosen = _one_by_one(highest, truth, chosen)
    return {label: GRID[at] for label, at in zip(labels, chosen, strict=True)}


def _best(score: Callable[[int], float]) -> int:
    """Return the position on the grid with the highest score, by the rule for equals."""
    return max(range(len(GRID)), key=lambda at: (score(at), -abs(at - MIDDLE), at))


def _one_by_one(highest: Numbers, truth: Marks, start: Sequence[int]) -> list[int]:
    """Return a position for each label, from which no change of a single one is better.

    It ends: each change raises the score, or keeps it and comes nearer to the middle (or to its upper side).
    """
    chosen, last = list(start), None
    while chosen != last:
        last = list(chosen)
        for label in range(len(chosen)):
            found = highest >= np.array([GRID[at] for at in chosen])
            chosen[label] = _best(partial(_score_with, highest, truth, found, label))
    return chosen


def _score_with(highest: Numbers, truth: Marks, found: Marks, label: int, at: int) -> float:
    """Return the score if one label had another threshold."""
    found[:, label] = highest[:, label] >= GRID[at]
    return _micro_f1(found, truth)


def _micro_f1(found: Marks, truth: Marks) -> float:
    """Return 2 correct / (predicted + gold), 0.0 where there is neither; equal ratios give equal numbers."""
    n_labels = int(found.sum()) + int(truth.sum())
    return 2 * int((found & truth).sum()) / n_labels if n_labels else 0.0
