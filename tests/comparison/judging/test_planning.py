"""Planning of power: from the first runs to the seeds and test units that a question needs."""

from functools import cache

import numpy as np
import pytest

from linnet.comparison.differences import Difference
from linnet.comparison.judging.pairing import PairedRuns
from linnet.comparison.judging.planning import (
    MORE_UNITS,
    N_SEEDS,
    TIMES_UNITS,
    PowerPlan,
    find_hollow_places,
    find_unfit,
    plan_power,
    whole_percent,
)
from linnet.errors import BadSetting
from linnet.metrics.statistics.hierarchical import PairedScores, paired_difference
from tests.metrics.statistics.samples import random_scores

CHOICE, PLACE = {"weighting": "welt"}, {"data": "demo"}


def pilot(n_seeds: int = 4, seed: int = 0) -> Difference:
    return Difference(PLACE, CHOICE, paired_difference(*random_scores(n_seeds, seed=seed), n_units=100))


@cache
def plan_of_pilot() -> PowerPlan:
    """Return the plan of the pilot for two points, which takes a second to compute."""
    return plan_power([pilot()], difference=0.02, where="grid.toml")[0]


@pytest.mark.long
def test_every_number_of_seeds_and_multiple_of_units_has_its_power() -> None:
    plan = plan_of_pilot()

    assert set(plan.power) == {(seeds, times) for seeds in range(3, 21) for times in (1, 2, 4)}
    assert all(0 <= power <= 1 for power in plan.power.values())
    assert (plan.place, plan.choice, plan.n_pilot_seeds, plan.n_units) == (PLACE, CHOICE, 4, 100)


def test_more_seeds_and_more_units_never_find_less() -> None:
    plan = plan_of_pilot()

    for times in TIMES_UNITS:
        by_seeds = [plan.power[seeds, times] for seeds in N_SEEDS]
        assert by_seeds == pytest.approx(sorted(by_seeds), abs=1e-3)
    for seeds in N_SEEDS:
        by_units = [plan.power[seeds, times] for times in TIMES_UNITS]
        assert by_units == sorted(by_units)


def test_the_plan_of_the_pilot_itself_has_the_power_of_its_smallest_detectable_difference() -> None:
    """What four seeds detect in 80 % is found in 80 % by the plan with four seeds and 1 x the units."""
    each = pilot()

    (plan,) = plan_power([each], difference=each.test.smallest_detectable(), where="grid.toml")

    assert plan.power[4, 1] == pytest.approx(0.8, abs=1e-3)
    assert plan.seeds_needed(1) in (4, 5)


@pytest.mark.long
def test_a_larger_family_needs_more() -> None:
    of_two = plan_power([pilot(), pilot(seed=1)], difference=0.02, where="grid.toml")[0]

    assert of_two.power[5, 1] < plan_of_pilot().power[5, 1]


def test_the_fewest_seeds_with_enough_power_are_needed() -> None:
    power = {(seeds, times): (0.9 if seeds * times >= 20 else 0.5) for seeds in N_SEEDS for times in TIMES_UNITS}
    plan = PowerPlan(place=PLACE, choice=CHOICE, n_pilot_seeds=3, n_units=10, power=power)

    assert [plan.seeds_needed(times) for times in TIMES_UNITS] == [20, 10, 5]
    assert PowerPlan(PLACE, CHOICE, 3, 10, dict.fromkeys(power, 0.1)).seeds_needed(1) is None


@pytest.mark.parametrize("difference", [0.0, -0.01, 1.0])
def test_a_difference_that_is_none_is_refused(difference: float) -> None:
    with pytest.raises(BadSetting, match="the difference to find is"):
        plan_power([pilot()], difference=difference, where="grid.toml")


def test_too_few_runs_are_named_with_what_to_do() -> None:
    with pytest.raises(BadSetting, match="welt has 1") as one:
        plan_power([pilot(1)], difference=0.02, where="grid.toml")
    with pytest.raises(BadSetting, match=r"grid.toml: .* no finished runs can be compared"):
        plan_power([], difference=0.02, where="grid.toml")

    assert "3 seeds for the baseline and each choice" in one.value.remedy


def paired(*, is_same: bool = False, collapsed: frozenset[int] = frozenset()) -> PairedRuns:
    a, b, resampled_a, resampled_b = map(np.asarray, random_scores(4))
    scores = PairedScores(a, a, resampled_a, resampled_a) if is_same else PairedScores(a, b, resampled_a, resampled_b)
    return PairedRuns(PLACE, CHOICE, (1, 2, 3, 4), scores, 100, collapsed)


