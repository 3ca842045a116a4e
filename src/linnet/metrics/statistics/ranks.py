"""Rank-based comparison of runs: the exact test of Mann and Whitney over seeds, and Fisher's exact test of shares.

Where some runs turn out very differently from the others, their scores have heavy tails or two peaks, and the mean
differs from seed to seed by chance. Ranks do not depend on how far off such a run is. The systems' seeds are compared
as two samples, since with few seeds paired ranks can never be significant (the smallest p-value of five pairs is
0.0625; that of two samples of five is 0.008). Pairing would only help if the same seed did well in both systems.
"""

from dataclasses import replace
from functools import lru_cache
from math import comb, inf, sqrt

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri, stdtr  # not scipy.stats: it takes a second to import

from linnet.metrics.mentions.tally import Array
from linnet.metrics.statistics.hierarchical import PairedDifference
from linnet.metrics.statistics.spread import Spread, find_zero

__all__ = ["RankSpread", "by_ranks", "fisher_exact"]


class RankSpread(Spread):
    """The error of the median difference between the runs of two systems, by ranks over seeds.

    The deviate of the rank test over seeds and that of the units are joined as variances are: 1 / z^2 is the sum of
    both 1 / z^2. Power is that of the components, to which ranks come close (95.5 % for normal scores).
    """

    def __init__(self, spread: Spread, a: Array, b: Array) -> None:
        super().__init__(spread.components)
        self.apart: Array = np.subtract.outer(b, a)  # (seeds, seeds)
        self.difference = float(np.median(self.apart))  # the estimate of Hodges and Lehmann

    def least_p(self, times_seeds: float = 1.0) -> float:
        """Return the p-value of two samples without overlap, with so many times the seeds."""
        n_seeds = round(times_seeds * len(self.apart))
        return 2 / comb(2 * n_seeds, n_seeds)

    def p_value(self, difference: float) -> float:
        """Return the two-sided p-value, if the median difference were moved to this value."""
        moved = difference - self.difference
        return min(1.0, 2 * min(self._above(-moved), self._below(-moved)))

    def p_equivalent(self, difference: float, margin: float) -> float:
        """Return the p-value against a true difference of `margin` or more, either way (two one-sided tests)."""
        moved = difference - self.difference
        return max(self._above(-margin - moved), self._below(margin - moved))

    def half_width(self, confidence: float) -> float:
        """Return the larger distance from the median difference to an end of the interval."""
        low, high = self.interval(confidence)
        return max(self.difference - low, high - self.difference)

    def interval(self, confidence: float) -> tuple[float, float]:
        """Return the values that the test does not refuse; infinite ends where it refuses none."""
        alpha = 1 - confidence
        start = self.standard_error or float(np.abs(self.apart).max()) or 1.0
        down = find_zero(lambda far: 2 * self._above(self.difference - far) - alpha, start=start)
        up = find_zero(lambda far: 2 * self._below(self.difference + far) - alpha, start=start)
        return self.difference - down, self.difference + up

    def _above(self, value: float) -> float:
        """Return the p-value against a true difference of `value` or less."""
        return self._join(_rank_tail(self.apart > value), self.difference - value)

    def _below(self, value: float) -> float:
        return self._join(_rank_tail(self.apart < value), value - self.difference)

    def _join(self, p_of_seeds: float, distance: float) -> float:
        """Return one p-value of seeds and units, for a distance of the median difference from the value tested."""
        units = [each for each in self.components if not each.is_of_seeds and each.variance]
        if p_of_seeds >= 0.5 or distance <= 0:
            return max(p_of_seeds, 0.5)
        if not units:
            return p_of_seeds
        if any(not each.degrees for each in units):
            return 0.5
        t_of_units = distance / sqrt(sum(each.variance for each in units))
        p_of_units = float(stdtr(min(each.degrees for each in units), -t_of_units))
        seeds, others = float(ndtri(p_of_seeds)), float(ndtri(p_of_units))
        return float(ndtr(-1 / sqrt(1 / seeds**2 + 1 / others**2))) if others > -inf else p_of_seeds


def by_ranks(test: PairedDifference, a: Array, b: Array, *, confidence: float = 0.95) -> PairedDifference:
    """Return a difference judged by ranks: the median over all pairs of runs, with its interval and p-value.

    With fewer than four seeds no difference can be significant, and the interval has no ends.

    Args:
        test: the same comparison by means, for the variance over units and for power.
        a: the baseline's scores: (seeds,); their means over places, if there are several.
        b: the other system's.
        confidence: of the interval.
    """
    if not test.spread.components:  # nothing varies
        return test
    spread = RankSpread(test.spread, np.asarray(a), np.asarray(b))
    low, high = spread.interval(confidence)
    return replace(
        test,
        difference=spread.difference,
        low=low,
        high=high,
        p_value=spread.p_value(spread.difference),
        spread=spread,
        spread_of_paired_seeds=None,
    )


def fisher_exact(first: int, n_first: int, second: int, n_second: int) -> float:
    """Return the two-sided p-value that two shares differ, first of n_first and second of n_second.

    Source: Fisher 1935; the tables that are at most as probable as the observed one are counted.

    >>> round(fisher_exact(0, 10, 4, 10), 4)
    0.0867
    """
    total, both = first + second, n_first + n_second
    ways = {at: comb(n_first, at) * comb(n_second, total - at) for at in range(max(0, total - n_second), total + 1)}
    return sum(number for number in ways.values() if number <= ways[first]) / comb(both, total)


def _rank_tail(is_won: npt.NDArray[np.bool_]) -> float:
    """Return how likely so many won pairs of runs are, or more, if both systems are alike; ties count as lost."""
    ways = _ways_to_win(*is_won.shape)
    return sum(ways[int(np.count_nonzero(is_won)) :]) / sum(ways)


@lru_cache(maxsize=128)
def _ways_to_win(n_first: int, n_second: int) -> tuple[int, ...]:
    """Return how many orders of the runs have 0, 1, ... won pairs (Mann & Whitney 1947)."""
    if not n_first or not n_second:
        return (1,)
    # the best run is of the first system and wins against all of the second, or it is of the second
    ways = [0] * (n_first * n_second + 1)
    for number, orders in enumerate(_ways_to_win(n_first - 1, n_second)):
        ways[number + n_second] += orders
    for number, orders in enumerate(_ways_to_win(n_first, n_second - 1)):
        ways[number] += orders
    return tuple(ways)
