"""Calibration of confidence: a monotone map from the score of a mention to the probability that it is right.

Two maps are tried. `logistic` (Platt scaling) has a slope and an intercept on the log-odds of the score; `isotonic`
follows the data. Cross-validation by log loss chooses; `isotonic` must be clearly better.
Source: Platt, 1999 (with his smoothed targets); Zadrozny and Elkan, 2002, for isotonic regression.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["LEAST_MENTIONS", "Calibration", "fit_calibration"]

Array = npt.NDArray[np.float64]
LEAST_MENTIONS = 50  # with fewer, a map follows chance
LEAST_FOR_ISOTONIC = 500
LEAST_IN_STEP = 50  # mentions of a step of isotonic regression
MARGIN = 0.01  # share of the loss by which isotonic regression must be better
N_FOLDS = 5
LEAST_ODDS = 1e-6  # scores are kept this far from 0 and 1
LEAST_SLOPE = 0.05  # a higher score must not mean a lower confidence
N_STEPS = 30
UNCHANGED = (1.0, 0.0)  # slope and intercept that leave scores as they are
PULL = 1e-2  # towards these, where the data say nothing: scores that are all the same, for example
LEAST_SHARE = 1e-4  # of a step


@dataclass(frozen=True)
class Calibration:
    """A map from scores to confidence: points (inputs, outputs) of a broken line over log-odds."""

    method: str  # "logistic" or "isotonic"
    inputs: tuple[float, ...]  # log-odds of the score, ascending
    outputs: tuple[float, ...]  # log-odds of being right, never descending
    n_mentions: int  # that it was fitted on

    def apply(self, scores: npt.ArrayLike) -> Array:
        """Return the confidence of each score; beyond the ends of the line it goes on with its last slope."""
        x, inputs, outputs = log_odds(scores), np.array(self.inputs), np.array(self.outputs)
        found = np.interp(x, inputs, outputs)
        if self.method == "logistic":
            slope = (outputs[-1] - outputs[0]) / (inputs[-1] - inputs[0])
            found = outputs[0] + slope * (x - inputs[0])
        return _probability(found)

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Calibration":
        """Return the map that `as_dict` described.

        Raises:
            ValueError: where this is no such map.
        """
        method, n_mentions = values.get("method"), values.get("n_mentions")
        inputs, outputs = (_numbers(values.get(name)) for name in ("inputs", "outputs"))
        is_rising = all(np.diff(inputs) > 0) and all(np.diff(outputs) >= 0)
        if method not in ("logistic", "isotonic") or len(inputs) != len(outputs) or len(inputs) < 2 or not is_rising:
            raise ValueError("no rising map from scores to confidence")
        return cls(str(method), inputs, outputs, int(n_mentions or 0))


def fit_calibration(scores: Sequence[float], is_right: Sequence[bool]) -> Calibration | None:
    """Return the map from scores of mentions to the probability of being right; None for too few mentions."""
    if len(scores) < LEAST_MENTIONS:
        return None
    x, y = log_odds(scores), np.array(is_right, np.float64)
    if len(x) >= LEAST_FOR_ISOTONIC:
        most = (1 - MARGIN) * _held_out_loss(_fit_logistic, x, y)
        if _held_out_loss(_fit_isotonic, x, y) < most:
            return _fit_isotonic(x, y)
    return _fit_logistic(x, y)


def log_odds(scores: npt.ArrayLike) -> Array:
    """Return log(p / (1 - p)) of each score, never infinite."""
    p = np.clip(np.asarray(scores, np.float64), LEAST_ODDS, 1 - LEAST_ODDS)
    found: Array = np.log(p) - np.log1p(-p)
    return found


def _probability(x: Array) -> Array:
    found: Array = np.clip(1 / (1 + np.exp(-np.clip(x, -50, 50))), LEAST_ODDS, 1 - LEAST_ODDS)
    return found


def _numbers(values: Any) -> tuple[float, ...]:
    if not isinstance(values, list | tuple) or not all(type(each) in (int, float) for each in values):
        raise ValueError("points that are no numbers")
    found = tuple(float(each) for each in values)
    if not np.isfinite(found).all():
        raise ValueError("points that are not finite")
    return found


def _held_out_loss(fit: Callable[[Array, Array], Calibration], x: Array, y: Array) -> float:
    """Return the log loss of maps on mentions that they were not fitted on."""
    fold = np.arange(len(x)) % N_FOLDS
    total = 0.0
    for number in range(N_FOLDS):
        is_out = fold == number
        p = fit(x[~is_out], y[~is_out]).apply(_probability(x[is_out]))
        total -= float((y[is_out] * np.log(p) + (1 - y[is_out]) * np.log(1 - p)).sum())
    return total


def _fit_logistic(x: Array, y: Array) -> Calibration:
    """Return slope and intercept of the highest likelihood, by Newton's method, as a line through two points."""
    n_right, n_wrong = y.sum(), len(y) - y.sum()
    targets = np.where(y == 1, (n_right + 1) / (n_right + 2), 1 / (n_wrong + 2))  # Platt's: never 0 or 1
    columns = np.stack([x, np.ones_like(x)], axis=1)

    def loss(weights: Array) -> float:
        z = columns @ weights
        pull = 0.5 * PULL * float(((weights - UNCHANGED) ** 2).sum())
        return float((np.logaddexp(0, z) - targets * z).sum()) + pull

    weights: Array = np.array(UNCHANGED)
    for _ in range(N_STEPS):
        p = 1 / (1 + np.exp(-np.clip(columns @ weights, -50, 50)))
        gradient = columns.T @ (p - targets) + PULL * (weights - UNCHANGED)
        curvature = (columns * (p * (1 - p))[:, None]).T @ columns + PULL * np.eye(2)
        step, share, before = np.linalg.solve(curvature, gradient), 1.0, loss(weights)
        while share > LEAST_SHARE and loss(weights - share * step) > before:
            share /= 2
        weights = weights - share * step
    slope, intercept = max(float(weights[0]), LEAST_SLOPE), float(weights[1])
    ends = (-5.0, 5.0)
    return Calibration("logistic", ends, tuple(slope * end + intercept for end in ends), len(x))


def _fit_isotonic(x: Array, y: Array) -> Calibration:
    """Return the rising steps nearest to the data (pool adjacent violators), joined by lines between their middles.

    Steps are of groups of mentions with neighbouring scores: a step of a single mention would follow chance.
    """
    order = np.argsort(x, kind="stable")
    blocks: list[tuple[float, float, int]] = []  # sums of inputs and of targets, and the number of mentions
    n_parts = len(x) // LEAST_IN_STEP
    for part in np.array_split(order, n_parts):
        blocks.append((float(x[part].sum()), float(y[part].sum()), len(part)))
        while len(blocks) > 1 and _mean(blocks[-2]) >= _mean(blocks[-1]):
            (a, b, m), (c, d, n) = blocks[-2:]
            blocks[-2:] = [(a + c, b + d, m + n)]
    middles = [total / n for total, _, n in blocks]
    shares = log_odds([(right + 0.5) / (n + 1) for _, right, n in blocks])  # smoothed: a step is no certainty
    heights = np.maximum.accumulate(shares)
    is_new = np.concatenate([[True], np.diff(middles) > 0])
    inputs, outputs = np.array(middles)[is_new], heights[is_new]
    if len(inputs) < 2:
        return _fit_logistic(x, y)
    return Calibration("isotonic", tuple(inputs.tolist()), tuple(outputs.tolist()), len(x))


def _mean(block: tuple[float, float, int]) -> float:
    return block[1] / block[2]
