"""The spread of a difference: Student's t for one variance, Behrens and Fisher for two, checked against scipy."""

from math import inf, sqrt

import numpy as np
import pytest
from scipy import stats

from linnet.metrics.statistics.spread import Component, Spread, find_zero


@pytest.mark.parametrize("degrees", [1.0, 2.0, 4.0, 9.0, inf])
def test_one_component_is_students_t(degrees: float) -> None:
    spread = Spread([Component(0.25, degrees)])

    assert spread.standard_error == 0.5
    assert spread.p_value(-1.2) == pytest.approx(2 * stats.t.sf(1.2 / 0.5, degrees))
    assert spread.half_width(0.95) == pytest.approx(stats.t.ppf(0.975, degrees) * 0.5)


def test_two_one_sided_tests_are_those_of_students_t() -> None:
    """By hand: a difference of 0.2 is (1 - 0.2) / 0.25 = 3.2 standard errors from the nearer margin."""
    spread = Spread([Component(0.0625, 4.0)])

    assert spread.p_equivalent(0.2, 1.0) == pytest.approx(stats.t.sf(3.2, 4))
    assert spread.p_equivalent(-0.2, 1.0) == pytest.approx(stats.t.sf(3.2, 4))
    assert spread.p_equivalent(1.0, 1.0) == pytest.approx(0.5)
    assert spread.p_equivalent(2.0, 1.0) > 0.5


@pytest.mark.parametrize(("first", "second", "ratio"), [(2, 2, 1.0), (4, 9, 0.3), (2, 939, 2.0), (7, 11, 1.0)])
def test_two_components_are_the_test_of_behrens_and_fisher(first: int, second: int, ratio: float) -> None:
    """The distribution of Behrens and Fisher is that of s1 t1 + s2 t2, with independent t; drawn a million times."""
    generator = np.random.default_rng(first)
    drawn = generator.standard_t(first, 1_000_000) + sqrt(ratio) * generator.standard_t(second, 1_000_000)
    critical = float(np.quantile(np.abs(drawn), 0.95))

    spread = Spread([Component(1.0, first), Component(ratio, second)])

    assert spread.half_width(0.95) == pytest.approx(critical, rel=0.01)
    assert spread.p_value(critical) == pytest.approx(0.05, abs=0.001)


def test_an_unknown_variance_allows_any_difference() -> None:
    spread = Spread([Component(inf, 0.0), Component(1.0, 4.0)])

    assert spread.p_value(5.0) == 1
    assert spread.half_width(0.95) == inf
    assert spread.p_equivalent(0.0, 1.0) == 0.5


def test_without_any_variance_every_difference_is_certain() -> None:
    spread = Spread([Component(0.0, 4.0)])

    assert (spread.p_value(0.0), spread.p_value(0.1), spread.half_width(0.95)) == (1, 0, 0)
    assert (spread.p_equivalent(0.1, 1.0), spread.p_equivalent(1.1, 1.0)) == (0, 1)


def test_the_same_components_give_the_same_result() -> None:
    components = [Component(1.0, 4.0, is_of_seeds=True), Component(0.5, 99.0)]

    assert Spread(components).p_value(1.5) == Spread(components).p_value(1.5)
    assert Spread(components).p_value(1.5) == Spread(components).p_value(-1.5)


def test_interval_and_p_value_agree() -> None:
    spread = Spread([Component(1.0, 4.0, is_of_seeds=True), Component(0.5, 99.0)])

    assert spread.p_value(spread.half_width(0.95)) == pytest.approx(0.05, abs=1e-6)


def test_the_zero_of_a_falling_function_is_found() -> None:
    assert find_zero(lambda x: 2 - x**3, start=0.1) == pytest.approx(2 ** (1 / 3))
    assert find_zero(lambda x: -1 - x, start=1.0) == 0
    assert find_zero(lambda _: 1.0, start=1.0) == inf
