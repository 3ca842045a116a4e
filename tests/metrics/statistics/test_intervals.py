"""Wilson intervals with an effective number of trials."""

import runpy
from pathlib import Path

import numpy as np
import pytest

from linnet.errors import BadSetting
from linnet.metrics.statistics.intervals import FEWEST_UNITS, degrees_of_freedom, share_interval, wilson_interval

BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "intervals.py"


def test_wilson_intervals_are_those_of_the_textbook() -> None:
    """81 of 263: 0.255 to 0.366 (Newcombe 1998, table I, method 3); 0 of 20: 0 to 0.161."""
    assert wilson_interval(81 / 263, 263, 1.959964) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson_interval(0.0, 20, 1.959964) == pytest.approx((0.0, 0.1611), abs=1e-4)


def test_independent_trials_have_the_interval_of_a_share() -> None:
    generator = np.random.default_rng(0)
    resampled = generator.binomial(400, 0.8, size=4000) / 400

    low, high = share_interval(0.8, resampled, n_units=400) or (0, 0)

    assert (low, high) == pytest.approx(wilson_interval(0.8, 400, 1.966), abs=0.002)


@pytest.mark.parametrize("value", [0.0, 1.0, 0.4])
def test_without_variance_the_units_are_the_trials(value: float) -> None:
    found = share_interval(value, np.full(100, value), n_units=20)

    assert found == pytest.approx(wilson_interval(value, 20, 2.093), abs=1e-4)
    assert found is not None
    assert found[0] < found[1]
    assert found[0] <= value <= found[1]


def test_too_few_units_have_no_interval() -> None:
    assert share_interval(1.0, np.ones(10), n_units=FEWEST_UNITS - 1) is None
    assert share_interval(1.0, np.ones(10), n_units=FEWEST_UNITS) is not None


def test_no_more_trials_than_mentions() -> None:
    resampled = np.array([0.8, 0.8 + 1e-5])

    assert share_interval(0.8, resampled, n_units=50, most_trials=100) == pytest.approx(
        wilson_interval(0.8, 100, 2.0096), abs=1e-4
    )


def test_equal_influences_have_as_many_degrees_of_freedom_as_units_and_a_single_one_about_two() -> None:
    normal = np.random.default_rng(1).normal(size=2000)

    assert degrees_of_freedom(normal) == pytest.approx(1999, rel=0.15)
    assert degrees_of_freedom(np.array([1.0] + [0.0] * 99)) == pytest.approx(2.0, abs=0.1)
    assert degrees_of_freedom(np.ones(7)) == 6


def test_a_confidence_that_is_no_share_is_refused() -> None:
    with pytest.raises(BadSetting, match="confidence is 95"):
        share_interval(0.5, np.ones(3), n_units=30, confidence=95)


@pytest.mark.long
@pytest.mark.parametrize("f1", [0.5, 0.85, 0.98])
def test_intervals_cover_the_true_score_as_often_as_they_say(f1: float) -> None:
    """A reduced run of the benchmark, whose coverage is 93 to 97 %: 300 samples have a standard error of 1.3 points."""
    benchmark = runpy.run_path(str(BENCHMARK))

    found = benchmark["measure_coverage"](benchmark["Condition"](30, f1), n_rounds=300, n_resamples=200)

    assert 0.91 <= found.coverage <= 0.99
    assert found.of_sentences < 0.91  # that is why documents are resampled
