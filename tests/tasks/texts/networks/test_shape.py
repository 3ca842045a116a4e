"""The shape of a network about texts is saved as plain values and read again."""

import json

import pytest

from linnet.tasks.texts.kinds import CLASSIFICATION, MULTI_LABEL, REGRESSION, SPANS
from linnet.tasks.texts.networks.shape import Shape

SHAPES = [
    Shape(CLASSIFICATION),
    Shape(MULTI_LABEL, "mean", "max"),
    Shape(REGRESSION, "mean", method="bi"),
    Shape(SPANS),
    Shape(CLASSIFICATION, "markers"),
]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_saved_shape_is_the_same_when_it_is_read(shape: Shape) -> None:
    assert Shape.from_dict(json.loads(json.dumps(shape.as_dict()))) == shape


def test_the_kind_is_saved_by_its_name() -> None:
    assert Shape(REGRESSION).as_dict() == {"kind": "number", "pooling": "cls", "windows": "mean", "method": "cross"}
