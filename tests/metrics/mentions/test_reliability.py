"""Reliability of confidence, by bins."""

import pytest

from linnet.metrics.mentions.reliability import measure_reliability


def test_the_error_is_the_mean_distance_between_confidence_and_share_of_right_mentions() -> None:
    """By hand: a bin of two (0.95 against 0.5) and one of two (0.15 against 0)."""
    found = measure_reliability([0.95, 0.95, 0.15, 0.15], [True, False, False, False])

    assert found.ece == pytest.approx((0.45 + 0.15) / 2)
    assert [(each.low, each.mentions, each.right) for each in found.bins] == [(0.1, 2, 0.0), (0.9, 2, 0.5)]


def test_a_score_on_a_border_belongs_to_the_bin_below() -> None:
    assert [each.high for each in measure_reliability([0.0, 0.1, 1.0], [True] * 3).bins] == [0.1, 1.0]


def test_without_mentions_there_is_no_error() -> None:
    assert measure_reliability([], []).as_dict() == {"ece": None, "mentions": 0, "bins": []}
