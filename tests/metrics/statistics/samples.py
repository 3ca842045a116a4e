"""Scores of two systems over seeds and resamples, made up for tests."""

import numpy as np

from linnet.metrics.mentions.tally import Array
from linnet.metrics.statistics.hierarchical import PairedScores

__all__ = ["constant", "random_scores"]


def random_scores(n_seeds: int, *, n_resamples: int = 50, seed: int = 0) -> PairedScores:
    """Return scores of two systems with seed, unit and seed-by-unit effects."""
    generator = np.random.default_rng(seed)
    a, b = generator.normal(0.8, 0.01, size=(2, n_seeds))
    units = generator.normal(0, 0.01, size=(2, n_resamples, 1))
    own = generator.normal(0, 0.004, size=(2, n_resamples, n_seeds))
    return PairedScores(a, b, a + units[0] + own[0], b + units[1] + own[1])


def constant(scores: list[float], n_resamples: int = 10) -> Array:
    return np.tile(np.array(scores), (n_resamples, 1))
