"""Power planning: how many seeds and test units a grid needs to find a difference, from its first runs.

The variances of seeds and units are estimated from the finished runs. They are uncertain, and the more so the fewer
runs there are, so the power of a plan is an average over what they could be (`metrics.statistics.power`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor, inf, sqrt
from typing import Literal, NamedTuple

import numpy as np

from linnet.comparison.differences import Difference
from linnet.comparison.judging.pairing import Key, PairedRuns
from linnet.comparison.judging.wording import ALPHA
from linnet.comparison.results import Labels, title_of
from linnet.errors import BadSetting
from linnet.metrics.statistics.power import Plan, detection_rate
from linnet.metrics.statistics.spread import Spread

__all__ = [
    "FEWEST_PILOT_SEEDS", "N_SEEDS", "POWER", "TIMES_UNITS", "Limit", "Pilots", "PowerPlan", "find_hollow_places",
    "find_unfit", "plan_power", "whole_percent",
]  # fmt: skip

Limit = Literal["seeds", "units", "both"]  # what makes a difference hard to find

POWER = 0.8  # the probability to find the difference that a plan should have
N_SEEDS = tuple(range(3, 21))
TIMES_UNITS = (1, 2, 4)  # multiples of the test units
MORE_UNITS = (8, 16, 32, 64)  # looked at where the others are not enough, with the most seeds
MOSTLY = 3.0  # times the part of the units: without them the standard error would be 13 % smaller
FEWEST_PILOT_SEEDS = 2  # one seed says nothing about how seeds vary


class Pilots(NamedTuple):
    """The finished runs that power is planned from."""

    differences: Sequence[Difference]  # of each choice from the baseline
    unfit: Mapping[Key, str]  # why nothing can be planned from the runs of a choice, by its labels
    left_out: Sequence[str] = ()  # why nothing can be planned from the runs of a place, where another place is fit
    at_places: Sequence[Difference] = ()  # at each place, where the differences are those over all places


@dataclass(frozen=True)
class PowerPlan:
    """The power to find a difference between a choice and the baseline, by seeds and multiples of the test units."""

    place: Labels  # empty for the mean over all places
    choice: Labels
    n_pilot_seeds: int
    n_units: int
    power: Mapping[tuple[int, int], float]  # by the number of seeds and the multiple of the test units
    larger: int | None = None  # the multiple beyond those that is enough with the most seeds, where none of those is
    limit: Limit | None = None  # what the variance comes from where no plan is enough
    deviation: float = 0.0  # of the differences over seeds, as a fraction

    def seeds_needed(self, times_units: int) -> int | None:
        """Return the smallest number of seeds with enough power, None if the largest is not enough."""
        enough = (seeds for seeds in N_SEEDS if whole_percent(self.power[seeds, times_units]) >= 100 * POWER)
        return next(enough, None)


def whole_percent(power: float) -> int:
    """Return a probability in percent, rounded down, so that what is shown as 80 is enough.

    >>> whole_percent(0.7999), whole_percent(0.8)
    (79, 80)
    """
    return floor(100 * power + 1e-9)  # 100 * 0.29 is a little less than 29


def find_unfit(paired: Sequence[PairedRuns], baseline: Labels) -> dict[Key, str]:
    """Return why nothing can be planned from the runs of a choice, by its labels, for those where this is so.

    The runs of a choice are unfit if they score as the baseline's on every resample, or if at some place fewer than
    two seeds are left without a collapsed run: their differences do not vary as those of other runs will.
    """
    unfit: dict[Key, str] = {}
    for choice in {tuple(runs.choice.values()): runs.choice for runs in paired}.values():
        own = [runs for runs in paired if runs.choice == choice]
        hollow = [runs for runs in own if _is_hollow(runs)]
        if hollow:
            unfit[tuple(choice.values())] = _describe_collapse(hollow[0], baseline)
        elif all(map(_are_identical, own)):
            unfit[tuple(choice.values())] = f"the runs of {title_of(choice)} and {title_of(baseline)} are identical"
    return unfit


def find_hollow_places(paired: Sequence[PairedRuns], baseline: Labels) -> dict[Key, str]:
    """Return the places where too many runs have collapsed, with the reason; none if no other place would be left."""
    hollow: dict[Key, str] = {}
    for runs in filter(_is_hollow, paired):
        hollow.setdefault(tuple(runs.place.values()), _describe_collapse(runs, baseline))
    return hollow if len(hollow) < len({tuple(runs.place.values()) for runs in paired}) else {}


def _is_hollow(runs: PairedRuns) -> bool:
    return bool(runs.collapsed) and _count_sound(runs) < FEWEST_PILOT_SEEDS


def _describe_collapse(runs: PairedRuns, baseline: Labels) -> str:
    place = f" on {title_of(runs.place)}" if runs.place else ""
    seeds = f"{len(runs.collapsed)} of {len(runs.seeds)} seeds"
    return f"the run of {title_of(runs.choice)} or of {title_of(baseline)} has collapsed{place} with {seeds}"


def _count_sound(runs: PairedRuns) -> int:
    return len(runs.seeds) - len(runs.collapsed)


def _are_identical(runs: PairedRuns) -> bool:
    scores = runs.scores
    return np.array_equal(scores.a, scores.b) and np.array_equal(scores.resampled_a, scores.resampled_b)


def plan_power(
    differences: Sequence[Difference], *, difference: float, where: str, unfit: Mapping[Key, str] | None = None
) -> list[PowerPlan]:
    """Return the power of more seeds and more test units for each comparison of one family that runs are fit for.

    Args:
        differences: of each choice from the baseline in the finished runs.
        difference: that should be found, as a fraction.
        where: the grid file, for messages.
        unfit: why nothing can be planned from the runs of a choice, by its labels; these count in the family only.

    Raises:
        BadSetting: for a difference that is none, where a choice has fewer than two seeds in common with the baseline,
            and where the runs of every choice are unfit.
    """
    if not 0 < difference < 1:
        raise BadSetting(f"the difference to find is {100 * difference:g} points", "give points between 0 and 100")
    fit = [each for each in differences if tuple(each.choice.values()) not in (unfit or {})]
    if unfit and not fit:
        raise BadSetting(
            f"{where}: {'; '.join(unfit.values())}: nothing can be planned from them",
            "make the first runs of the grid with settings that learn and that differ from the baseline's, then ask "
            "again; the page and the cards of the runs show why runs collapse",
        )
    few = [each for each in fit if each.test.n_seeds < FEWEST_PILOT_SEEDS]
    if few or not fit:
        found = f"{title_of(few[0].choice)} has {few[0].test.n_seeds}" if few else "no finished runs can be compared"
        raise BadSetting(
            f"{where}: power is planned from runs with {FEWEST_PILOT_SEEDS} or more seeds, {found}",
            "make the first runs of the grid with 3 seeds for the baseline and each choice, then ask again",
        )
    alpha = ALPHA / len(differences)
    return [_plan(each, difference, alpha) for each in fit]


def _plan(each: Difference, difference: float, alpha: float) -> PowerPlan:
    test = each.test

    def power_of(seeds: int, times: int) -> float:
        plan = Plan(seeds / test.n_seeds, times)
        return min(detection_rate(reading, difference, alpha=alpha, plan=plan) for reading in test.readings)

    found = PowerPlan(
        place=each.place,
        choice=each.choice,
        n_pilot_seeds=test.n_seeds,
        n_units=test.n_units,
        power={(seeds, times): power_of(seeds, times) for seeds in N_SEEDS for times in TIMES_UNITS},
        deviation=sqrt(test.n_seeds * max(_variance_of_seeds(reading) for reading in test.readings)),
    )
    if any(found.seeds_needed(times) for times in TIMES_UNITS):
        return found
    larger = next((times for times in MORE_UNITS if power_of(N_SEEDS[-1], times) >= POWER), None)
    widest = max(test.readings, key=lambda reading: reading.standard_error)
    limit: Limit = "units" if larger is not None else _find_limit(widest, N_SEEDS[-1] / test.n_seeds)
    return replace(found, larger=larger, limit=limit)


def _variance_of_seeds(spread: Spread) -> float:
    return sum(each.variance for each in spread.components if each.is_of_seeds)


def _find_limit(spread: Spread, times_seeds: float) -> Limit:
    """Return what the variance comes from with so many times the seeds.

    It is the seeds where more test units would hardly lower it, the units where they would lower it by more than half
    even with the largest multiple looked at, and else both.
    """
    if _compare_parts(spread, Plan(times_seeds, 1)) >= MOSTLY:
        return "seeds"
    return "both" if _compare_parts(spread, Plan(times_seeds, MORE_UNITS[-1])) >= 1 else "units"


def _compare_parts(spread: Spread, plan: Plan) -> float:
    """Return the part of the variance that more units do not lower, as a multiple of the part that they lower."""
    interaction = sum(min(each.interaction, each.variance) for each in spread.components if each.is_of_seeds)
    from_seeds = (_variance_of_seeds(spread) - interaction) / plan.seeds
    of_units = sum(each.variance for each in spread.components if not each.is_of_seeds)
    from_units = (of_units + interaction / plan.seeds) / plan.units
    return from_seeds / from_units if from_units else inf
