"""Pooling over places: variances add up, and seeds that places share make the reading more cautious."""

from math import sqrt

import numpy as np
import pytest
from scipy import stats

from linnet.errors import BadSetting
from linnet.metrics.statistics.hierarchical import PairedDifference, paired_difference
from linnet.metrics.statistics.pooling import mean_over_places, pooled_difference
from linnet.metrics.statistics.spread import Component
from tests.metrics.statistics.samples import constant, random_scores
from tests.metrics.statistics.simulated_grids import Truth, outcomes


def test_variances_of_independent_places_add_up() -> None:
    """By hand: two places with d = (1, 3) and (2, 4) points: S2 / n = 1 with one degree of freedom each.

    The mean is 2.5, its variance 1 / 4 + 1 / 4.
    """
    places = [
        paired_difference([0, 0], [1, 3], constant([0, 0]), constant([1, 3]), n_units=10),
        paired_difference([5, 5], [7, 9], constant([5, 5]), constant([7, 9]), n_units=30),
    ]

    pooled = pooled_difference(places)

    assert pooled.difference == 2.5
    assert pooled.spread.components == (Component(0.25, 1, is_of_seeds=True),) * 2
    assert pooled.standard_error == pytest.approx(sqrt(0.5))
    assert (pooled.n_seeds, pooled.n_units, pooled.wins) == (2, 40, 4)


def test_pooling_is_at_least_as_cautious_as_welch_where_variances_differ() -> None:
    """The difference of two means is a pooled mean of one and minus the other, but for a factor of two."""
    x, y = [3.0, 5.0, 4.0, 9.0], [1.0, 1.5, 0.5]
    means = [
        paired_difference(np.zeros(len(d)), d, np.zeros((10, len(d))), constant(list(d)), n_units=10)
        for d in (x, [-value for value in y])
    ]

    pooled = pooled_difference(means)

    welch = stats.ttest_ind(x, y, equal_var=False)
    assert 2 * pooled.difference == pytest.approx(np.mean(x) - np.mean(y))
    assert welch.pvalue <= pooled.p_value <= 1.3 * welch.pvalue


def test_a_single_place_pools_to_itself() -> None:
    alone = paired_difference(*random_scores(3), n_units=10)

    pooled = pooled_difference([alone])

    assert pooled.p_value == pytest.approx(alone.p_value)
    assert (pooled.low, pooled.high) == pytest.approx((alone.low, alone.high))


def test_places_with_one_seed_pool_without_a_part_of_the_seeds() -> None:
    places = [paired_difference(*random_scores(1, seed=seed), n_units=10) for seed in (1, 2)]

    pooled = pooled_difference(places, seeds=[[1], [1]])

    assert not any(each.is_of_seeds for each in pooled.spread.components)
    assert not pooled.covers_seeds
    assert pooled.spread_of_paired_seeds is None


def test_a_place_of_identical_systems_halves_the_pooled_difference() -> None:
    different = paired_difference(*random_scores(3), n_units=10)
    a, _, resampled, _ = random_scores(3)
    same = paired_difference(a, a, resampled, resampled, n_units=10)

    pooled = pooled_difference([different, same])

    assert pooled.difference == pytest.approx(different.difference / 2)
    assert pooled.standard_error == pytest.approx(different.standard_error / 2)
    assert pooled.p_value == pytest.approx(different.p_value)


def test_the_same_place_twice_is_no_more_evidence_than_once() -> None:
    scores = random_scores(4)

    once, twice = (mean_over_places([scores] * n, n_units=50) for n in (1, 2))

    assert twice.p_value == pytest.approx(once.p_value)
    assert (twice.wins, twice.losses) == (2 * once.wins, 2 * once.losses)


def test_places_with_the_same_units_are_averaged_seed_by_seed() -> None:
    first, second = random_scores(4, seed=1), random_scores(4, seed=2)

    found = mean_over_places([first, second], n_units=50)

    means = [(x + y) / 2 for x, y in zip(first, second, strict=True)]
    assert found.standard_error == pytest.approx(paired_difference(*means, n_units=50).standard_error)
    assert found.wins + found.ties + found.losses == 8


