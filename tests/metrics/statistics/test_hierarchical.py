"""Hierarchical paired bootstrap over seeds and units, checked by hand and by simulation.

The rates of simulated grids have a standard deviation of 0.7 points where 1,000 grids are simulated and the true rate
is 5 %; the bounds are about three of them wide.
"""

from functools import cache
from itertools import pairwise
from math import inf, sqrt

import numpy as np
import pytest
from scipy import stats

from linnet.errors import BadSetting
from linnet.metrics.mentions.matching import SPANS
from linnet.metrics.mentions.scores import score
from linnet.metrics.mentions.tally import Counts
from linnet.metrics.statistics.bootstrap import unit_weights
from linnet.metrics.statistics.hierarchical import (
    PairedScores,
    count_effective_units,
    paired_difference,
    resampled_scores,
)
from linnet.metrics.statistics.pooling import pooled_difference
from linnet.metrics.statistics.spread import Spread
from tests.metrics.mentions.samples import random_rows, units_of, with_noise
from tests.metrics.statistics.samples import constant, random_scores
from tests.metrics.statistics.simulated_grids import STRONG, Outcomes, Truth, outcomes, simulate


@cache
def simulated(truth: Truth) -> Outcomes:
    return outcomes(truth, n_grids=1000)


def system(found: list[int]) -> Counts:
    """Return counts of a system that finds none to all of four gold marks in each unit, and predicts nothing else."""
    hits = np.array(found, dtype=np.float64)
    values = np.stack([np.full(len(hits), 4.0), hits, hits, hits], axis=1)
    return Counts(("X",), SPANS, values[:, np.newaxis, :])


def test_a_resample_scores_the_drawn_units() -> None:
    gold = random_rows(40, seed=1)
    units = units_of(gold, with_noise(gold, 0.2, seed=2))
    counts = score(units, names=["fair"], n_resamples=0).counts["fair"]
    weights = unit_weights(40, n_resamples=5, seed=7)

    resampled = resampled_scores([counts], n_resamples=5, seed=7)

    for drawn, f1 in zip(weights, resampled[:, 0], strict=True):
        again = [unit for unit, times in zip(units, drawn, strict=True) for _ in range(int(times))]
        assert f1 == pytest.approx(score(again, names=["fair"], n_resamples=0).matching("fair").micro.f1)


def test_systems_resampled_in_separate_calls_are_still_paired() -> None:
    a, b = system([0, 1, 2, 3, 4] * 5), system([4, 1, 0, 3, 2] * 5)

    together = resampled_scores([a, b], n_resamples=30, seed=4)
    apart = [resampled_scores([counts], n_resamples=30, seed=4) for counts in (a, b)]

    assert together == pytest.approx(np.hstack(apart))


def test_the_variance_is_that_of_the_formula() -> None:
    """By hand, in points: d = (1, 3), so D = 2, S2 = 2, S2 / n = 1.

    Resampled differences (2, 2), (0, 4), (5, 7), (-3, -1) have the means 2, 2, 6, -2: V_units = 32 / 3. Minus d and
    minus their mean: (1, -1), (-1, 1), (0, 0), (0, 0), so V_inter = (2 + 2) / 4 / 2 = 0.5. Both are multiplied by
    9 / 8, because nine units drawn with replacement vary less than nine new ones: 12 and 0.5625.
    """
    resampled = [[2, 2], [0, 4], [5, 7], [-3, -1]]

    found = paired_difference([0, 0], [1, 3], np.zeros((4, 2)), resampled, n_units=9)

    seeds, units = found.spread.components
    assert seeds == pytest.approx((1, 1, True, 0.5625))
    assert units == pytest.approx((12 - 0.5625, 8, False, 0))
    assert found.difference == 2
    assert found.standard_error == pytest.approx(sqrt(1 + 12 - 0.5625))
    assert found.p_value == Spread([seeds, units]).p_value(2)
    assert found.high == 2 + Spread([seeds, units]).half_width(0.95)
    assert found.low == pytest.approx(4 - found.high)
    assert found.by_seed == (1, 3)
    assert (found.n_seeds, found.n_units, found.wins, found.ties, found.losses) == (2, 9, 2, 0, 0)


