"""Ranks over seeds and exact tests of shares, checked against scipy."""

from math import inf

import numpy as np
import pytest
from scipy import stats

from linnet.metrics.statistics.hierarchical import PairedDifference, paired_difference
from linnet.metrics.statistics.power import Plan, detection_rate
from linnet.metrics.statistics.ranks import by_ranks, fisher_exact
from tests.metrics.statistics.samples import constant, random_scores


def without_units(a: list[float], b: list[float]) -> PairedDifference:
    """Return a difference by ranks that varies over seeds only."""
    return by_ranks(paired_difference(a, b, constant(a), constant(b), n_units=100), np.array(a), np.array(b))


@pytest.mark.parametrize("n_seeds", [3, 5, 10])
def test_without_variation_of_units_it_is_the_exact_test_of_mann_and_whitney(n_seeds: int) -> None:
    a, b, *_ = random_scores(n_seeds, seed=n_seeds)

    found = without_units(a.tolist(), (b + 0.01).tolist())

    assert found.p_value == pytest.approx(stats.mannwhitneyu(b + 0.01, a, method="exact").pvalue)
    assert found.difference == pytest.approx(np.median(np.subtract.outer(b + 0.01, a)))


def test_how_far_off_a_collapsed_run_is_does_not_matter() -> None:
    a, b = [0.80, 0.81, 0.82, 0.83, 0.84], [0.86, 0.85, 0.87, 0.89, 0.88]

    usual, collapsed = without_units(a, b), without_units([0.0, *a[1:]], b)

    assert usual.p_value == collapsed.p_value == pytest.approx(2 / 252)  # all of 252 orders but two are less extreme
    assert collapsed.difference == pytest.approx(usual.difference, abs=0.01)
    assert 0 < collapsed.low < collapsed.difference < collapsed.high
    by_means = paired_difference([0.0, *a[1:]], b, constant([0.0, *a[1:]]), constant(b), n_units=100)
    assert by_means.p_value > 0.2


def test_the_interval_holds_what_the_test_does_not_refuse() -> None:
    a, b = [0.80, 0.82, 0.84, 0.86, 0.88], [0.85, 0.86, 0.875, 0.88, 0.89]

    found = without_units(a, b)

    assert found.low < found.difference < found.high
    assert (found.low > 0 or found.high < 0) == (found.p_value < 0.05)
    for end, beyond in ((found.low, -0.001), (found.high, 0.001)):
        outside, inside = (found.spread.p_value(found.difference - end - step) for step in (beyond, -beyond))
        assert outside < 0.05 <= inside


def test_three_seeds_are_too_few_for_ranks() -> None:
    found = without_units([0.1, 0.2, 0.3], [0.7, 0.9, 0.8])

    assert found.p_value == pytest.approx(0.1)
    assert (found.low, found.high) == (-inf, inf)


def test_what_ranks_can_never_find_is_no_smallest_detectable_difference() -> None:
    """The least p-value of 5 and 5 runs is 2 / 252 = 0.0079: above 0.05 / 9, below 0.05 / 6."""
    found = without_units([0.80, 0.81, 0.82, 0.83, 0.84], [0.86, 0.85, 0.87, 0.89, 0.88])
    few = without_units([0.80, 0.81, 0.82], [0.86, 0.85, 0.87])

    assert found.smallest_detectable(family_size=6) < inf
    assert found.smallest_detectable(family_size=9) == few.smallest_detectable() == inf
    assert detection_rate(few.spread, 0.9, alpha=0.05, plan=Plan(seeds=1)) == 0
    assert detection_rate(few.spread, 0.9, alpha=0.05, plan=Plan(seeds=4 / 3)) > 0.9


def test_units_make_a_verdict_more_cautious() -> None:
    scores = random_scores(6)
    moved = scores._replace(b=scores.b + 0.03, resampled_b=scores.resampled_b + 0.03)
    by_means = paired_difference(*moved, n_units=30)

    found, seeds_only = by_ranks(by_means, moved.a, moved.b), without_units(moved.a.tolist(), moved.b.tolist())

    assert found.p_value > seeds_only.p_value
    assert found.high - found.low > seeds_only.high - seeds_only.low
    assert found.p_equivalent(0.2) < 0.05 < found.p_equivalent(0.03)


def test_identical_systems_and_one_unit_prove_nothing() -> None:
    a, b, resampled_a, resampled_b = random_scores(5)
    one = paired_difference(a, b + 1, resampled_a, resampled_b + 1, n_units=1)

    assert by_ranks(one, a, b + 1).p_value == 1
    same = paired_difference(a, a, resampled_a, resampled_a, n_units=10)
    assert by_ranks(same, a, a) == same


def test_ties_do_not_count_as_evidence() -> None:
    assert without_units([0.5, 0.5, 0.5, 0.6], [0.5, 0.5, 0.5, 0.5]).p_value == 1


@pytest.mark.parametrize(
    ("first", "n_first", "second", "n_second"), [(0, 10, 4, 10), (1, 5, 3, 7), (5, 5, 0, 5), (0, 3, 0, 3)]
)
def test_shares_are_compared_as_scipy_does(first: int, n_first: int, second: int, n_second: int) -> None:
    expected = stats.fisher_exact(np.array([[first, n_first - first], [second, n_second - second]])).pvalue

    assert fisher_exact(first, n_first, second, n_second) == pytest.approx(expected)
