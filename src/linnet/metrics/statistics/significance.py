"""Significance tests of two systems on the same test units, and Holm's correction.

Both tests compare micro F1 of two systems on the same units and are two-sided. A p-value counts the observed difference
as one of the trials, (1 + as extreme) / (1 + trials), so it is never 0 (Davison & Hinkley 1997, chapter 4).

The tests tell whether the difference holds for other units of the same kind. They do not cover the variation over
random seeds: for that, train with several seeds and use `hierarchical`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from linnet.errors import BadSetting
from linnet.metrics.mentions.tally import N_PARTS, Array, Counts, f1_of
from linnet.metrics.statistics.bootstrap import (
    MOST_WEIGHTS,
    TOLERANCE,
    check_same_units,
    distinct_rows,
    percentile_interval,
    resampled_totals,
)

__all__ = ["Difference", "approximate_randomization", "holm", "paired_bootstrap"]


@dataclass(frozen=True, slots=True)
class Difference:
    """How much higher the second system's micro F1 is, its bootstrap interval and a two-sided p-value."""

    difference: float
    low: float
    high: float
    p_value: float
    n_units: int


def paired_bootstrap(
    a: Counts, b: Counts, *, n_resamples: int = 10_000, seed: int = 0, confidence: float = 0.95
) -> Difference:
    """Return how b differs from a, tested by drawing units with replacement, the same for both.

    A resample is as extreme if its difference is at least as far from the observed difference as that is from 0:
    the resampled differences, shifted to a mean of 0, represent the null hypothesis.
    Source: Efron & Tibshirani 1993, chapter 16; Berg-Kirkpatrick, Burkett & Klein 2012 (one-sided there).
    """
    rows = _pair_rows(a, b, n_resamples)
    observed = float(_subtract_f1(rows.sum(axis=0)))
    differences = _subtract_f1(resampled_totals(rows, n_resamples=n_resamples, seed=seed))
    return _build_difference(observed, differences, differences - observed, confidence, a.n_units)


def approximate_randomization(
    a: Counts, b: Counts, *, n_resamples: int = 10_000, seed: int = 0, confidence: float = 0.95
) -> Difference:
    """Return how b differs from a, tested by exchanging the two systems' outputs in a random half of the units.

    An exchange is as extreme if its difference is at least as large as the observed one, in either direction.
    Source: Noreen 1989; Yeh 2000. Exchanging gives no interval: `low` and `high` are those of the paired bootstrap.
    """
    rows = _pair_rows(a, b, n_resamples)
    observed = float(_subtract_f1(rows.sum(axis=0)))
    differences = _subtract_f1(resampled_totals(rows, n_resamples=n_resamples, seed=seed))
    exchanged = _subtract_f1(_exchange_systems(rows, n_resamples, seed))
    return _build_difference(observed, differences, exchanged, confidence, a.n_units)


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Return the p-values adjusted for multiple testing, so that each can be compared with the usual threshold.

    The smallest is multiplied by their number, the next by one less, and so on; none falls below the one before it,
    none exceeds 1. The probability of any false alarm stays below the threshold, even if the tests are dependent.
    Source: Holm 1979.

    >>> holm({"welt": 0.01, "ins": 0.04, "isns": 0.03})
    {'welt': 0.03, 'ins': 0.06, 'isns': 0.06}
    """
    bad = {name: p_value for name, p_value in p_values.items() if not 0 <= p_value <= 1}
    if bad:
        raise BadSetting(f"not p-values: {bad}", "give numbers between 0 and 1")
    adjusted: dict[str, float] = {}
    largest = 0.0
    for rank, name in enumerate(sorted(p_values, key=lambda name: p_values[name])):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[name]))
        adjusted[name] = largest
    return {name: adjusted[name] for name in p_values}


def _pair_rows(a: Counts, b: Counts, n_resamples: int) -> Array:
    """Return the parts of both systems side by side: (units, 2 * 4)."""
    if n_resamples < 1:
        raise BadSetting(f"n_resamples is {n_resamples}", "a test needs at least 1, and better 1,000")
    check_same_units([a, b])
    return np.hstack([a.micro_parts(), b.micro_parts()])


def _subtract_f1(totals: Array) -> Array:
    """Return F1 of the second system minus F1 of the first: (..., 2 * 4) to (...)."""
    return f1_of(totals[..., N_PARTS:]) - f1_of(totals[..., :N_PARTS])


def _exchange_systems(rows: Array, n_resamples: int, seed: int) -> Array:
    """Return both systems' sums after each round of exchanges: (n_resamples, 2 * 4)."""
    totals = np.tile(rows.sum(axis=0), (n_resamples, 1))
    gains = rows[:, N_PARTS:] - rows[:, :N_PARTS]
    distinct, copies = distinct_rows(gains[gains.any(axis=1)])
    if not len(distinct):
        return totals
    generator = np.random.default_rng(seed)
    step = max(1, MOST_WEIGHTS // len(distinct))
    for start in range(0, n_resamples, step):
        size = min(step, n_resamples - start)
        moved = generator.binomial(copies, 0.5, size=(size, len(distinct))) @ distinct
        totals[start : start + size] += np.hstack([moved, -moved])
    return totals


def _build_difference(
    observed: float, differences: Array, under_null: Array, confidence: float, n_units: int
) -> Difference:
    n_extreme = int(np.count_nonzero(np.abs(under_null) >= abs(observed) - TOLERANCE))
    fewest = 2.0 ** (1 - n_units)  # a sign test of n units cannot have a lower p-value: 1 unit shows nothing
    low, high = percentile_interval(differences, confidence)
    return Difference(
        difference=observed,
        low=float(low),
        high=float(high),
        p_value=min(1.0, max((1 + n_extreme) / (1 + len(under_null)), fewest)),
        n_units=n_units,
    )
