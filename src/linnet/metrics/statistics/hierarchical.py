"""Hierarchical paired bootstrap: significance of a difference over random seeds and test units.

Two systems are trained with the same n seeds and scored on the same m units (sentences or documents). Units are drawn
with replacement, jointly for both systems and all seeds. The variance due to the seeds is estimated from their n paired
differences, with the small-sample correction of Student's t. Seeds and units are crossed random effects, so the
variance of the mean difference is

    Var = S2 / n + max(V_units - V_inter, 0)

S2 is the sample variance of the differences over seeds, V_units the variance of the mean difference over resamples, and
V_inter the part of V_units that is the interaction of seeds and units, which S2 / n already contains. The degrees of
freedom are those of multi-reader multi-case studies (Hillis 2007, on Obuchowski & Rockette 1995), with one deviation:
S2 / n counts there as no less than V_inter, which is a part of it. `docs/comparing-method.md` describes the
assumptions, the limits and simulations. All functions take arrays, so any score of units can be used; only
`resampled_scores` is for micro F1.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit  # not scipy.stats: it takes a second to import

from linnet.errors import BadSetting
from linnet.metrics.mentions.tally import N_PARTS, Array, Counts, f1_of
from linnet.metrics.statistics.bootstrap import TOLERANCE, check_same_units, weight_chunks

__all__ = [
    "PairedDifference",
    "PairedScores",
    "mean_over_places",
    "paired_difference",
    "pooled_difference",
    "resampled_scores",
]


class PairedScores(NamedTuple):
    """The scores of baseline a and system b in one place, seed by seed, on all units and on each resample of them.

    `a` and `b`: (seeds,); `resampled_a` and `resampled_b`: (resamples, seeds), each row from one draw of the units.
    """

    a: Array
    b: Array
    resampled_a: Array
    resampled_b: Array


class _Estimate(NamedTuple):
    difference: float
    variance: float
    degrees: float


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """How much higher b scores than a on average, with its interval and a two-sided p-value.

    With one seed the standard error covers the variation over units only, and with one unit that over seeds only.
    `covers_seeds` and `covers_units` tell, and a report of the p-value must mention it.
    """

    difference: float
    low: float
    high: float
    p_value: float
    standard_error: float
    degrees: float  # of freedom; infinite if the normal distribution is used
    n_seeds: int  # over several places, the smallest number
    n_units: int
    wins: int  # pairs of runs in which b scores higher
    ties: int
    losses: int

    @property
    def covers_seeds(self) -> bool:
        """Could the variation over seeds be estimated?"""
        return self.n_seeds > 1

    @property
    def covers_units(self) -> bool:
        """Could the variation over units be estimated?"""
        return self.n_units > 1

    def smallest_detectable(self, *, family_size: int = 1, power: float = 0.8, alpha: float = 0.05) -> float:
        """Return the true difference that a comparison with this standard error detects with probability `power`.

        A difference is detected if its p-value is below alpha / family_size, the strictest step of Holm's correction.
        The sum of two quantiles of t is within 2 % of the noncentral t for four or more degrees of freedom.
        """
        if family_size < 1 or not 0 < alpha < 1 or not 0 < power < 1:
            found = f"family_size is {family_size}, power {power}, alpha {alpha}"
            raise BadSetting(found, "give 1 or more, and two shares between 0 and 1, e.g. 0.8 and 0.05")
        quantiles = stdtrit(self.degrees, [1 - alpha / family_size / 2, power])
        return float(quantiles.sum()) * self.standard_error


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
        confidence: of the interval.
    """
    scores = _check_scores(a, b, resampled_a, resampled_b)
    differences = scores.b - scores.a
    resampled = scores.resampled_b - scores.resampled_a
    difference = float(differences.mean())
    variance, degrees = _estimate_variance(differences, resampled)
    if variance <= TOLERANCE**2:
        variance, degrees = _smallest_variance(difference, len(resampled), n_units), inf
    estimate = _Estimate(difference, variance, degrees)
    return _build_difference(estimate, (len(differences), n_units), _count_outcomes(differences), confidence)


def mean_over_places(places: Sequence[PairedScores], *, n_units: int, confidence: float = 0.95) -> PairedDifference:
    """Return the mean difference over places that share their test units, such as two encoders on one corpus.

    The scores are averaged over the places seed by seed and draw by draw, so that variation that the places share is
    counted once. All places need the same seeds and the same draws of units. Wins, ties and losses are those of the
    single runs. The result holds for these places, not for new ones.
    """
    checked = [_check_scores(*place) for place in places]
    if len({place.resampled_a.shape for place in checked}) != 1:
        found = ", ".join(f"{len(place.a)} seeds and {len(place.resampled_a)} resamples" for place in checked)
        remedy = "average places that have the same seeds and the same draws of units"
        raise BadSetting(f"the places do not match: {found or 'there are none'}", remedy)
    means = PairedScores(*(np.mean(values, axis=0) for values in zip(*checked, strict=True)))
    wins, ties, losses = _count_outcomes(np.concatenate([place.b - place.a for place in checked]))
    mean = paired_difference(*means, n_units=n_units, confidence=confidence)
    return replace(mean, wins=wins, ties=ties, losses=losses)