def test_seeds_that_agree_by_chance_vary_as_much_as_their_interaction() -> None:
    """By hand: d = (2, 2) has S2 = 0, but V_inter = 0.5625 as above, which takes its place.

    V_units is 12 as above, so the units' part is 12 - 0.5625.
    """
    resampled = [[3, 1], [1, 3], [6, 6], [-2, -2]]

    found = paired_difference([0, 0], [2, 2], np.zeros((4, 2)), resampled, n_units=9)

    seeds, units = found.spread.components
    assert (seeds.variance, seeds.interaction, units.variance) == pytest.approx((0.5625, 0.5625, 12 - 0.5625))


def test_interaction_alone_leaves_the_variance_to_the_seeds() -> None:
    """Each seed moves on its own, so all of V_units is interaction: the units' part is cut at 0, a t-test remains."""
    a, b = [0.80, 0.81, 0.79], [0.82, 0.81, 0.83]
    moved = np.array([[1, -1, 0], [0, 1, -1], [-1, 0, 1]]) / 100

    found = paired_difference(a, b, constant(a, 3), b + moved, n_units=100)

    assert found.p_value == pytest.approx(stats.ttest_rel(b, a).pvalue)
    assert found.spread.components[0].interaction == pytest.approx(100 / 99 * 2e-4 / 6)


@pytest.mark.parametrize("n_seeds", [2, 3, 5, 10])
def test_without_variation_of_units_it_is_the_paired_t_test(n_seeds: int) -> None:
    a, b, *_ = random_scores(n_seeds)

    found = paired_difference(a, b, constant(a.tolist()), constant(b.tolist()), n_units=1000)

    t_test = stats.ttest_rel(b, a)
    interval = t_test.confidence_interval(0.95)
    assert (found.p_value, found.low, found.high) == pytest.approx((t_test.pvalue, interval.low, interval.high))


def test_without_variation_of_seeds_it_is_the_bootstrap_of_units() -> None:
    """Where every seed gives the same run, more seeds add nothing: one seed gives the same answer."""
    one = random_scores(1)
    five = PairedScores(*(np.repeat(values, 5, axis=-1) for values in one))

    found, expected = (paired_difference(*scores, n_units=300) for scores in (five, one))

    assert found.standard_error == pytest.approx(expected.standard_error)
    assert found.p_value == pytest.approx(expected.p_value)


def test_the_order_of_seeds_does_not_matter() -> None:
    scores = random_scores(5)
    order = [3, 0, 4, 2, 1]

    found = paired_difference(*(values[..., order] for values in scores), n_units=200)
    expected = paired_difference(*scores, n_units=200)

    assert found.p_value == pytest.approx(expected.p_value)
    assert found.standard_error == pytest.approx(expected.standard_error)
    assert found.wins == expected.wins


def test_exchanging_the_systems_turns_the_sign_only() -> None:
    a, b, resampled_a, resampled_b = random_scores(4)

    there = paired_difference(a, b, resampled_a, resampled_b, n_units=200)
    back = paired_difference(b, a, resampled_b, resampled_a, n_units=200)

    assert (back.difference, back.low, back.high) == pytest.approx((-there.difference, -there.high, -there.low))
    assert back.p_value == pytest.approx(there.p_value)
    assert (back.wins, back.ties, back.losses) == (there.losses, there.ties, there.wins)


