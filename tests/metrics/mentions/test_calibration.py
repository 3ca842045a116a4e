"""Calibration: a rising map from scores to the probability of being right."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.metrics.mentions.calibration import LEAST_MENTIONS, Calibration, fit_calibration
from linnet.metrics.mentions.reliability import measure_reliability


def overconfident(number: int, seed: int = 1) -> tuple[list[float], list[bool]]:
    """Return scores, and mentions that are right less often than these say."""
    draw = np.random.default_rng(seed)
    true = draw.uniform(0.3, 0.95, number)
    log_odds = 2.5 * np.log(true / (1 - true)) + 1.0
    return (1 / (1 + np.exp(-log_odds))).tolist(), (draw.uniform(size=number) < true).tolist()


@pytest.mark.parametrize("number", [400, 4000])
def test_calibrated_scores_say_how_often_mentions_are_right(number: int) -> None:
    calibration = fit_calibration(*overconfident(number))
    assert calibration is not None

    scores, is_right = overconfident(5000, seed=2)

    before = measure_reliability(scores, is_right).ece
    after = measure_reliability(calibration.apply(scores).tolist(), is_right).ece
    assert before is not None
    assert after is not None
    assert before > 0.1
    assert after < 0.03


def test_isotonic_is_chosen_where_a_line_does_not_fit() -> None:
    draw = np.random.default_rng(3)
    scores = draw.uniform(0.02, 0.98, 3000)
    is_right = draw.uniform(size=3000) < np.where(scores < 0.5, 0.2, 0.9)

    calibration = fit_calibration(scores.tolist(), is_right.tolist())

    assert calibration is not None
    assert calibration.method == "isotonic"
    assert calibration.apply([0.3])[0] == pytest.approx(0.2, abs=0.05)
    assert calibration.apply([0.8])[0] == pytest.approx(0.9, abs=0.05)


def test_too_few_mentions_are_not_calibrated() -> None:
    assert fit_calibration([0.9] * (LEAST_MENTIONS - 1), [True] * (LEAST_MENTIONS - 1)) is None


@pytest.mark.parametrize("is_right", [True, False])
def test_mentions_that_are_all_right_or_all_wrong_have_a_map_without_certainty(is_right: bool) -> None:
    calibration = fit_calibration([0.5, 0.9] * 50, [is_right] * 100)

    assert calibration is not None
    found = calibration.apply([0.0, 0.5, 0.9, 1.0])
    assert ((found > 0) & (found < 1)).all()
    assert (found > 0.9).all() if is_right else (found[:3] < 0.1).all()


@pytest.mark.long
@given(st.integers(0, 20), st.lists(st.floats(0, 1), min_size=2, max_size=20))
def test_a_higher_score_never_means_a_lower_confidence(seed: int, scores: list[float]) -> None:
    draw = np.random.default_rng(seed)
    calibration = fit_calibration(draw.uniform(size=600).tolist(), (draw.uniform(size=600) < 0.5).tolist())
    assert calibration is not None

    found = calibration.apply(sorted(scores))

    assert (np.diff(found) >= 0).all()
    assert ((found > 0) & (found < 1)).all()


def test_it_is_read_back_from_plain_values() -> None:
    calibration = fit_calibration(*overconfident(100))
    assert calibration is not None

    assert Calibration.from_dict(calibration.as_dict()) == calibration


@pytest.mark.parametrize(
    "values",
    [
        {"method": "magic", "inputs": [0, 1], "outputs": [0, 1]},
        {"method": "logistic", "inputs": [0], "outputs": [0]},
        {"method": "logistic", "inputs": [0, 1], "outputs": [1, 0]},
        {"method": "logistic", "inputs": [1, 1], "outputs": [0, 1]},
        {"method": "isotonic", "inputs": [0, float("nan")], "outputs": [0, 1]},
        {"method": "isotonic", "inputs": "ab", "outputs": [0, 1]},
        {},
    ],
)
def test_broken_values_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"no rising map|no numbers|not finite"):
        Calibration.from_dict(values)