def pooled_difference(groups: Sequence[PairedDifference], *, confidence: float = 0.95) -> PairedDifference:
    """Return the plain mean of differences in independent places, such as corpora with different texts.

    The variances add up, the degrees of freedom are those of Welch and Satterthwaite. The result holds for the mean
    over these corpora, not for new ones.
    """
    if not groups:
        raise BadSetting("there are no differences to pool", "give at least one")
    variances = [group.standard_error**2 for group in groups]
    estimate = _Estimate(
        sum(group.difference for group in groups) / len(groups),
        sum(variances) / len(groups) ** 2,
        _welch_satterthwaite(variances, [group.degrees for group in groups]),
    )
    sizes = min(group.n_seeds for group in groups), sum(group.n_units for group in groups)
    outcomes = [sum(counted) for counted in zip(*((g.wins, g.ties, g.losses) for g in groups), strict=True)]
    return _build_difference(estimate, sizes, outcomes, confidence)


def _check_scores(*arrays: npt.ArrayLike) -> PairedScores:
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


def _estimate_variance(differences: Array, resampled: Array) -> tuple[float, float]:
    """Return the variance of the mean difference over seeds and units, and its degrees of freedom.

    `differences`: (seeds,); `resampled`: (resamples, seeds).
    """
    n_seeds = len(differences)
    from_units = float(resampled.mean(axis=1).var(ddof=1))
    if n_seeds == 1:
        return from_units, inf
    from_seeds = float(differences.var(ddof=1)) / n_seeds
    moved = resampled - differences
    apart = moved - moved.mean(axis=1, keepdims=True)
    interaction = float((apart**2).sum(axis=1).mean()) / (n_seeds * (n_seeds - 1))
    at_least = max(from_seeds, interaction)
    if at_least <= TOLERANCE**2:  # the difference does not depend on the seed
        return from_units, inf
    if from_seeds <= TOLERANCE**2:  # equal by chance, because scores on few units are coarse
        from_seeds = interaction
    from_units = max(from_units - interaction, 0.0)
    return from_seeds + from_units, (n_seeds - 1) * (1 + from_units / at_least) ** 2


def _smallest_variance(difference: float, n_resamples: int, n_units: int) -> float:
    """Return the variance that corresponds to the smallest p-value that the data allow, 0 for no difference."""
    if abs(difference) <= TOLERANCE:
        return 0.0
    p_value = max(1 / (1 + n_resamples), 2.0 ** (1 - n_units))
    quantile = float(stdtrit(inf, 1 - p_value / 2))
    return (difference / quantile) ** 2 if quantile else inf


def _welch_satterthwaite(variances: Sequence[float], degrees: Sequence[float]) -> float:
    known = [(variance, freedom) for variance, freedom in zip(variances, degrees, strict=True) if freedom < inf]
    below = sum(variance**2 / freedom for variance, freedom in known)
    return sum(variances) ** 2 / below if below else inf


def _count_outcomes(differences: Array) -> tuple[int, int, int]:
    """Return the number of wins, ties and losses."""
    wins = int(np.count_nonzero(differences > TOLERANCE))
    losses = int(np.count_nonzero(differences < -TOLERANCE))
    return wins, len(differences) - wins - losses, losses


def _build_difference(
    estimate: _Estimate, sizes: tuple[int, int], outcomes: Sequence[int], confidence: float
) -> PairedDifference:
    difference, variance, degrees = estimate
    n_seeds, n_units = sizes
    if not 0 < confidence < 1 or n_units < 1:
        found = f"confidence is {confidence}, n_units {n_units}"
        raise BadSetting(found, "give a share between 0 and 1, e.g. 0.95, and at least one unit")
    standard_error = sqrt(variance)
    half = float(stdtrit(degrees, (1 + confidence) / 2)) * standard_error
    p_value = 2 * float(stdtr(degrees, -abs(difference) / standard_error)) if standard_error else 1.0
    wins, ties, losses = outcomes
    return PairedDifference(
        difference=difference,
        low=difference - half,
        high=difference + half,
        p_value=p_value,
        standard_error=standard_error,
        degrees=degrees,
        n_seeds=n_seeds,
        n_units=n_units,
        wins=wins,
        ties=ties,
        losses=losses,
    )
