"""Power of a comparison: the smallest detectable difference, and how likely a planned study detects a difference.

A study that is made again has its own estimates of the variances, and the true variances are only known as well as the
data at hand tell. So the probability of a detection is averaged over both. With one component and a known true variance
this is the noncentral t distribution. A difference is detected if its p-value is below alpha.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import inf
from typing import NamedTuple

import numpy as np

from linnet.errors import BadSetting
from linnet.metrics.mentions.tally import Array
from linnet.metrics.statistics.spread import (
    N_POINTS,
    Component,
    Spread,
    critical_distance,
    find_zero,
    possible_ratios,
    possible_variances,
    share_below,
)

__all__ = ["Plan", "detection_rate", "smallest_detectable"]

N_SHARES = 33  # of the first of two components, for which critical values are computed


class Plan(NamedTuple):
    """A study with other numbers of seeds and of test units than the one at hand, as multiples of its numbers."""

    seeds: float = 1.0
    units: float = 1.0


class _Study(NamedTuple):
    """A study that is made again: (points of the lattice,) each."""

    deviations: Array  # the true standard errors
    critical: Array  # the distances from which the study detects a difference


def smallest_detectable(spread: Spread, *, alpha: float, power: float) -> float:
    """Return the true difference that a study like this one, made again, detects with probability `power`."""
    if not 0 < alpha < 1 or not 0 < power < 1:
        raise BadSetting(f"power is {power}, alpha {alpha}", "give two shares between 0 and 1, e.g. 0.8 and 0.05")
    if not spread.components:
        return 0.0
    if _finds_nothing(spread, alpha, Plan()):
        return inf
    study = _make_again(spread, Plan(), alpha)
    start = 3 * spread.standard_error or float(study.deviations.max())
    return find_zero(lambda difference: power - _rate(study, difference), start=start)


def detection_rate(spread: Spread, difference: float, *, alpha: float, plan: Plan) -> float:
    """Return how likely a planned study detects a true difference."""
    if _finds_nothing(spread, alpha, plan):
        return 0.0
    return _rate(_make_again(spread, plan, alpha), difference)


def _finds_nothing(spread: Spread, alpha: float, plan: Plan) -> bool:
    """Is no difference ever detected, because a variance is unknown or the test has no p-value below alpha?"""
    is_unknown = any(each.degrees <= 0 for each in spread.components) or spread.standard_error == inf
    return is_unknown or spread.least_p(plan.seeds) >= alpha


def _make_again(spread: Spread, plan: Plan, alpha: float) -> _Study:
    pairs = [_join(spread.components, of_seeds=of_seeds) for of_seeds in (True, False)]
    true = [_planned_variances(each, axis, plan) for axis, each in enumerate(pairs)]
    degrees = [_planned_degrees(each, plan) for each in pairs]
    estimated = [
        values / possible_ratios(freedom, axis)
        for axis, (values, freedom) in enumerate(zip(true, degrees, strict=True), start=2)
    ]
    total = estimated[0] + estimated[1]
    share = np.divide(estimated[0], total, out=np.zeros(N_POINTS), where=total > 0)
    table = _critical_by_share(degrees[0], degrees[1], alpha)
    critical = np.sqrt(total) * np.interp(share, np.linspace(0, 1, N_SHARES), table)
    return _Study(np.sqrt(true[0] + true[1]), critical)


def _rate(study: _Study, difference: float) -> float:
    """Return how often the study detects a true difference."""
    upper = share_below(difference - study.critical, study.deviations)
    return float((upper + share_below(-difference - study.critical, study.deviations)).mean())


def _join(components: Sequence[Component], *, of_seeds: bool) -> Component:
    """Return the components of the seeds, or those of the units, as one; its degrees are those of Satterthwaite."""
    chosen = [each for each in components if each.is_of_seeds == of_seeds]
    variance = sum(each.variance for each in chosen)
    below = sum(each.variance**2 / each.degrees for each in chosen)
    degrees = variance**2 / below if below else inf
    if len(chosen) > 1 and degrees < inf:
        degrees = float(f"{degrees:.2g}")  # an approximation anyhow; critical values are kept for each number
    return Component(variance, degrees, of_seeds, sum(each.interaction for each in chosen))


def _planned_variances(component: Component, axis: int, plan: Plan) -> Array:
    """Return what the true variance could be in the planned study; the interaction falls with seeds and units."""
    possible = possible_variances(component, axis)
    if not component.is_of_seeds:
        return possible / plan.units
    interaction = np.minimum(possible, component.interaction)
    return (possible - interaction + interaction / plan.units) / plan.seeds


def _planned_degrees(component: Component, plan: Plan) -> float:
    more = plan.seeds if component.is_of_seeds else plan.units
    return component.degrees if more == 1 else max(more * (component.degrees + 1) - 1, 1.0)


@lru_cache(maxsize=1024)
def _critical_by_share(first: float, second: float, alpha: float) -> Array:
    """Return the critical distance for each share of the first component in a variance of 1."""
    found = []
    for share in np.linspace(0, 1, N_SHARES):
        parts = (possible_variances(Component(share, first), 0), possible_variances(Component(1 - share, second), 1))
        found.append(critical_distance(np.sqrt(parts[0] + parts[1]), alpha))
    return np.array(found)
