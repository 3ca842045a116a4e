"""Scores of the mentions that reach a threshold."""

import pytest

from linnet.metrics.mentions.by_threshold import THRESHOLDS, score_thresholds


def test_precision_recall_and_f1_are_of_the_mentions_that_are_left() -> None:
    scores, is_right = [0.95, 0.8, 0.5, 0.3], [True, True, False, True]

    found = {each.min_score: each for each in score_thresholds(scores, is_right, gold=5)}

    assert list(found) == list(THRESHOLDS)
    assert (found[0.0].precision, found[0.0].recall, found[0.0].mentions) == (3 / 4, 3 / 5, 4)
    assert (found[0.5].precision, found[0.5].recall, found[0.5].mentions) == (2 / 3, 2 / 5, 3)  # 0.5 reaches 0.5
    assert found[0.6].f1 == pytest.approx(2 * 1 * 0.4 / 1.4)
    assert (found[0.99].precision, found[0.99].recall, found[0.99].f1, found[0.99].mentions) == (None, 0, 0, 0)


def test_without_gold_recall_is_zero() -> None:
    assert {each.recall for each in score_thresholds([0.7], [False], gold=0)} == {0}
