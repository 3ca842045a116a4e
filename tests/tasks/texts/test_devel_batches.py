"""Batches for the loss on devel have the shapes that the losses want."""

import numpy as np
import pytest

from linnet.tasks.texts.devel_batches import batch_of_texts, batches_of_windows
from linnet.tasks.texts.kinds import CLASSIFICATION, MULTI_LABEL, REGRESSION
from linnet.tasks.texts.networks.shape import Shape
from linnet.tasks.texts.read_texts import ReadText

SCORES = [np.array([1.0, 4.0], np.float32), np.array([3.0, 0.0], np.float32)]


def test_windows_come_one_by_one() -> None:
    rows = [np.zeros((2, 5), np.float32), np.zeros((2, 7), np.float32)]

    found = list(batches_of_windows(rows, [[0, 1], [2, 2]]))

    assert [tuple(batch.logits.shape) for batch in found] == [(1, 2, 5), (1, 2, 7)]
    assert [batch.targets.tolist() for batch in found] == [[[0, 1]], [[2, 2]]]


@pytest.mark.parametrize(("windows", "joined"), [("mean", [2.0, 2.0]), ("max", [3.0, 4.0])])
def test_windows_of_a_text_are_joined_as_in_training(windows: str, joined: list[float]) -> None:
    shape = Shape.from_dict({"kind": "classes", "windows": windows})

    batch = batch_of_texts([(ReadText([], [0, 0]), SCORES)], [[1]], shape)

    assert batch.logits.tolist() == [[joined]]
    assert batch.targets.tolist() == [[1]]


def test_each_label_has_scores_of_no_and_yes() -> None:
    batch = batch_of_texts([(ReadText([], [0]), SCORES[:1])], [[0, 1]], Shape(MULTI_LABEL))

    assert batch.logits.tolist() == [[[0.0, 1.0], [0.0, 4.0]]]


def test_texts_that_are_read_apart_are_compared_by_cosine() -> None:
    rows = [(ReadText([], [0, 1]), [np.array([1.0, 0.0], np.float32), np.array([1.0, 1.0], np.float32)])]

    batch = batch_of_texts(rows, [[0.5]], Shape(REGRESSION, "mean", method="bi"))

    assert batch.logits.flatten().tolist() == pytest.approx([0.5**0.5])
    assert tuple(batch.logits.shape) == (1, 1, 1)


def test_several_texts_are_one_batch() -> None:
    rows = [(ReadText([], [0]), SCORES[:1])] * 3

    assert tuple(batch_of_texts(rows, [[0], [1], [1]], Shape(CLASSIFICATION)).logits.shape) == (3, 1, 2)