def by_seeds(differences: list[float], seed: int = 0) -> PairedDifference:
    """Return a difference that varies over seeds only."""
    return paired_difference([0] * len(differences), differences, constant([0.0] * len(differences)),
                             constant(differences), n_units=10)  # fmt: skip


def test_seeds_that_are_good_everywhere_are_no_independent_evidence() -> None:
    """By hand: d = (1, 2, 3) in both places. Read as independent, the variance is 2 (1 / 3) / 4 = 1 / 6.

    Paired, the means are 1, 2, 3 with the variance 1 / 3 and two degrees of freedom, as if there were one place.
    """
    place = by_seeds([1.0, 2.0, 3.0])

    apart, paired = (pooled_difference([place, place], seeds=seeds) for seeds in (None, [[1, 2, 3], [1, 2, 3]]))

    assert apart.standard_error == pytest.approx(sqrt(1 / 6))
    assert paired.standard_error == pytest.approx(sqrt(1 / 3))
    assert paired.p_value == pytest.approx(place.p_value)
    assert paired.spread.p_value(2.0) == apart.p_value < paired.p_value
    assert (paired.low, paired.high) == pytest.approx((place.low, place.high))
    assert paired.p_equivalent(3.0) == pytest.approx(place.p_equivalent(3.0))
    assert paired.smallest_detectable() > apart.smallest_detectable()


def test_seeds_that_compensate_do_not_make_a_verdict_bolder() -> None:
    """With d = (1, 2, 3) and (3, 2, 1) the paired means never vary; the reading with independent seeds stays."""
    places = [by_seeds([1.0, 2.0, 3.0]), by_seeds([3.0, 2.0, 1.0])]

    found = pooled_difference(places, seeds=[[1, 2, 3], [1, 2, 3]])

    assert found.p_value == pooled_difference(places).p_value


def test_seeds_are_paired_by_their_numbers_and_only_those_that_all_places_have() -> None:
    """By hand: seeds 2 and 3 have the means (2 + 2) / 2 and (4 + 8) / 2: variance 8 / 2 with one degree of freedom."""
    places = [by_seeds([1.0, 2.0, 4.0]), by_seeds([8.0, 2.0])]

    found = pooled_difference(places, seeds=[[1, 2, 3], [3, 2]])

    assert found.difference == pytest.approx((7 / 3 + 5) / 2)
    assert found.spread_of_paired_seeds is not None
    assert found.spread_of_paired_seeds.components[0] == Component(4.0, 1, is_of_seeds=True)
    assert pooled_difference(places, seeds=[[1, 2, 3], [4, 3]]).spread_of_paired_seeds is None


def test_interactions_with_the_units_of_all_places_add_up() -> None:
    first, second = (paired_difference(*random_scores(4, seed=seed), n_units=50) for seed in (1, 2))

    paired = pooled_difference([first, second], seeds=[[1, 2, 3, 4]] * 2).spread_of_paired_seeds

    assert paired is not None
    seeds, *units = paired.components
    assert seeds.interaction == pytest.approx(
        sum(each.spread.components[0].interaction for each in (first, second)) / 4
    )
    assert [each.variance for each in units] == pytest.approx(
        [each.spread.components[1].variance / 4 for each in (first, second)]
    )


def test_nothing_to_pool_and_places_that_do_not_match_are_refused() -> None:
    good = random_scores(3)

    with pytest.raises(BadSetting, match="no differences"):
        pooled_difference([])
    with pytest.raises(BadSetting, match="there are none"):
        mean_over_places([], n_units=10)
    with pytest.raises(BadSetting, match="3 seeds and 50 resamples, 2 seeds and 50"):
        mean_over_places([good, random_scores(2)], n_units=10)


@pytest.mark.long
def test_pooling_two_corpora_keeps_the_rate() -> None:
    verdicts = outcomes(Truth(), n_grids=1000).verdicts

    pooled = [pooled_difference(verdicts[n : n + 2]) for n in range(0, 1000, 2)]

    assert np.mean([verdict.p_value < 0.05 for verdict in pooled]) <= 0.07  # 500 pairs: two standard errors
