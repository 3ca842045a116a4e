"""Confidence intervals of scores between 0 and 1: Wilson intervals with an effective number of trials.

A score theta whose variance over units is V is treated like a share of n_eff = theta * (1 - theta) / V independent
trials, which gives the interval of Wilson (1927). It stays between 0 and 1 and contains the score. V comes from
bootstrap resamples of the units and is enlarged by n / (n - 1), because resamples of n units vary too little.

V is itself an estimate, so that the quantile is that of Student's t. Its degrees of freedom are those of a variance
whose estimate varies as much as this one: 2 (sum u^2)^2 / (sum u^4 - (sum u^2)^2 / n), where u is the influence of a
unit, measured by leaving it out. That is about n for normal influences, and about 2 if one unit has all the errors.

Where V is 0 (every unit is right, or every unit is wrong), n_eff is the number of units. The lower end of 100 % of n
units is then n / (n + 3.84) for large n, close to the rule of three (Hanley & Lippman-Hand 1983). Fewer than
`FEWEST_UNITS` units give no interval: `benchmarks/intervals.py` measures how often intervals cover the true score.
"""

import math

import numpy as np
from scipy.special import stdtrit  # not scipy.stats: it takes a second to import

from linnet.errors import BadSetting
from linnet.metrics.mentions.tally import Array

__all__ = ["FEWEST_UNITS", "Interval", "degrees_of_freedom", "share_interval", "wilson_interval"]

FEWEST_UNITS = 5  # with a mention of the label; with fewer an interval would say next to nothing
TOLERANCE = 1e-12  # smaller variances and distances from 0 and 1 are rounding errors

Interval = tuple[float, float]


def share_interval(
    value: float,
    resampled: Array,
    left_out: Array | None = None,
    *,
    n_units: int,
    most_trials: float = math.inf,
    confidence: float = 0.95,
) -> Interval | None:
    """Return the confidence interval of a score between 0 and 1, None for fewer than `FEWEST_UNITS` units.

    Args:
        value: the score.
        resampled: the scores of bootstrap resamples in which it is defined.
        left_out: the score without each unit, for the degrees of freedom; without it they are n_units - 1.
        n_units: the number of units that the score depends on.
        most_trials: an upper limit of the effective number of trials, such as the number of mentions.
        confidence: of the interval.
    """
    if not 0 < confidence < 1:
        raise BadSetting(f"confidence is {confidence}", "give a share between 0 and 1, e.g. 0.95")
    if n_units < FEWEST_UNITS:
        return None
    variance = float(resampled.var(ddof=1)) * n_units / (n_units - 1) if len(resampled) > 1 else 0.0
    binomial = value * (1 - value)
    if variance <= TOLERANCE**2 or binomial <= TOLERANCE:
        n_effective, degrees = float(n_units), n_units - 1.0
    else:
        n_effective = min(binomial / variance, max(most_trials, 1.0))
        degrees = n_units - 1.0 if left_out is None else degrees_of_freedom(left_out)
    quantile = float(stdtrit(degrees, (1 + confidence) / 2))
    return wilson_interval(value, n_effective, quantile)


def wilson_interval(value: float, n_trials: float, quantile: float) -> Interval:
    """Return the interval of a share in so many trials (Wilson 1927); it contains the share.

    >>> low, high = wilson_interval(1.0, 100, 1.96)
    >>> round(low, 3), high
    (0.963, 1.0)
    """
    weight = quantile**2 / n_trials
    middle = (value + weight / 2) / (1 + weight)
    half = math.sqrt(max(value * (1 - value), 0.0) * weight + weight**2 / 4) / (1 + weight)
    return min(max(middle - half, 0.0), value), max(min(middle + half, 1.0), value)


def degrees_of_freedom(left_out: Array) -> float:
    """Return the degrees of freedom of a variance, from the scores without each unit: 1 to n - 1."""
    n_units = len(left_out)
    ordered = np.sort(left_out)  # so that the sums do not depend on the order of the units
    influences = ordered - ordered.mean()
    second, fourth = float((influences**2).sum()), float((influences**4).sum())
    spread = fourth - second**2 / n_units
    most = max(n_units - 1.0, 1.0)
    if second <= TOLERANCE**2 or spread <= TOLERANCE * second**2:
        return most
    return min(max(2 * second**2 / spread, 1.0), most)
