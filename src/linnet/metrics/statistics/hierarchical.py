"""Hierarchical paired bootstrap: significance of a difference over random seeds and test units.

Two systems are trained with the same n seeds and scored on the same m units (documents or sentences). Units are drawn
with replacement, jointly for both systems and all seeds. The variance due to the seeds is estimated from their n paired
differences. Seeds and units are crossed random effects, so the variance of the mean difference is

    Var = S2 / n + max(V_units - V_inter, 0)

S2 is the sample variance of the differences over seeds, V_units the variance of the mean difference over resamples, and
V_inter the part of V_units that is the interaction of seeds and units, which S2 / n already contains. The decomposition
is that of multi-reader multi-case studies (Obuchowski & Rockette 1995). S2 has n - 1 degrees of freedom and the
resampled part m - 1; `spread.py` says how p-values and intervals follow from that. `docs/comparing-method.md` describes
the assumptions, the limits and simulations. All functions take arrays, so any score of units can be used; only
`resampled_scores` is for micro F1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri  # not scipy.stats: it takes a second to import

from linnet.errors import BadSetting
from linnet.metrics.mentions.tally import N_PARTS, Array, Counts, f1_of
from linnet.metrics.statistics.bootstrap import TOLERANCE, check_same_units, weight_chunks
from linnet.metrics.statistics.power import smallest_detectable
from linnet.metrics.statistics.spread import Component, Spread

__all__ = [
    "PairedDifference",
    "PairedScores",
    "build_difference",
    "check_scores",
    "count_effective_units",
    "count_outcomes",
    "paired_difference",
    "resampled_scores",
    "variance_components",
]


class PairedScores(NamedTuple):
    """The scores of baseline a and system b in one place, seed by seed, on all units and on each resample of them.

    `a` and `b`: (seeds,); `resampled_a` and `resampled_b`: (resamples, seeds), each row from one draw of the units.
    """

    a: Array
    b: Array
    resampled_a: Array
    resampled_b: Array


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """How much higher b scores than a on average, with its interval and a two-sided p-value.

    With one seed the spread covers the variation over units only, and `covers_seeds` tells so. With one unit nothing is
    known of other units: the p-value is 1 and the interval has no ends. A difference that is pooled over places with
    the same seeds has two readings, `spread` with independent seeds and `spread_of_paired_seeds`. Each figure is that
    of the reading that is more cautious about it.
    """

    difference: float
    low: float
    high: float
    p_value: float
    spread: Spread
    by_seed: tuple[float, ...]  # the difference with each seed; over several places, of the place with fewest seeds
    n_units: int
    wins: int  # pairs of runs in which b scores higher
    ties: int
    losses: int
    spread_of_paired_seeds: Spread | None = None

    @property
    def readings(self) -> tuple[Spread, ...]:
        """The spread, or both where the seeds of pooled places can be read in two ways."""
        return (self.spread,) if self.spread_of_paired_seeds is None else (self.spread, self.spread_of_paired_seeds)

    @property
    def n_seeds(self) -> int:
        """How many seeds were compared; over several places, the smallest number."""
        return len(self.by_seed)

    @property
    def standard_error(self) -> float:
        """The standard error of the difference."""
        return max(reading.standard_error for reading in self.readings)

    @property
    def covers_seeds(self) -> bool:
        """Could the variation over seeds be estimated?"""
        return self.n_seeds > 1

    def p_equivalent(self, margin: float) -> float:
        """Return the p-value against a true difference of `margin` or more, either way."""
        return max(reading.p_equivalent(self.difference, margin) for reading in self.readings)

    def smallest_detectable(self, *, family_size: int = 1, power: float = 0.8, alpha: float = 0.05) -> float:
        """Return the true difference that a comparison like this, made again, detects with probability `power`.

        A difference is detected if its p-value is below alpha / family_size, the strictest step of Holm's correction.
        """
        if family_size < 1:
            raise BadSetting(f"family_size is {family_size}", "give 1 or more")
        level = alpha / family_size
        return max(smallest_detectable(reading, alpha=level, power=power) for reading in self.readings)


def resampled_scores(counts: Sequence[Counts], *, n_resamples: int, seed: int) -> Array:
    """Return micro F1 of each system on each resample of the units: (n_resamples, len(counts)).

    All systems see the same draws of `unit_weights`, also those of another call with the same seed and units.
    """
    check_same_units(counts)
    rows = np.hstack([counted.micro_parts() for counted in counts])
    chunks = weight_chunks(len(rows), n_resamples=n_resamples, seed=seed)
    return np.concatenate([f1_of((weights @ rows).reshape(-1, len(counts), N_PARTS)) for weights in chunks])


def paired_difference(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    resampled_a: npt.ArrayLike,
    resampled_b: npt.ArrayLike,
    *,
    n_units: int,
    effective_units: float | None = None,
    confidence: float = 0.95,
) -> PairedDifference:
    """Return how system b differs from baseline a over seeds and units.

    If nothing varies (a standard error of 0), equal systems have a p-value of 1 and the interval [0, 0]. Different
    systems get the smallest p-value that the data allow, 1 / (1 + resamples) or 2 / 2^units (exchanging the systems in
    each unit), whichever is larger, and the corresponding standard error. With one unit the p-value is 1.

    Args:
        a: the baseline's scores: (seeds,).
        b: the other system's scores, in the same order of seeds.
        resampled_a: the baseline's scores on each resample of the units: (resamples, seeds).
        resampled_b: the other system's, under the same draws of units.
        n_units: how many units were scored.
        effective_units: how many units of equal size tell as much (`count_effective_units`), where sizes are known.
        confidence: of the interval.
    """
    scores = check_scores(a, b, resampled_a, resampled_b)
    differences = scores.b - scores.a
    resampled = scores.resampled_b - scores.resampled_a
    difference = float(differences.mean())
    effective = n_units if effective_units is None else effective_units
    components = variance_components(differences, *_variances_of_units(differences, resampled), n_units=effective)
    if n_units > 1 and sum(each.variance for each in components) <= TOLERANCE**2:
        components = [Component(_smallest_variance(difference, len(resampled), n_units), inf)]
    by_seed, outcomes = tuple(differences.tolist()), count_outcomes(differences)
    return build_difference(difference, Spread(components), by_seed, n_units, outcomes, confidence=confidence)


def count_effective_units(sizes: npt.ArrayLike) -> float:
    """Return how many units of equal size vary as much as these: the square of the sum by the sum of squares.

    A variance over a few large documents and many small ones is known as badly as one over a few. Source: Kish 1965.

    >>> count_effective_units([3, 3, 3]), count_effective_units([6, 1, 1])
    (3.0, 1.6842105263157894)
    """
    known = np.asarray(sizes, dtype=np.float64)
    squares = float((known**2).sum())
    return float(known.sum()) ** 2 / squares if squares else float(known.size)


def variance_components(
    differences: Array, from_units: float, interaction: float, *, n_units: float
) -> list[Component]:
    """Return the variance of the mean difference that is due to the seeds, and that due to the units.

    With one seed there is only the part of the units.

    Args:
        differences: with each seed: (seeds,).
        from_units: the variance of the mean difference over resamples of the units.
        interaction: the part of it that is the interaction of seeds and units.
        n_units: how many units were scored, or how many of equal size tell as much. Fewer than two tell nothing.
    """
    n_seeds = len(differences)
    if n_units < 2:
        return [Component(inf, 0.0)]
    larger = n_units / (n_units - 1)  # a resample of m units varies by m - 1 parts of m
    from_units, interaction = larger * from_units, larger * interaction
    from_seeds = float(differences.var(ddof=1)) / n_seeds if n_seeds > 1 else 0.0
    if max(from_seeds, interaction) <= TOLERANCE**2:  # the difference does not depend on the seed
        return [Component(from_units, n_units - 1.0)]
    if from_seeds <= TOLERANCE**2:  # equal by chance, because scores on few units are coarse
        from_seeds = interaction
    seeds = Component(from_seeds, n_seeds - 1.0, is_of_seeds=True, interaction=interaction)
    rest = from_units - interaction
    return [seeds, Component(rest if rest > TOLERANCE**2 else 0.0, n_units - 1.0)]


def check_scores(*arrays: npt.ArrayLike) -> PairedScores:
    """Return the scores as arrays, after a check of their shapes and values."""
    scores = PairedScores(*(np.asarray(values, dtype=np.float64) for values in arrays))
    n_seeds, n_resamples = scores.a.size, len(np.atleast_1d(scores.resampled_a))
    wanted = [(n_seeds,), (n_seeds,), (n_resamples, n_seeds), (n_resamples, n_seeds)]
    shapes = [values.shape for values in scores]
    if shapes != wanted or n_seeds < 1 or n_resamples < 2:
        remedy = "give (seeds,) twice and (resamples, seeds) twice, with the same seeds and at least 2 resamples"
        raise BadSetting(f"scores have the shapes {', '.join(map(str, shapes))}", remedy)
    if not all(np.isfinite(values).all() for values in scores):
        raise BadSetting("some scores are not finite numbers", "leave out the seeds whose score is unknown, in both")
    return scores


def count_outcomes(differences: Array) -> tuple[int, int, int]:
    """Return the number of wins, ties and losses."""
    wins = int(np.count_nonzero(differences > TOLERANCE))
    losses = int(np.count_nonzero(differences < -TOLERANCE))
    return wins, len(differences) - wins - losses, losses


def build_difference(
    difference: float,
    spread: Spread,
    by_seed: tuple[float, ...],
    n_units: int,
    outcomes: Sequence[int],
    *,
    confidence: float,
    paired: Spread | None = None,
) -> PairedDifference:
    """Return the difference with its interval and p-value, those of the more cautious of one or two readings."""
    if not 0 < confidence < 1 or n_units < 1:
        found = f"confidence is {confidence}, n_units {n_units}"
        raise BadSetting(found, "give a share between 0 and 1, e.g. 0.95, and at least one unit")
    readings = (spread,) if paired is None else (spread, paired)
    half = max(reading.half_width(confidence) for reading in readings)
    wins, ties, losses = outcomes
    return PairedDifference(
        difference=difference,
        low=difference - half,
        high=difference + half,
        p_value=max(reading.p_value(difference) for reading in readings),
        spread=spread,
        by_seed=by_seed,
        n_units=n_units,
        wins=wins,
        ties=ties,
        losses=losses,
        spread_of_paired_seeds=paired,
    )


def _variances_of_units(differences: Array, resampled: Array) -> tuple[float, float]:
    """Return the variance of the mean difference over resamples, and the part that is interaction with the seeds.

    `differences`: (seeds,); `resampled`: (resamples, seeds).
    """
    n_seeds = len(differences)
    from_units = float(resampled.mean(axis=1).var(ddof=1))
    if n_seeds == 1:
        return from_units, 0.0
    moved = resampled - differences
    apart = moved - moved.mean(axis=1, keepdims=True)
    return from_units, float((apart**2).sum(axis=1).mean()) / (n_seeds * (n_seeds - 1))


def _smallest_variance(difference: float, n_resamples: int, n_units: int) -> float:
    """Return the variance that corresponds to the smallest p-value that the data allow, 0 for no difference."""
    if abs(difference) <= TOLERANCE:
        return 0.0
    p_value = max(1 / (1 + n_resamples), 2.0 ** (1 - n_units))
    quantile = float(ndtri(1 - p_value / 2))
    return (difference / quantile) ** 2 if quantile else inf
