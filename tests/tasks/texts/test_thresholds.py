"""Thresholds: the best on devel, and 0.5 unless another one is better."""

import pytest

from linnet.errors import BadSetting
from linnet.metrics.texts.classification import multi_label_metrics
from linnet.metrics.texts.resampled import plain_value
from linnet.tasks.texts.thresholds import GRID, tune_thresholds

LABELS = ["a", "b"]
# two documents of two sentences: 1 is a and b, 2 is b; a cautious network gives right labels about 0.3
OUTPUTS = [{"a": 0.3, "b": 0.05}, {"a": 0.1, "b": 0.6}, {"a": 0.2, "b": 0.35}, {"a": 0.1, "b": 0.1}]
GOLD = [("a",), ("b",), ("b",), ()]
GROUPS = ["1", "1", "2", "2"]


def document_micro_f1(thresholds: dict[str, float]) -> float:
    found = [tuple(label for label in LABELS if output[label] >= thresholds[label]) for output in OUTPUTS]
    metrics = multi_label_metrics(GOLD, found, groups=GROUPS, labels=LABELS)
    return next(plain_value(metric) for metric in metrics if metric.name == "document_micro_f1")


def test_the_grid_goes_from_005_to_095() -> None:
    assert (GRID[0], GRID[9], GRID[-1], len(GRID)) == (0.05, 0.5, 0.95, 19)


def test_a_tuned_threshold_beats_one_half() -> None:
    found = tune_thresholds(OUTPUTS, GOLD, LABELS, groups=GROUPS)

    # at 0.5 one of three is found: 2 * 1 / (1 + 3); from 0.25 to 0.30 all three are, and 0.30 is nearest to 0.5
    assert found == {"a": 0.3, "b": 0.3}
    assert document_micro_f1({"a": 0.5, "b": 0.5}) == 0.5
    assert document_micro_f1(found) == 1.0


def test_one_half_is_kept_where_others_are_as_good() -> None:
    assert tune_thresholds([{"a": 0.99}, {"a": 0.01}], [("a",), ()], ["a"], groups=["1", "2"]) == {"a": 0.5}


def test_the_higher_of_two_equally_near_thresholds_is_taken() -> None:
    # one right at 0.60, two wrong at 0.50, one right at 0.45, so that two are gold: F1 is 2 * 1 / (1 + 2) at 0.55,
    # 2 * 1 / (3 + 2) at 0.50 and 2 * 2 / (4 + 2) at 0.45
    outputs = [{"a": 0.6}, {"a": 0.5}, {"a": 0.5}, {"a": 0.45}]

    found = tune_thresholds(outputs, [("a",), (), (), ("a",)], ["a"], groups=["1", "2", "3", "4"])

    assert found == {"a": 0.55}


@pytest.mark.parametrize("shared", [True, False])
def test_nothing_to_learn_from_gives_one_half(shared: bool) -> None:
    half = {"a": 0.5, "b": 0.5}

    assert tune_thresholds([], [], LABELS, groups=[], shared=shared) == half
    assert tune_thresholds([{"a": 0.0, "b": 0.0}], [("a",)], LABELS, groups=["1"], shared=shared) == half


def test_a_document_has_a_label_that_any_of_its_texts_has() -> None:
    # document 1 is right from its first sentence's 0.9 down, although the second one has the label; 2 is wrong at 0.7
    outputs, gold = [{"a": 0.9}, {"a": 0.1}, {"a": 0.7}], [(), ("a",), ()]

    assert tune_thresholds(outputs, gold, ["a"], groups=["1", "1", "2"]) == {"a": 0.75}


def test_each_label_can_have_a_threshold_of_its_own() -> None:
    # a is right at 0.2 and b wrong at 0.7: the best shared threshold is 0.2, with 2 * 2 / (3 + 2); apart all are right
    outputs, gold = [{"a": 0.2, "b": 0.7}, {"a": 0.1, "b": 0.8}], [("a",), ("b",)]

    together = tune_thresholds(outputs, gold, LABELS, groups=["1", "2"])
    apart = tune_thresholds(outputs, gold, LABELS, groups=["1", "2"], shared=False)

    assert together == {"a": 0.2, "b": 0.2}
    assert apart == {"a": 0.2, "b": 0.75}


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(BadSetting, match="1 outputs, 2 gold, 1 groups"):
        tune_thresholds([{"a": 0.1}], [(), ()], ["a"], groups=["1"])
