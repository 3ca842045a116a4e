"""Metrics of regression: Pearson and Spearman correlation and mean squared error.

Correlations are exact under any weights: means, variances and ranks are those of the sample in which each unit occurs
as often as its weight says. A correlation with a constant column is undefined and counts as 0.0.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from linnet.errors import BadSetting
from linnet.metrics.mentions.tally import Array
from linnet.metrics.texts.resampled import Metric, check_lengths, mean_metric, ratio

__all__ = ["Correlation", "regression_metrics"]


@dataclass(frozen=True, eq=False)
class Correlation:
    """Pearson's correlation of two columns of numbers, each (units,), or of their ranks, which is Spearman's.

    Tied values share the mean of their ranks.
    """

    name: str
    title: str
    gold: Array
    predicted: Array
    of_ranks: bool = False
    unit: str = "examples"
    higher_is_better: bool = True

    @property
    def n_units(self) -> int:
        """The number of units."""
        return len(self.gold)

    def __call__(self, weights: Array) -> Array:
        """Return the correlations of weighted units: (resamples, units) to (resamples,), 0.0 for a constant column."""
        if self.of_ranks:
            return _correlate(_rank(self.gold, weights), _rank(self.predicted, weights), weights)
        return _correlate(self.gold, self.predicted, weights)


def regression_metrics(gold: Sequence[float], predicted: Sequence[float]) -> list[Metric]:
    """Return the metrics pearson, spearman and mse (mean squared error, lower is better) of predicted numbers.

    Correlations are 0.0 if either column is constant; all three are 0.0 if there are no units.

    >>> from linnet.metrics.texts.resampled import plain_value
    >>> [plain_value(metric) for metric in regression_metrics([0, 2, 4], [1, 3, 5])]
    [1.0, 1.0, 1.0]
    """
    check_lengths(gold=gold, predicted=predicted)
    right, found = _check_finite(gold, "gold"), _check_finite(predicted, "predicted")
    return [
        Correlation(name="pearson", title="Pearson", gold=_scale(right), predicted=_scale(found)),
        Correlation(name="spearman", title="Spearman", gold=right, predicted=found, of_ranks=True),
        mean_metric("mse", "mean squared error", "examples", (right - found) ** 2, higher_is_better=False),
    ]


def _check_finite(values: Sequence[float], column: str) -> Array:
    numbers = np.array(values, dtype=np.float64)
    unknown = np.flatnonzero(~np.isfinite(numbers))
    if unknown.size:
        found = f"{column} value {unknown[0]} (counted from 0) is {numbers[unknown[0]]}"
        raise BadSetting(found, "give finite numbers; leave out units whose value is unknown, in both columns")
    return numbers


def _scale(values: Array) -> Array:
    """Return the values around 0 and at most 2 in size, which keeps correlations the same and saves digits later."""
    if not values.size:
        return values
    scaled: Array = values / (np.abs(values).max() or 1.0)
    scaled -= scaled.mean()
    return scaled


def _rank(values: Array, weights: Array) -> Array:
    """Return the mean rank of each unit in each resample: (units,) and (resamples, units) to (resamples, units).

    Of equal values with total weight w, and b units below them, the ranks are b + 1 to b + w, their mean b + (w + 1)/2.
    """
    distinct, index = np.unique(values, return_inverse=True)
    if not distinct.size:
        return np.zeros_like(weights)
    order = np.argsort(index, kind="stable")
    starts = np.searchsorted(index[order], np.arange(len(distinct)))
    copies = np.add.reduceat(weights[:, order], starts, axis=1)
    ranks: Array = (np.cumsum(copies, axis=1) - copies + (copies + 1) / 2)[:, index]
    return ranks


def _correlate(a: Array, b: Array, weights: Array) -> Array:
    """Return the weighted correlation; `a`, `b`: (units,) or (resamples, units), `weights`: (resamples, units)."""
    a_centred, b_centred = _centre(a, weights), _centre(b, weights)
    covariance = (weights * a_centred * b_centred).sum(axis=1)
    spread = np.sqrt((weights * a_centred**2).sum(axis=1) * (weights * b_centred**2).sum(axis=1))
    is_defined = _varies(a, weights) & _varies(b, weights)
    return np.clip(ratio(np.where(is_defined, covariance, 0.0), spread), -1.0, 1.0)


def _centre(values: Array, weights: Array) -> Array:
    """Return the values minus the weighted mean of each resample: (resamples, units)."""
    means = ratio((weights * values).sum(axis=1), weights.sum(axis=1))
    return values - means[:, np.newaxis]


def _varies(values: Array, weights: Array) -> npt.NDArray[np.bool_]:
    """Do the drawn values differ? Compared exactly, because rounding makes the variance of equal values positive."""
    highest = np.where(weights > 0, values, -np.inf).max(axis=1, initial=-np.inf)
    lowest = np.where(weights > 0, values, np.inf).min(axis=1, initial=np.inf)
    varies: npt.NDArray[np.bool_] = highest > lowest
    return varies
