"""Marginal probabilities of tags under a CRF, by the forward-backward algorithm.

Source: Lafferty, McCallum and Pereira, 2001.
"""

import numpy as np

__all__ = ["log_marginals"]

FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


def log_marginals(scores: FloatArray, start: FloatArray, steps: FloatArray, end: FloatArray) -> FloatArray:
    """Return the logarithm of the probability of each tag of each word, over all rows of tags.

    Args:
        scores: (words, tags) of the network.
        start: (tags) of beginning with a tag.
        steps: (tags, tags) of going from one tag to another.
        end: (tags) of ending with a tag.
    """
    n_words = len(scores)
    rows = scores.astype(np.float64)
    forward, backward = np.zeros_like(rows), np.zeros_like(rows)
    forward[0] = start + rows[0]
    backward[-1] = end
    for word in range(1, n_words):
        forward[word] = rows[word] + _log_sum_exp(forward[word - 1][:, None] + steps, axis=0)
    for word in range(n_words - 2, -1, -1):
        backward[word] = _log_sum_exp(steps + (rows[word + 1] + backward[word + 1])[None, :], axis=1)
    total = _log_sum_exp(forward[-1] + end, axis=0)
    found: FloatArray = (forward + backward - total).astype(np.float32)
    return found


def _log_sum_exp(
    values: np.ndarray[tuple[int, ...], np.dtype[np.float64]], *, axis: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    highest = values.max(axis=axis, keepdims=True)
    total: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = highest.squeeze(axis) + np.log(
        np.exp(values - highest).sum(axis=axis)
    )
    return total
