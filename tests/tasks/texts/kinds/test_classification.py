"""Classification: one label for each text, from softmax to the confusion matrix."""

import numpy as np
import pytest

from linnet.documents.texts import Prediction, TextExample
from linnet.tasks.texts.kinds.base import Decoding, Scale
from linnet.tasks.texts.kinds.classification import CLASSIFICATION
from linnet.tasks.texts.networks.shape import Shape
from linnet.tasks.texts.read_texts import ReadText

EXAMPLE = TextExample("1", "text", gold="b")
READ = ReadText([], [])
LABELS = ("a", "b")


def test_the_target_is_the_number_of_the_label() -> None:
    (found,) = CLASSIFICATION.targets(EXAMPLE, READ, LABELS, Scale())

    assert found.target == [1]


def test_the_output_is_the_softmax_of_the_joined_windows() -> None:
    scores = [np.array([0.0, 2.0], np.float32), np.array([0.0, 4.0], np.float32)]

    found = CLASSIFICATION.output(EXAMPLE, READ, scores, Decoding(Shape(CLASSIFICATION), LABELS, Scale(), 1))

    assert isinstance(found, dict)
    assert found["b"] == pytest.approx(1 / (1 + np.exp(-3.0)))
    assert sum(found.values()) == pytest.approx(1.0)


def test_very_large_scores_give_probabilities() -> None:
    scores = [np.array([1000.0, 0.0], np.float32)]

    found = CLASSIFICATION.output(EXAMPLE, READ, scores, Decoding(Shape(CLASSIFICATION), LABELS, Scale(), 1))

    assert found == {"a": 1.0, "b": 0.0}


def test_gold_as_an_output_is_decided_as_gold() -> None:
    assert CLASSIFICATION.decide(CLASSIFICATION.output_of_gold("b"), {}) == ("b", 1.0)


def test_the_matrix_of_the_page_has_the_numbers_of_labels() -> None:
    predictions = [Prediction("1", "text", "b", "a"), Prediction("2", "text", None, "a")]

    assert sorted(CLASSIFICATION.page_matrix(predictions, LABELS, {"a": 7, "b": 9})) == [7, 9]


def test_the_card_names_the_labels_and_the_limit() -> None:
    assert CLASSIFICATION.summary(LABELS).startswith("Its answer is one of 2 labels: ")
    (limit,) = CLASSIFICATION.limits("GAD")
    assert "It always chooses one of its labels" in limit
