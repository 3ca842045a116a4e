"""What all kinds of prediction share: scales, joined windows and default methods."""

import numpy as np
import pytest

from linnet.documents.texts import Prediction, TextExample
from linnet.tasks.texts.kinds import CLASSIFICATION, MULTI_LABEL, REGRESSION, SPANS, find_kind
from linnet.tasks.texts.kinds.base import Kind, Scale, join_windows

KINDS = (CLASSIFICATION, MULTI_LABEL, REGRESSION, SPANS)
WINDOWS = [np.array([1.0, 4.0], np.float32), np.array([3.0, 0.0], np.float32)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_found_by_its_name(kind: Kind) -> None:
    assert find_kind(kind.name) is kind
    assert repr(kind) == kind.name


@pytest.mark.parametrize("value", [1.0, 2.5, 4.0])
def test_a_scale_turns_numbers_into_shares_and_back(value: float) -> None:
    scale = Scale(1.0, 4.0)

    assert 0 <= scale.share(value) <= 1
    assert scale.value(scale.share(value)) == pytest.approx(value)


def test_windows_are_joined_by_their_mean_or_their_maximum() -> None:
    assert join_windows(WINDOWS, "mean").tolist() == [2.0, 2.0]
    assert join_windows(WINDOWS, "max").tolist() == [3.0, 4.0]


def test_mistakes_keep_their_order_and_leave_out_unknown_gold() -> None:
    rows = [("1", "a", "b"), ("2", "a", "a"), ("3", None, "a"), ("4", "b", "a")]
    predictions = [Prediction(id, "text", gold, predicted) for id, gold, predicted in rows]

    assert [each.id for each in CLASSIFICATION.mistakes(predictions)] == ["1", "4"]


@pytest.mark.parametrize("kind", KINDS)
def test_no_prediction_without_gold_is_right(kind: Kind) -> None:
    predicted = 1.0 if kind is REGRESSION else "a"

    assert not kind.is_right(Prediction("1", "text", None, predicted))


def test_a_sample_keeps_the_shares_of_labels() -> None:
    assert CLASSIFICATION.stratum(TextExample("1", "text", gold="a")) == ("a",)
    assert MULTI_LABEL.stratum(TextExample("1", "text", gold=("a", "b"))) == ("a", "b")


def test_only_questions_may_lack_gold_and_only_multi_label_has_thresholds() -> None:
    assert [kind for kind in KINDS if kind.may_lack_gold] == [SPANS]
    assert [kind for kind in KINDS if kind.has_thresholds] == [MULTI_LABEL]
    assert [kind for kind in KINDS if kind.can_compare_apart] == [REGRESSION]
