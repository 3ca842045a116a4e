"""Significance tests of two systems, and Holm's correction."""

from collections.abc import Callable

import numpy as np
import pytest

from linnet.errors import BadSetting
from linnet.metrics.mentions.matching import SPANS
from linnet.metrics.mentions.scores import score
from linnet.metrics.mentions.tally import Counts
from linnet.metrics.statistics.significance import Difference, approximate_randomization, holm, paired_bootstrap
from tests.metrics.mentions.samples import random_rows, units_of, with_noise

PairedTest = Callable[..., Difference]

TESTS = [paired_bootstrap, approximate_randomization]


def system(found: list[int]) -> Counts:
    """Return counts of a system that finds none to all of four gold marks in each unit, and predicts nothing else."""
    hits = np.array(found, dtype=np.float64)
    values = np.stack([np.full(len(hits), 4.0), hits, hits, hits], axis=1)
    return Counts(("X",), SPANS, values[:, np.newaxis, :])


def random_system(generator: np.random.Generator, n_units: int, skill: float) -> Counts:
    return system(generator.binomial(4, skill, size=n_units).tolist())


@pytest.mark.parametrize("test", TESTS)
def test_identical_systems_do_not_differ(test: PairedTest) -> None:
    same = system([0, 1, 2, 3, 4] * 20)

    found = test(same, same, n_resamples=200)

    assert (found.difference, found.low, found.high, found.p_value) == (0.0, 0.0, 0.0, 1.0)
    assert found.n_units == 100


@pytest.mark.parametrize("test", TESTS)
def test_a_clear_difference_has_the_smallest_p_value_but_not_zero(test: PairedTest) -> None:
    found = test(system([1] * 60), system([3] * 60), n_resamples=999)

    assert found.difference == pytest.approx(6 / 7 - 2 / 5)  # F1 = 2 * 3 / (4 + 3) and 2 * 1 / (4 + 1)
    assert found.low <= found.difference <= found.high
    assert found.p_value == pytest.approx(1 / 1000)


@pytest.mark.parametrize("test", [paired_bootstrap, approximate_randomization])
@pytest.mark.parametrize(("n_units", "least"), [(1, 1.0), (3, 0.25)])
def test_few_units_show_little(test: PairedTest, n_units: int, least: float) -> None:
    """Issue 23: one unit gave p = 0.001; the sign test of n units cannot go below 2 / 2^n."""
    found = test(system([0] * n_units), system([4] * n_units))

    assert found.p_value >= least


@pytest.mark.parametrize("test", TESTS)
def test_exchanging_the_systems_turns_the_sign_only(test: PairedTest) -> None:
    generator = np.random.default_rng(0)
    a, b = random_system(generator, 200, 0.5), random_system(generator, 200, 0.55)

    there, back = test(a, b, n_resamples=4000), test(b, a, n_resamples=4000)

    assert back.difference == -there.difference
    assert back.p_value == pytest.approx(there.p_value, abs=0.03)
    assert back.low == pytest.approx(-there.high, abs=0.01)


@pytest.mark.parametrize("test", TESTS)
def test_p_values_of_equal_systems_are_about_uniform(test: PairedTest) -> None:
    """Of 300 uniform p-values, 15 +/- 4 fall below 0.05, and their mean is 0.5 +/- 0.017 (one standard deviation).

    Exchanges move the number of hits in steps of two, and ties count as extreme, which lifts the mean by about 0.03.
    """
    generator = np.random.default_rng(1)

    p_values = np.array(
        [
            test(
                random_system(generator, 200, 0.6), random_system(generator, 200, 0.6), n_resamples=300, seed=n
            ).p_value
            for n in range(300)
        ]
    )

    assert 4 <= np.count_nonzero(p_values <= 0.05) <= 27
    assert p_values.mean() == pytest.approx(0.515, abs=0.06)


def test_both_tests_agree_on_real_looking_output() -> None:
    gold = random_rows(300, seed=1)
    good, poor = (
        score(units_of(gold, with_noise(gold, share, seed=2)), names=["strict"], n_resamples=0).counts["strict"]
        for share in (0.1, 0.13)
    )

    drawn, exchanged = paired_bootstrap(poor, good), approximate_randomization(poor, good)

    assert drawn.difference == exchanged.difference > 0
    assert drawn.p_value == pytest.approx(exchanged.p_value, abs=0.02)


def test_approximate_randomization_equals_exact_enumeration() -> None:
    """By hand: three units, b finds one mark more in each; of 8 exchanges 2 are as extreme (none, all): p = 0.25."""
    found = approximate_randomization(system([1, 1, 1]), system([2, 2, 2]), n_resamples=20_000)

    assert found.p_value == pytest.approx(0.25, abs=0.01)


@pytest.mark.parametrize("test", TESTS)
def test_the_seed_repeats_the_result(test: PairedTest) -> None:
    generator = np.random.default_rng(3)
    a, b = random_system(generator, 50, 0.5), random_system(generator, 50, 0.6)

    assert test(a, b, n_resamples=100, seed=5) == test(a, b, n_resamples=100, seed=5)


@pytest.mark.parametrize("test", TESTS)
def test_systems_scored_on_different_units_are_refused(test: PairedTest) -> None:
    with pytest.raises(BadSetting, match="systems 1 and 2 were scored on 3 and 2 units"):
        test(system([1, 2, 3]), system([1, 2]))


def test_systems_scored_against_different_gold_are_refused() -> None:
    other = system([1, 1])
    other.values[1, 0, 0] = 7

    with pytest.raises(BadSetting, match="different gold marks, first in unit 1"):
        paired_bootstrap(system([1, 1]), other)


def test_different_matchings_are_refused() -> None:
    gold = random_rows(5, seed=1)
    counts = score(units_of(gold, gold), n_resamples=0).counts

    with pytest.raises(BadSetting, match="different matchings"):
        paired_bootstrap(counts["strict"], counts["fair"])


def test_a_test_without_trials_is_refused() -> None:
    with pytest.raises(BadSetting, match="n_resamples is 0"):
        paired_bootstrap(system([1]), system([1]), n_resamples=0)


def test_holm_multiplies_the_smallest_most() -> None:
    """By hand: sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1 gives 0.02, 0.03, 0.06, 0.04; the last may not fall."""
    adjusted = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005})

    assert adjusted == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06, "d": 0.02})


def test_holm_never_exceeds_one_and_leaves_a_single_value_alone() -> None:
    assert holm({"a": 0.7, "b": 0.9}) == {"a": 1.0, "b": 1.0}
    assert holm({"a": 0.04}) == {"a": 0.04}
    assert holm({}) == {}


def test_holm_refuses_what_is_no_p_value() -> None:
    with pytest.raises(BadSetting, match="not p-values"):
        holm({"a": float("nan")})
