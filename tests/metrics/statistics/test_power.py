"""Power of a comparison: checked against the noncentral t distribution and against draws."""

from math import inf, sqrt

import numpy as np
import pytest
from scipy import stats

from linnet.errors import BadSetting
from linnet.metrics.statistics.power import Plan, detection_rate, smallest_detectable
from linnet.metrics.statistics.spread import Component, Spread

LEVELS = [0.05, 0.05 / 6, 0.05 / 9]


@pytest.mark.parametrize("alpha", LEVELS)
@pytest.mark.parametrize("degrees", [2.0, 4.0, 9.0])
def test_one_component_has_the_power_of_the_noncentral_t(degrees: float, alpha: float) -> None:
    """The true variance is one of those that the estimate 1 allows: degrees / X, X from the chi-square distribution."""
    detectable = smallest_detectable(Spread([Component(1.0, degrees, is_of_seeds=True)]), alpha=alpha, power=0.8)

    true = np.sqrt(degrees / stats.chi2.ppf((np.arange(400) + 0.5) / 400, degrees))
    power = stats.nct.sf(stats.t.ppf(1 - alpha / 2, degrees), degrees, detectable / true)
    assert np.mean(power) == pytest.approx(0.8, abs=0.002)


@pytest.mark.parametrize(("alpha", "quantile"), [(0.05, 1.95996), (0.05 / 6, 2.63826)])
def test_a_known_variance_has_the_power_of_the_normal_distribution(alpha: float, quantile: float) -> None:
    """By hand: normal quantiles 1.95996 (0.05 two-sided), 2.63826 (0.05 / 6) and 0.84162 (power 0.8)."""
    found = smallest_detectable(Spread([Component(4.0, inf)]), alpha=alpha, power=0.8)

    assert found == pytest.approx((quantile + 0.84162) * 2, rel=1e-3)


def test_what_is_detectable_is_detected() -> None:
    spread = Spread([Component(1.0, 4.0, is_of_seeds=True), Component(0.5, 99.0)])

    detectable = smallest_detectable(spread, alpha=0.05, power=0.8)

    assert detection_rate(spread, detectable, alpha=0.05, plan=Plan()) == pytest.approx(0.8, abs=1e-6)


def test_a_difference_that_nobody_could_detect_has_no_bound() -> None:
    unknown = Spread([Component(inf, 0.0)])

    assert smallest_detectable(unknown, alpha=0.05, power=0.8) == inf
    assert detection_rate(unknown, 9.0, alpha=0.05, plan=Plan()) == 0
    assert smallest_detectable(Spread([]), alpha=0.05, power=0.8) == 0


def test_more_seeds_and_more_units_each_reduce_their_own_part() -> None:
    """Known variances: 1 of the seeds with 0.4 of interaction, 3 of the units. By hand, twice the units leave
    0.6 + 0.4 / 2 of the first and 3 / 2 of the second; twice the seeds half of the first.
    """
    spread = Spread([Component(1.0, inf, is_of_seeds=True, interaction=0.4), Component(3.0, 1e9)])

    rates = {
        (seeds, units): detection_rate(spread, 4.0, alpha=0.05, plan=Plan(seeds, units)) for seeds in (1, 2)
        for units in (1, 2)
    }  # fmt: skip

    variances = {(1, 1): 4.0, (2, 1): 3.5, (1, 2): 0.8 + 1.5, (2, 2): 0.4 + 1.5}
    for plan, variance in variances.items():
        assert rates[plan] == pytest.approx(stats.norm.sf(1.95996 - 4 / sqrt(variance)), abs=0.001), plan


def test_a_plan_with_more_seeds_also_knows_their_variance_better() -> None:
    """Five seeds, planned with ten: noncentral t with 9 degrees, averaged over what the truth could be."""
    spread = Spread([Component(1.0, 4.0, is_of_seeds=True)])

    found = detection_rate(spread, 3.0, alpha=0.05, plan=Plan(seeds=2.0))

    true = np.sqrt(4 / stats.chi2.ppf((np.arange(400) + 0.5) / 400, 4) / 2)
    assert found == pytest.approx(np.mean(stats.nct.sf(stats.t.ppf(0.975, 9), 9, 3.0 / true)), abs=0.003)


@pytest.mark.parametrize(("alpha", "power"), [(0.0, 0.8), (1.0, 0.8), (0.05, 0.0), (0.05, 1.0)])
def test_shares_outside_of_0_and_1_are_refused(alpha: float, power: float) -> None:
    with pytest.raises(BadSetting, match=f"power is {power}, alpha {alpha}"):
        smallest_detectable(Spread([Component(1.0, 4.0)]), alpha=alpha, power=power)
