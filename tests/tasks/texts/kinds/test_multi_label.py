"""Multi-label classification: a probability and a threshold for each label."""

import numpy as np
import pytest
import torch

from linnet.documents.texts import Prediction, TextExample
from linnet.tasks.texts.kinds import CLASSIFICATION
from linnet.tasks.texts.kinds.base import Decoding, Scale
from linnet.tasks.texts.kinds.multi_label import MULTI_LABEL
from linnet.tasks.texts.networks.shape import Shape
from linnet.tasks.texts.read_texts import ReadText
from linnet.tasks.texts.task import Decision, decide_each

READ = ReadText([], [])
LABELS = ("a", "b", "c")


@pytest.mark.parametrize(("gold", "target"), [((), [0, 0, 0]), (("a", "c"), [1, 0, 1])])
def test_the_target_says_of_each_label_whether_the_text_has_it(gold: tuple[str, ...], target: list[int]) -> None:
    (found,) = MULTI_LABEL.targets(TextExample("1", "text", gold=gold), READ, LABELS, Scale())

    assert found.target == target


def test_probabilities_of_labels_do_not_depend_on_each_other() -> None:
    found = MULTI_LABEL.output(
        TextExample("1", "text"),
        READ,
        [np.array([0.0, 50.0, -50.0], np.float32)],
        Decoding(Shape(MULTI_LABEL), LABELS, Scale(), 1),
    )

    assert found == pytest.approx({"a": 0.5, "b": 1.0, "c": 0.0})


def test_the_loss_sees_no_and_yes_for_each_label() -> None:
    found = MULTI_LABEL.arrange(torch.tensor([[1.0, -2.0, 3.0]]))

    assert found.tolist() == [[[0.0, 1.0], [0.0, -2.0], [0.0, 3.0]]]


def test_gold_as_an_output_is_decided_as_gold() -> None:
    assert MULTI_LABEL.decide(MULTI_LABEL.output_of_gold(("a", "c")), {}) == (("a", "c"), 1.0)
    assert MULTI_LABEL.decide(MULTI_LABEL.output_of_gold(()), {}) == ((), None)


def test_a_prediction_has_the_probability_of_every_label_also_of_those_below_their_threshold() -> None:
    examples, outputs = [TextExample("1", "a text")], [{"a": 0.9, "b": 0.2}]

    (several,) = decide_each(examples, outputs, Decision(MULTI_LABEL, {"a": 0.8}))
    (one,) = decide_each(examples, outputs, Decision(CLASSIFICATION, {}))

    assert (several.predicted, several.score, several.scores) == (("a",), 0.9, {"a": 0.9, "b": 0.2})
    assert (one.predicted, one.scores) == ("a", {})


def test_labels_are_right_in_any_order_and_only_all_together() -> None:
    assert MULTI_LABEL.is_right(Prediction("1", "text", ("a", "b"), ("b", "a")))
    assert MULTI_LABEL.is_right(Prediction("1", "text", (), ()))
    assert not MULTI_LABEL.is_right(Prediction("1", "text", ("a", "b"), ("a",)))


def test_no_relation_is_no_label() -> None:
    assert MULTI_LABEL.nothing("none") == ()
