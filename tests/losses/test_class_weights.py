"""Class weights from a scheme or a recipe, and their scale."""

import pytest

from linnet.losses.class_weights import compute_class_weights, scale_weights
from linnet.losses.weighting import weigh
from linnet.settings.training import LossSettings

COUNTS = {"O": 8, "B-X": 2, "I-X": 4}


def test_a_scheme_and_a_recipe_give_class_weights_by_name() -> None:
    computed = compute_class_weights(LossSettings(scheme="ins"), COUNTS)
    given = compute_class_weights(LossSettings(weights={"O": 1.0, "B-X": 3.0, "I-X": 2.0}), COUNTS)

    assert computed.weights == pytest.approx({"O": 1 / 8, "B-X": 1 / 2, "I-X": 1 / 4})
    assert given.weights == {"O": 1.0, "B-X": 3.0, "I-X": 2.0}


def test_the_largest_scaled_weight_is_one_and_none_has_no_weights() -> None:
    assert scale_weights(weigh(COUNTS, "ins")) == pytest.approx({"O": 0.25, "B-X": 1.0, "I-X": 0.5})
    assert scale_weights(weigh(COUNTS, "none")) is None
