"""Regression: numbers on the scale of training, read together or apart."""

import numpy as np
import pytest

from linnet.documents.texts import Prediction, TextExample
from linnet.errors import BadFile
from linnet.tasks.texts.kinds.base import Decoding, Scale
from linnet.tasks.texts.kinds.regression import REGRESSION, error_of
from linnet.tasks.texts.networks.shape import Shape
from linnet.tasks.texts.read_texts import ReadText

EXAMPLE = TextExample("1", "a", "b", 3.0)
SCALE = Scale(1.0, 5.0)


def test_the_scale_is_the_lowest_and_highest_number_of_training() -> None:
    assert REGRESSION.scale([TextExample(str(n), "a", gold=n) for n in (2.0, 0.5, 4.0)]) == Scale(0.5, 4.0)


@pytest.mark.parametrize("numbers", [[], [2.0, 2.0]])
def test_a_scale_needs_two_different_numbers(numbers: list[float]) -> None:
    with pytest.raises(BadFile, match="nothing to learn"):
        REGRESSION.scale([TextExample("1", "a", gold=n) for n in numbers])


def test_the_target_is_a_share_of_the_scale() -> None:
    (found,) = REGRESSION.targets(EXAMPLE, ReadText([], []), ("score",), SCALE)

    assert found.target == [0.5]


def test_whole_numbers_are_numbers() -> None:
    counts = [TextExample(str(n), "a", gold=n) for n in (1, 3, 5)]

    (found,) = REGRESSION.targets(counts[1], ReadText([], []), ("score",), REGRESSION.scale(counts))

    assert found.target == [0.5]
    assert REGRESSION.output_of_gold(3) == 3.0
    assert REGRESSION.is_same(3, 3.0)


def test_a_pair_that_is_read_together_has_the_number_of_the_joined_windows() -> None:
    scores = [np.array([0.25], np.float32), np.array([0.75], np.float32)]

    found = REGRESSION.output(EXAMPLE, ReadText([], [0, 0]), scores, Decoding(Shape(REGRESSION), ("score",), SCALE, 1))

    assert found == pytest.approx(3.0)


def test_a_pair_that_is_read_apart_has_the_cosine_of_the_means() -> None:
    scores = [np.array(row, np.float32) for row in ([2.0, 0.0], [0.0, 2.0], [0.0, 3.0])]
    shape = Shape(REGRESSION, "mean", method="bi")

    found = REGRESSION.output(EXAMPLE, ReadText([], [0, 0, 1]), scores, Decoding(shape, ("score",), Scale(), 1))

    assert found == pytest.approx(0.5**0.5)


def test_a_number_is_right_within_half_a_point() -> None:
    assert REGRESSION.is_right(Prediction("1", "a", 3.0, 3.5))
    assert not REGRESSION.is_right(Prediction("1", "a", 3.0, 3.6))
    assert error_of(Prediction("1", "a", 3.0, 2.0)) == -1.0


def test_mistakes_are_all_numbers_with_the_largest_error_first() -> None:
    predictions = [Prediction(str(n), "a", 3.0, 3.0 + n) for n in (0.0, -2.0, 1.0)]

    assert [each.predicted for each in REGRESSION.mistakes(predictions)] == [1.0, 4.0, 3.0]


def test_numbers_are_the_same_but_for_rounding() -> None:
    assert REGRESSION.is_same(1.0, 1.0009)
    assert not REGRESSION.is_same(1.0, 1.002)