def test_what_all_runs_have_in_common_cancels() -> None:
    """Sentences that are hard for every run move both systems alike; so does a seed that is bad for both."""
    a, b, resampled_a, resampled_b = random_scores(4)
    by_seed = np.array([0.01, -0.02, 0.03, 0.0])
    by_draw = np.linspace(-0.1, 0.1, 50)[:, np.newaxis]

    found = paired_difference(
        a + by_seed, b + by_seed, resampled_a + by_seed + by_draw, resampled_b + by_seed + by_draw, n_units=200
    )

    expected = paired_difference(a, b, resampled_a, resampled_b, n_units=200)
    assert found.standard_error == pytest.approx(expected.standard_error)
    assert found.p_value == pytest.approx(expected.p_value)


@pytest.mark.parametrize("n_seeds", [1, 3])
def test_identical_systems_do_not_differ(n_seeds: int) -> None:
    a, _, resampled, _ = random_scores(n_seeds)

    found = paired_difference(a, a, resampled, resampled, n_units=100)

    assert (found.difference, found.low, found.high, found.p_value) == (0, 0, 0, 1)
    assert (found.standard_error, found.smallest_detectable()) == (0, 0)
    assert (found.wins, found.ties, found.losses) == (0, n_seeds, 0)


def test_one_seed_leaves_the_variation_of_seeds_unknown() -> None:
    scores = random_scores(1)
    deviation = sqrt(100 / 99) * float((scores.resampled_b - scores.resampled_a).std(ddof=1))

    found = paired_difference(*scores, n_units=100)

    assert not found.covers_seeds
    assert found.standard_error == pytest.approx(deviation)
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(found.difference) / deviation, 99))
    assert paired_difference(*random_scores(2), n_units=100).covers_seeds


def test_units_vary_as_their_differences_do_if_the_score_is_a_mean() -> None:
    """With the mean over units as the score and one seed, this is the paired t-test over units."""
    a, b = np.random.default_rng(3).normal(0.5, 0.1, size=(2, 12))
    weights = unit_weights(12, n_resamples=20_000, seed=1) / 12

    found = paired_difference(
        [a.mean()], [b.mean()], (weights @ a)[:, np.newaxis], (weights @ b)[:, np.newaxis], n_units=12
    )

    assert found.p_value == pytest.approx(stats.ttest_rel(b, a).pvalue, rel=0.03)


def test_a_difference_that_never_varies_has_the_smallest_p_value_but_not_zero() -> None:
    """A system that finds nothing against one that is perfect: no resample tells them apart from any other."""
    found = paired_difference([0, 0, 0], [1, 1, 1], np.zeros((99, 3)), np.ones((99, 3)), n_units=940)

    assert found.p_value == pytest.approx(1 / 100)  # 99 resamples and the observed one
    assert 0 < found.low < 1 < found.high


def test_few_units_that_agree_prove_little() -> None:
    """By hand: of the 2 ** 4 ways to exchange the systems in four units, two are as extreme: p = 2 / 16."""
    found = paired_difference([0, 0], [1, 1], np.zeros((999, 2)), np.ones((999, 2)), n_units=4)

    assert found.p_value == pytest.approx(2 / 16)
    assert found.low < 0


@pytest.mark.parametrize("n_seeds", [1, 2, 5])
def test_one_unit_proves_nothing(n_seeds: int) -> None:
    """Issue 23: one test unit gave p = 0.001."""
    a, b, resampled_a, resampled_b = random_scores(n_seeds)

    found = paired_difference(a, b + 0.5, resampled_a, resampled_b + 0.5, n_units=1)

    assert (found.p_value, found.low, found.high) == (1, -inf, inf)
    assert found.smallest_detectable() == inf
    assert found.p_equivalent(0.01) >= 0.5
    assert pooled_difference([found, found]).p_value == 1


def test_wins_ties_and_losses_are_counted_over_seeds() -> None:
    a = [0.5, 0.1 + 0.2, 0.7, 0.9]
    b = [0.6, 0.3, 0.6, 0.8]  # 0.1 + 0.2 is 0.3 but for rounding

    found = paired_difference(a, b, constant(a), constant(b), n_units=10)

    assert (found.wins, found.ties, found.losses) == (1, 1, 2)