def test_identical_and_collapsed_runs_are_unfit() -> None:
    baseline = {"weighting": "none"}

    assert find_unfit([paired()], baseline) == {}
    assert find_unfit([paired(collapsed=frozenset({1, 2}))], baseline) == {}
    assert find_unfit([paired(is_same=True)], baseline) == {("welt",): "the runs of welt and none are identical"}
    assert find_unfit([paired(), paired(is_same=True)], baseline) == {}  # at another place they differ
    assert find_unfit([paired(collapsed=frozenset({1, 2, 3}))], baseline) == {
        ("welt",): "the run of welt or of none has collapsed on demo with 3 of 4 seeds"
    }


def test_places_with_too_few_sound_runs_are_left_out_while_another_place_is_fit() -> None:
    hollow = paired(collapsed=frozenset({1, 2, 3}))._replace(place={"data": "linnaeus"})
    baseline = {"weighting": "none"}

    assert find_hollow_places([paired(), hollow], baseline) == {
        ("linnaeus",): "the run of welt or of none has collapsed on linnaeus with 3 of 4 seeds"
    }
    assert find_hollow_places([hollow], baseline) == {}  # the refusal is find_unfit's
    assert find_hollow_places([paired()], baseline) == {}


def test_where_no_plan_is_enough_a_larger_test_set_is_looked_for() -> None:
    (hopeless,) = plan_power([pilot()], difference=0.004, where="grid.toml")
    (easy,) = plan_power([pilot()], difference=0.05, where="grid.toml")

    assert not any(plan_of_pilot().seeds_needed(times) for times in TIMES_UNITS)
    assert plan_of_pilot().larger in MORE_UNITS
    assert any(easy.seeds_needed(times) for times in TIMES_UNITS)
    assert (hopeless.larger, easy.larger) == (None, None)


def test_unfit_runs_count_in_the_family_but_have_no_plan() -> None:
    other = pilot(seed=1)._replace(choice={"weighting": "ins"})

    found = plan_power([pilot(), other], difference=0.02, where="grid.toml", unfit={("ins",): "reason"})

    assert found == plan_power([pilot(), other], difference=0.02, where="grid.toml")[:1]
    with pytest.raises(BadSetting, match=r"grid\.toml: reason: nothing can be planned from them"):
        plan_power([pilot()], difference=0.02, where="grid.toml", unfit={("welt",): "reason"})


def test_what_is_shown_as_80_percent_is_enough() -> None:
    power = {(seeds, times): (0.7999 if seeds < 7 else 0.8) for seeds in N_SEEDS for times in TIMES_UNITS}
    plan = PowerPlan(place=PLACE, choice=CHOICE, n_pilot_seeds=3, n_units=10, power=power)

    shown = [seeds for seeds in N_SEEDS if whole_percent(plan.power[seeds, 1]) >= 80]
    assert plan.seeds_needed(1) == shown[0] == 7
    assert [whole_percent(share / 100) for share in range(101)] == list(range(101))


def pilot_with(seeds: float, units: float) -> Difference:
    """Return a pilot of three seeds whose differences have these standard deviations, over seeds and over resamples."""
    a = np.full(3, 0.8)
    b = 0.8 + seeds * np.array([-1.0, 0.0, 1.0])
    moved = units * np.linspace(-1.7, 1.7, 200)[:, np.newaxis]
    scores = PairedScores(a, b, np.tile(a, (200, 1)), b + moved)
    return Difference(PLACE, CHOICE, paired_difference(*scores, n_units=100))


def test_what_makes_a_difference_hard_to_find_is_the_part_with_most_of_the_variance() -> None:
    of_seeds, of_units, of_both = (
        plan_power([pilot_with(*parts)], difference=0.004, where="grid.toml")[0]
        for parts in ((0.08, 0.002), (0.0001, 0.2), (0.05, 0.03))
    )

    assert (of_seeds.limit, of_units.limit, of_both.limit) == ("seeds", "units", "both")
    assert of_seeds.deviation == pytest.approx(0.08)
    assert of_seeds.power[20, 4] - of_seeds.power[20, 1] < 0.01  # more units hardly help
    assert (of_seeds.larger, of_units.larger, of_both.larger) == (None, None, None)


def test_a_larger_test_set_that_is_enough_means_that_units_are_few() -> None:
    few = plan_of_pilot()
    (easy,) = plan_power([pilot()], difference=0.05, where="grid.toml")

    assert (few.larger in MORE_UNITS, few.limit, easy.limit) == (True, "units", None)
