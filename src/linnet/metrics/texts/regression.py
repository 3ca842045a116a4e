"""How well do predicted numbers, such as the similarity of two sentences, follow the true ones?

Correlations are exact under any weights: means, variances and ranks are those of the sample in which each unit occurs
as often as its weight says. A correlation with values that are all equal is undefined and counts as 0.0: nothing
follows from a constant.
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
        """How many units there are."""
        return len(self.gold)

    def __call__(self, weights: Array) -> Array:
        """Return the correlations of weighted units: (resamples, units) to (resamples,), 0.0 where one is constant."""
        if self.of_ranks:
            return _correlation(_ranks(self.gold, weights), _ranks(self.predicted, weights), weights)
        return _correlation(self.gold, self.predicted, weights)


def regression_metrics(gold: Sequence[float], predicted: Sequence[float]) -> list[Metric]:
    """Return the metrics pearson, spearman and mse (mean squared error, lower is better) of predicted numbers.

    Correlations are 0.0 where either column is constant, and all three are where there are no units.

    >>> from linnet.metrics.texts.resampled import plain_value
    >>> [plain_value(metric) for metric in regression_metrics([0, 2, 4], [1, 3, 5])]
    [1.0, 1.0, 1.0]
    """
    check_lengths(gold=gold, predicted=predicted)
    truth, found = _finite(gold, "gold"), _finite(predicted, "predicted")
    return [
        Correlation("pearson", "Pearson", _scaled(truth), _scaled(found)),
        Correlation("spearman", "Spearman", truth, found, of_ranks=True),
        mean_metric("mse", "mean squared error", "examples", (truth - found) ** 2, higher_is_better=False),
    ]


def _finite(values: Sequence[float], column: str) -> Array:
    numbers = np.array(values, dtype=np.float64)
    unknown = np.flatnonzero(~np.isfinite(numbers))
    if unknown.size:
        found = f"{column} value {unknown[0]} (counted from 0) is {numbers[unknown[0]]}"
        raise BadSetting(found, "give finite numbers; leave out units whose value is unknown, in both columns")
    return numbers


def _scaled(values: Array) -> Array:
    """Return the values around 0 and at most 2 in size, which changes no correlation and loses no digits later."""
    if not values.size:
        return values
    scaled: Array = values / (np.abs(values).max() or 1.0)
    scaled -= scaled.mean()
    return scaled


def _ranks(values: Array, weights: Array) -> Array:
    """Return the mean rank of each unit in each resample: (units,) and (resamples, units) to (resamples, units).

    Of equal values with total weight w, and b units below them, the ranks are b + 1 to b + w, their mean b + (w + 1)/2.
    """
    different, place = np.unique(values, return_inverse=True)
    if not different.size:
        return np.zeros_like(weights)
    order = np.argsort(place, kind="stable")
    starts = np.searchsorted(place[order], np.arange(len(different)))
    copies = np.add.reduceat(weights[:, order], starts, axis=1)
    ranks: Array = (np.cumsum(copies, axis=1) - copies + (copies + 1) / 2)[:, place]
    return ranks


def _correlation(a: Array, b: Array, weights: Array) -> Array:
    """Return the weighted correlation; `a`, `b`: (units,) or (resamples, units), `weights`: (resamples, units)."""
    a_apart, b_apart = _apart(a, weights), _apart(b, weights)
    together = (weights * a_apart * b_apart).sum(axis=1)
    spread = np.sqrt((weights * a_apart**2).sum(axis=1) * (weights * b_apart**2).sum(axis=1))
    is_defined = _varies(a, weights) & _varies(b, weights)
    return np.clip(ratio(np.where(is_defined, together, 0.0), spread), -1.0, 1.0)


def _apart(values: Array, weights: Array) -> Array:
    """Return how far each value is from the weighted mean of its resample: (resamples, units)."""
    means = ratio((weights * values).sum(axis=1), weights.sum(axis=1))
    return values - means[:, np.newaxis]


def _varies(values: Array, weights: Array) -> npt.NDArray[np.bool_]:
    """Return whether the drawn values differ, told exactly: rounding makes the variance of equal values positive."""
    highest = np.where(weights > 0, values, -np.inf).max(axis=1, initial=-np.inf)
    lowest = np.where(weights > 0, values, np.inf).min(axis=1, initial=np.inf)
    varies: npt.NDArray[np.bool_] = highest > lowest
    return varies
