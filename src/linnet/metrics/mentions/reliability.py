"""Reliability of confidence: how often mentions of each confidence are right, and the expected calibration error.

Source: Guo et al., 2017, with ten bins of equal width over the predicted mentions.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

__all__ = ["Bin", "Reliability", "measure_reliability"]

N_BINS = 10


@dataclass(frozen=True, kw_only=True)
class Bin:
    """Predicted mentions whose confidence is above `low` and at most `high`."""

    low: float
    high: float
    mentions: int
    confidence: float  # their mean
    right: float  # share of them that is right


@dataclass(frozen=True)
class Reliability:
    """How far confidence can be taken as the probability of being right."""

    mentions: int
    ece: float | None  # expected calibration error; None without mentions
    bins: tuple[Bin, ...]  # those that are not empty

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"ece": self.ece, "mentions": self.mentions, "bins": [asdict(each) for each in self.bins]}


def measure_reliability(scores: Sequence[float], is_right: Sequence[bool]) -> Reliability:
    """Return how reliable scores are: the mean distance between confidence and share of right mentions, by bins.

    >>> measure_reliability([0.9, 0.9], [True, False]).ece
    0.4
    """
    values, right = np.array(scores, np.float64), np.array(is_right, bool)
    numbers = np.clip(np.ceil(values * N_BINS).astype(int) - 1, 0, N_BINS - 1)
    bins = []
    for number in np.unique(numbers):
        chosen = numbers == number
        bins.append(
            Bin(
                low=float(number) / N_BINS,
                high=(float(number) + 1) / N_BINS,
                mentions=int(chosen.sum()),
                confidence=round(float(values[chosen].mean()), 6),
                right=round(float(right[chosen].mean()), 6),
            )
        )
    ece = sum(each.mentions * abs(each.confidence - each.right) for each in bins) / len(values) if bins else None
    return Reliability(len(values), None if ece is None else round(ece, 6), tuple(bins))
