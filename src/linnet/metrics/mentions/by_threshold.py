"""Precision, recall and F1 of the mentions that reach a confidence, threshold by threshold."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["THRESHOLDS", "ThresholdScores", "score_thresholds"]

THRESHOLDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)


@dataclass(frozen=True, kw_only=True)
class ThresholdScores:
    """Scores of the mentions whose confidence is at least `min_score`; precision is None where none are left."""

    min_score: float
    precision: float | None
    recall: float
    f1: float
    mentions: int


def score_thresholds(scores: Sequence[float], is_right: Sequence[bool], *, gold: int) -> Iterator[ThresholdScores]:
    """Yield the scores at each threshold.

    Args:
        scores: the confidence of each predicted mention.
        is_right: whether each is right.
        gold: the number of gold mentions.

    >>> at = {each.min_score: each for each in score_thresholds([0.9, 0.4], [True, False], gold=2)}
    >>> at[0.0].precision, at[0.5].precision, at[0.5].recall, at[0.5].mentions
    (0.5, 1.0, 0.5, 1)
    """
    for least in THRESHOLDS:
        kept = [right for score, right in zip(scores, is_right, strict=True) if score >= least]
        correct, predicted = sum(kept), len(kept)
        yield ThresholdScores(
            min_score=least,
            precision=correct / predicted if predicted else None,
            recall=correct / gold if gold else 0.0,
            f1=2 * correct / (predicted + gold) if predicted + gold else 0.0,
            mentions=predicted,
        )
