"""Weights of features: a conditional logistic regression over the candidates of a mention and NIL.

The probability of a candidate is the softmax of its weighted features; NIL is one more candidate with a weight of its
own. A mention whose gold identifier is not among the candidates teaches NIL, so probabilities are those of being right.
The loss is the negative logarithm of the probability of all right candidates together, plus an L2 penalty; it is
minimised by L-BFGS from zero, so the same examples give the same weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from linnet.metrics.mentions.tally import Array

__all__ = ["Example", "fit_weights", "probabilities"]

MOST_ITERATIONS = 500


@dataclass(frozen=True)
class Example:
    """A mention to learn from: features (candidates, features), and which candidates are right."""

    values: Array
    right: Array  # 0 or 1


def fit_weights(examples: Sequence[Example], *, penalty: float) -> tuple[Array, float]:
    """Return the weights of the features and of NIL."""
    n_features = examples[0].values.shape[1]
    values = np.concatenate([np.vstack([_nil_row(n_features), _with_nil(each.values)]) for each in examples])
    right = np.concatenate([[float(not each.right.any()), *each.right] for each in examples])
    sizes = np.array([len(each.right) + 1 for each in examples])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    mention = np.repeat(np.arange(len(sizes)), sizes)

    def loss(weights: Array) -> tuple[float, Array]:
        raw = values @ weights
        powers = np.exp(raw - np.maximum.reduceat(raw, starts)[mention])
        total = np.add.reduceat(powers, starts)
        of_right = np.add.reduceat(powers * right, starts)
        gradient = values.T @ (powers / total[mention] - powers * right / of_right[mention])
        return float(-np.log(of_right / total).sum() + penalty * weights @ weights), gradient + 2 * penalty * weights

    start = np.zeros(n_features + 1)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": MOST_ITERATIONS}).x
    return found[:-1], float(found[-1])


def probabilities(values: Array, weights: Array, nil: float) -> Array:
    """Return the probability of each candidate; what is missing to 1 is that of NIL."""
    raw = np.concatenate([values @ weights, [nil]])
    powers = np.exp(raw - raw.max())
    shares: Array = powers[:-1] / powers.sum()
    return shares


def _with_nil(values: Array) -> Array:
    return np.hstack([values, np.zeros((len(values), 1))])


def _nil_row(n_features: int) -> Array:
    row = np.zeros((1, n_features + 1))
    row[0, -1] = 1.0
    return row
