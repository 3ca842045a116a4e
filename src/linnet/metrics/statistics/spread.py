"""The error distribution of a measured difference whose variance is estimated: p-values, equivalence and intervals.

The error of a difference is normal, with a variance that is the sum of components: one of the seeds, one of the test
units, and so on. Each is estimated, with few degrees of freedom. A component whose estimate is V with d degrees of
freedom could truly be V d / X, where X is drawn from the chi-square distribution with d degrees. Probabilities are
averaged over these possible variances. With one component this is Student's t. With two it is the solution of Behrens
and Fisher, which has at most the stated rate of errors, also where one component is small by chance. Welch's
approximation by one number of degrees does not: it has too many false positives with three or four seeds.

One component is computed exactly. The average over several is over a fixed lattice of points, so that the same data
give the same result.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import inf, sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import chdtri, ndtr, stdtr, stdtrit  # not scipy.stats: it takes a second to import

from linnet.metrics.mentions.tally import Array

__all__ = [
    "Component",
    "Spread",
    "critical_distance",
    "find_zero",
    "possible_ratios",
    "possible_variances",
    "share_below",
]

N_POINTS = 2048
MOST_DEGREES = 1e6  # with more, a variance is as good as known
MOST_STEPS = 60  # of a search
EXACT = 1e-8  # a probability that differs by less is the same
# the square roots of primes are irrational, so that no two axes of the lattice go together
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107)


class Component(NamedTuple):
    """A part of the variance of a difference.

    `degrees` are those of the estimate: infinite if the variance is known, 0 if nothing is known about it.
    `is_of_seeds` tells the part of the seeds from that of the test units. `interaction` is what test units contribute
    to the part of the seeds, which becomes less with more units.
    """

    variance: float
    degrees: float
    is_of_seeds: bool = False
    interaction: float = 0.0


class Spread:
    """The error of a difference: normal, with the sum of the components as its variance."""

    def __init__(self, components: Sequence[Component]) -> None:
        self.components = tuple(each for each in components if each.variance or not each.degrees)
        self.standard_error = sqrt(sum(max(each.variance, 0.0) for each in self.components))

    def least_p(self, times_seeds: float = 1.0) -> float:
        """Return the smallest p-value that this test can give, with so many times the seeds."""
        return 0.0

    def p_value(self, difference: float) -> float:
        """Return the two-sided p-value of a difference against 0; 1 for no difference."""
        return 2 * self.below(-abs(difference)) if difference else 1.0

    def p_equivalent(self, difference: float, margin: float) -> float:
        """Return the p-value against a true difference of `margin` or more, either way (two one-sided tests)."""
        return self.below(abs(difference) - margin)

    def below(self, limit: float) -> float:
        """Return the probability of an error below the limit."""
        degrees = self._student
        if degrees is not None and self.standard_error:
            return float(stdtr(degrees, limit / self.standard_error))
        return float(share_below(limit, self.deviations).mean())

    def half_width(self, confidence: float) -> float:
        """Return half the width of the interval around the difference."""
        degrees = self._student
        if degrees is not None:
            return float(stdtrit(degrees, (1 + confidence) / 2)) * self.standard_error
        return critical_distance(self.deviations, 1 - confidence)

    @property
    def deviations(self) -> Array:
        """What the true standard error could be, at each point of the lattice."""
        parts = (possible_variances(each, at) for at, each in enumerate(self.components))
        return np.sqrt(sum(parts, np.zeros(N_POINTS)))

    @property
    def _student(self) -> float | None:
        """The degrees of freedom, where the distribution is Student's t."""
        if len(self.components) != 1 or not self.components[0].degrees or self.standard_error == inf:
            return None
        return self.components[0].degrees


def possible_variances(component: Component, axis: int) -> Array:
    """Return what the true variance could be, at each point of the lattice."""
    if component.degrees <= 0:
        return np.full(N_POINTS, inf)
    return component.variance * possible_ratios(component.degrees, axis)


@lru_cache(maxsize=256)
def possible_ratios(degrees: float, axis: int) -> Array:
    """Return degrees / X at each point of one axis of the lattice, X from the chi-square distribution."""
    if degrees > MOST_DEGREES:
        return np.ones(N_POINTS)
    steps = np.arange(N_POINTS)
    points = (steps + 0.5) / N_POINTS if axis == 0 else (steps * sqrt(PRIMES[axis % len(PRIMES)]) + 0.5) % 1
    return np.asarray(degrees / chdtri(degrees, points), dtype=np.float64)


def share_below(limit: float | Array, deviations: Array) -> Array:
    """Return the probability that an error lies below the limit, for each standard deviation."""
    if deviations.min() > 0:
        return np.asarray(ndtr(limit / deviations))
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Array = ndtr(np.where(deviations > 0, limit / deviations, np.sign(limit) * inf)).astype(np.float64)
    return np.nan_to_num(found, nan=0.5)


def critical_distance(deviations: Array, alpha: float) -> float:
    """Return the distance that an error exceeds with probability alpha."""
    largest = float(deviations.max(initial=0.0))
    if not largest or largest == inf:
        return largest
    start = 2 * float(np.median(deviations))
    return find_zero(
        lambda distance: float(2 * share_below(-distance, deviations).mean()) - alpha, start=start or largest
    )


def find_zero(excess: Callable[[float], float], start: float) -> float:
    """Return where a falling function is 0, at or above 0; infinity where it stays above 0."""
    low, high = 0.0, start
    at_low, at_high = excess(low), excess(high)
    if at_low <= 0:
        return 0.0
    while at_high > 0:
        low, high, at_low = high, 2 * high, at_high
        if high == inf:
            return inf
        at_high = excess(high)
    for _ in range(MOST_STEPS):  # regula falsi, with the halved value of the Illinois method
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        found = excess(middle)
        if abs(found) < EXACT:
            return middle
        if found > 0:
            low, at_low, at_high = middle, found, at_high / 2
        else:
            high, at_high, at_low = middle, found, at_low / 2
    return high