def test_the_smallest_detectable_difference_has_the_stated_power() -> None:
    """By hand: normal quantiles 1.95996 (0.05 two-sided) and 0.84162 (power 0.8); 2.63826 for 0.05 / 6."""
    scores = random_scores(1)
    found = paired_difference(*scores, n_units=1_000_000_000)

    assert found.smallest_detectable() == pytest.approx((1.95996 + 0.84162) * found.standard_error, rel=1e-3)
    of_six = found.smallest_detectable(family_size=6)
    assert of_six == pytest.approx((2.63826 + 0.84162) * found.standard_error, rel=1e-3)


def test_bad_arguments_are_refused() -> None:
    good = random_scores(3)
    alone = paired_difference(*good, n_units=10)

    with pytest.raises(BadSetting, match=r"shapes \(3,\), \(2,\)"):
        paired_difference(good.a, good.b[:2], good.resampled_a, good.resampled_b, n_units=10)
    with pytest.raises(BadSetting, match="shapes"):
        paired_difference(good.a, good.b, good.resampled_a, good.resampled_b[:7], n_units=10)
    with pytest.raises(BadSetting, match="not finite"):
        paired_difference(good.a * np.nan, good.b, good.resampled_a, good.resampled_b, n_units=10)
    with pytest.raises(BadSetting, match="confidence is 95"):
        paired_difference(*good, n_units=10, confidence=95)
    with pytest.raises(BadSetting, match="family_size is 0"):
        alone.smallest_detectable(family_size=0)


def test_systems_scored_on_other_units_are_refused() -> None:
    other_gold = system([1, 1])
    other_gold.values[1, 0, 0] = 7
    gold = random_rows(5, seed=1)
    counts = score(units_of(gold, gold), n_resamples=0).counts

    with pytest.raises(BadSetting, match="systems 1 and 3 were scored on 2 and 3 units"):
        resampled_scores([system([1, 2]), system([2, 2]), system([1, 2, 3])], n_resamples=10, seed=0)
    with pytest.raises(BadSetting, match="different gold marks, first in unit 1"):
        resampled_scores([system([1, 1]), other_gold], n_resamples=10, seed=0)
    with pytest.raises(BadSetting, match="different matchings"):
        resampled_scores([counts["strict"], counts["fair"]], n_resamples=10, seed=0)
    with pytest.raises(BadSetting, match="no systems"):
        resampled_scores([], n_resamples=10, seed=0)


@pytest.mark.long
def test_simulated_grids_look_like_real_ones() -> None:
    """Of NCBI disease: 940 sentences with 960 mentions, 43 % without any; seeds disagree on about 7 % of the mentions.

    The standard deviation of F1 over seeds is 0.6 points as in the WeLT paper's tables; `STRONG` doubles it.
    """
    grids = simulate(Truth(), n_grids=100, generator=np.random.default_rng(0))
    found, strong = simulated(Truth()), simulated(Truth(seed_effect=STRONG))

    disagreeing = np.abs(grids.correct[..., 0] - grids.correct[..., 1])[:, :, 0].sum() / grids.gold.sum()
    assert grids.gold.mean() == pytest.approx(1.02, abs=0.02)
    assert (grids.gold == 0).mean() == pytest.approx(0.43, abs=0.02)
    assert disagreeing == pytest.approx(0.065, abs=0.01)
    assert found.scores.mean() == pytest.approx(0.8, abs=0.002)
    assert found.seed_deviation == pytest.approx(0.006, abs=0.0005)
    assert strong.seed_deviation == pytest.approx(0.012, abs=0.0005)


def test_simulated_scores_are_those_of_counts() -> None:
    grids = simulate(Truth(n_seeds=2, n_units=60), n_grids=2, generator=np.random.default_rng(0))
    runs = [grids.counts(1, system, seed) for system in range(2) for seed in range(2)]

    f1 = grids.f1(unit_weights(60, n_resamples=20, seed=5))

    assert f1[1].reshape(20, 4) == pytest.approx(resampled_scores(runs, n_resamples=20, seed=5))


