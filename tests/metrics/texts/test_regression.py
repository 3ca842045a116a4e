"""Metrics of regression; the referee is scipy."""

import numpy as np
import pytest
from scipy import stats

from linnet.errors import BadSetting
from linnet.metrics.mentions.tally import Array
from linnet.metrics.statistics.bootstrap import unit_weights
from linnet.metrics.texts.regression import regression_metrics
from linnet.metrics.texts.resampled import Metric, evaluate_metrics, plain_value


def metrics_by_name(gold: Array | list[float], predicted: Array | list[float]) -> dict[str, Metric]:
    return {metric.name: metric for metric in regression_metrics(list(gold), list(predicted))}


def values(gold: Array | list[float], predicted: Array | list[float]) -> dict[str, float]:
    return {name: plain_value(metric) for name, metric in metrics_by_name(gold, predicted).items()}


def random_numbers(n: int, seed: int, *, digits: int) -> tuple[Array, Array]:
    """Return two correlated columns; few digits make many ties."""
    generator = np.random.default_rng(seed)
    gold = generator.normal(size=n)
    return gold.round(digits), (gold + generator.normal(size=n)).round(digits)


def test_correlations_and_error_by_hand() -> None:
    """Deviations from the means 2 and 3 are (-1, 0, 1) and (-2, 2, 0): r = 2 / sqrt(2 * 8) = 0.5.

    Ranks are (1, 2, 3) and (1, 3, 2): rho = 1 - 6 * (0 + 1 + 1) / (3 * 8) = 0.5. Errors are 0, 3 and 0: 9 / 3 = 3.
    """
    found = values([1, 2, 3], [1, 5, 3])

    assert found == pytest.approx({"pearson": 0.5, "spearman": 0.5, "mse": 3.0})


def test_tied_values_share_their_mean_rank() -> None:
    """Ranks are (1.5, 1.5, 3, 4) and (1, 2, 3, 4), deviations (-1, -1, 0.5, 1.5) and (-1.5, -0.5, 0.5, 1.5).

    rho = (1.5 + 0.5 + 0.25 + 2.25) / sqrt(4.5 * 5) = 4.5 / sqrt(22.5).
    """
    assert values([0, 0, 7, 9], [1, 2, 3, 4])["spearman"] == pytest.approx(4.5 / np.sqrt(22.5))


def test_only_the_error_wants_to_be_low() -> None:
    assert {name: m.higher_is_better for name, m in metrics_by_name([1], [1]).items()} == {
        "pearson": True,
        "spearman": True,
        "mse": False,
    }


@pytest.mark.parametrize("digits", [0, 1, 8])
def test_scipy_finds_the_same(digits: int) -> None:
    gold, predicted = random_numbers(200, seed=0, digits=digits)

    found = values(gold, predicted)

    assert found["pearson"] == pytest.approx(stats.pearsonr(gold, predicted).statistic)
    assert found["spearman"] == pytest.approx(stats.spearmanr(gold, predicted).statistic)
    assert found["mse"] == pytest.approx(np.mean((gold - predicted) ** 2))


@pytest.mark.parametrize("digits", [0, 1, 8])
def test_scipy_finds_the_same_in_resamples(digits: int) -> None:
    gold, predicted = random_numbers(40, seed=1, digits=digits)
    weights = unit_weights(40, n_resamples=20, seed=2)
    metrics = metrics_by_name(gold, predicted)

    pearson, spearman = metrics["pearson"](weights), metrics["spearman"](weights)

    for drawn, r, rho in zip(weights, pearson, spearman, strict=True):
        copies = drawn.astype(int)
        again = np.repeat(gold, copies), np.repeat(predicted, copies)
        assert r == pytest.approx(stats.pearsonr(*again).statistic)
        assert rho == pytest.approx(stats.spearmanr(*again).statistic)


@pytest.mark.parametrize(("gold", "predicted"), [([0.1] * 5, [1, 2, 3, 4, 5]), ([1, 2, 3], [0.1, 0.1, 0.1])])
def test_a_correlation_with_a_constant_is_zero(gold: list[float], predicted: list[float]) -> None:
    found = values(gold, predicted)

    assert (found["pearson"], found["spearman"]) == (0.0, 0.0)


def test_a_resample_of_equal_values_scores_zero() -> None:
    metrics = metrics_by_name([0.1, 0.1, 0.7], [0.3, 0.9, 0.6])
    weights = np.array([[1.0, 2.0, 0.0], [3.0, 0.0, 0.0], [0.0, 0.0, 0.0]])  # equal gold, one unit, none

    assert metrics["pearson"](weights).tolist() == [0.0, 0.0, 0.0]
    assert metrics["spearman"](weights).tolist() == [0.0, 0.0, 0.0]


def test_intervals_of_few_units_are_numbers() -> None:
    """Of 3,125 resamples of five units, five are one unit five times, where correlations are undefined."""
    found = evaluate_metrics(regression_metrics([1, 2, 3, 4, 5], [1, 3, 2, 5, 4]), n_resamples=2000)

    ends = [end for figure in found.values() for end in (figure.value, figure.low, figure.high)]
    assert all(end is not None and np.isfinite(end) for end in ends)


@pytest.mark.parametrize("scale", [1e-150, 1e-9, 1e9, 1e150])
def test_correlations_do_not_depend_on_shift_and_scale(scale: float) -> None:
    gold, predicted = random_numbers(50, seed=3, digits=4)

    found = values(scale * gold, predicted + 1e6)

    expected = values(gold, predicted)
    assert found["pearson"] == pytest.approx(expected["pearson"], abs=1e-6)
    assert values(scale * gold, predicted)["spearman"] == pytest.approx(expected["spearman"])


def test_correlations_stay_between_minus_one_and_one() -> None:
    gold = np.random.default_rng(4).normal(size=30)
    metric = metrics_by_name(gold, 0.1 - 3 * gold)["pearson"]

    scores = metric(unit_weights(30, n_resamples=100, seed=0))

    assert scores == pytest.approx(-1.0)
    assert scores.min() >= -1.0


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_unknown_numbers_are_refused_with_their_place(value: float) -> None:
    with pytest.raises(BadSetting, match=r"predicted value 1 \(counted from 0\) is (nan|inf)"):
        regression_metrics([1, 2], [1, value])


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(BadSetting, match="1 gold, 2 predicted"):
        regression_metrics([1], [1, 2])
