"""Weights of features."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from linnet.tasks.linking.training.weights import Example, fit_weights, probabilities


def test_a_feature_that_tells_right_from_wrong_gets_the_weight() -> None:
    examples = [Example(np.array([[1.0, 0.5], [0.0, 0.5]]), np.array([1.0, 0.0]))] * 20

    weights, nil = fit_weights(examples, penalty=0.1)

    assert weights[0] > 1
    assert np.argmax(probabilities(examples[0].values, weights, nil)) == 0


def test_mentions_without_a_right_candidate_teach_nil() -> None:
    good = Example(np.array([[1.0]]), np.array([1.0]))
    bad = Example(np.array([[0.1]]), np.array([0.0]))

    weights, nil = fit_weights([good, bad] * 30, penalty=0.01)

    assert probabilities(good.values, weights, nil)[0] > 0.9
    assert probabilities(bad.values, weights, nil)[0] < 0.1
    assert probabilities(np.zeros((0, 1)), weights, nil).tolist() == []


def test_the_same_examples_give_the_same_weights_at_a_minimum() -> None:
    generator = np.random.default_rng(1)
    examples = [
        Example(generator.normal(size=(4, 3)), np.eye(4)[generator.integers(4)] * generator.integers(2))
        for _ in range(30)
    ]

    weights, nil = fit_weights(examples, penalty=1.0)
    again, _ = fit_weights(examples, penalty=1.0)

    def loss(point: np.ndarray) -> float:
        total = float(point @ point)
        for each in examples:
            shares = probabilities(each.values, point[:-1], point[-1])
            total -= float(np.log(shares @ each.right if each.right.any() else 1 - shares.sum()))
        return total

    assert weights.tolist() == again.tolist()
    assert approx_fprime(np.array([*weights, nil]), loss, 1e-6) == pytest.approx(0, abs=0.02)