@pytest.mark.long
@pytest.mark.parametrize(
    "truth",
    [
        pytest.param(Truth(), id="5 seeds"),
        pytest.param(Truth(n_seeds=3), id="3 seeds"),
        pytest.param(Truth(n_seeds=10), id="10 seeds"),
        pytest.param(Truth(seed_effect=0.0), id="seed effects off"),
        pytest.param(Truth(seed_effect=STRONG), id="strong seed effects"),
    ],
)
def test_without_a_true_difference_one_in_twenty_grids_finds_one(truth: Truth) -> None:
    found = simulated(truth)

    assert 0.02 <= found.found <= 0.065  # 5 % and less; more is two standard errors above
    assert 0.935 <= found.covered(0.0) <= 0.98


@pytest.mark.long
def test_a_true_difference_of_two_points_is_found() -> None:
    truth = Truth(effect=0.02)

    found = simulated(truth)

    differences = [verdict.difference for verdict in found.verdicts]
    assert np.mean(differences) == pytest.approx(0.02, abs=0.0005)
    assert found.found >= 0.8
    assert 0.93 <= found.covered(truth.effect) <= 0.97


@pytest.mark.long
@pytest.mark.parametrize("family_size", [1, 6])
@pytest.mark.parametrize("n_seeds", [3, 5, 10])
def test_the_smallest_detectable_difference_is_found_in_four_grids_of_five(n_seeds: int, family_size: int) -> None:
    """What each grid says is detectable becomes the truth of the next one."""
    found = simulated(Truth(n_seeds=n_seeds)).verdicts[:500]

    detected = [
        after.spread.p_value(after.difference + before.smallest_detectable(family_size=family_size))
        < 0.05 / family_size
        for before, after in pairwise(found)
    ]

    assert np.mean(detected) == pytest.approx(0.8, abs=0.07)  # 500 grids: a standard error of 1.8 points


@pytest.mark.long
def test_simpler_methods_miss_the_rate() -> None:
    """What we compare with: each is right in some grids and far off in others, in both directions."""
    usual, strong = simulated(Truth()), simulated(Truth(seed_effect=STRONG))
    quiet = simulated(Truth(seed_effect=0.0))

    assert usual.double_percentile.mean() < 0.03
    assert strong.double_percentile.mean() > 0.055
    assert quiet.seeds_only.mean() > 0.09
    assert strong.units_only.mean() > 0.3


@pytest.mark.long
def test_three_seeds_have_no_more_false_positives_than_stated_and_those_of_hillis_do() -> None:
    found = simulated(Truth(n_seeds=3))

    assert found.found <= 0.06 < found.hillis.mean()


def test_units_of_unequal_size_have_fewer_degrees_of_freedom() -> None:
    scores = random_scores(3)

    equal, unequal = (paired_difference(*scores, n_units=20, effective_units=number) for number in (20.0, 5.0))

    assert equal.p_value == paired_difference(*scores, n_units=20).p_value
    assert [part.degrees for part in unequal.spread.components] == [2, 4]
    assert unequal.p_value > equal.p_value
    assert unequal.n_units == 20


def test_units_that_count_for_less_than_two_tell_nothing() -> None:
    found = paired_difference(*random_scores(3), n_units=20, effective_units=1.9)

    assert (found.p_value, found.low, found.high) == (1, -inf, inf)


@pytest.mark.parametrize(("sizes", "number"), [([2, 2, 2, 2], 4.0), ([1, 0, 0], 1.0), ([0, 0], 2.0), ([3, 1], 1.6)])
def test_effective_units_are_the_squared_sum_by_the_sum_of_squares(sizes: list[int], number: float) -> None:
    assert count_effective_units(sizes) == pytest.approx(number)
