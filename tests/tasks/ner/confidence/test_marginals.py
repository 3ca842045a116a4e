"""Marginals of a CRF, against brute force."""

from itertools import pairwise, product

import numpy as np
import pytest

from linnet.tasks.ner.confidence.marginals import log_marginals


@pytest.mark.parametrize("n_words", [1, 2, 4])
def test_they_are_those_of_all_rows_of_tags(n_words: int) -> None:
    draw = np.random.default_rng(n_words)
    scores, start, steps, end = (
        draw.normal(size=shape).astype(np.float32) for shape in ((n_words, 3), (3,), (3, 3), (3,))
    )

    found = np.exp(log_marginals(scores, start, steps, end))

    expected = np.zeros((n_words, 3))
    for row in product(range(3), repeat=n_words):
        total = start[row[0]] + end[row[-1]] + sum(scores[word, tag] for word, tag in enumerate(row))
        total += sum(steps[a, b] for a, b in pairwise(row))
        for word, tag in enumerate(row):
            expected[word, tag] += np.exp(total)
    np.testing.assert_allclose(found, expected / expected.sum(axis=1, keepdims=True), rtol=1e-5)


def test_a_forbidden_step_has_no_probability() -> None:
    steps = np.array([[0, -1e9], [0, 0]], np.float32)
    zeros = np.zeros(2, np.float32)

    found = np.exp(log_marginals(np.zeros((2, 2), np.float32), zeros, steps, zeros))

    np.testing.assert_allclose(found, [[1 / 3, 2 / 3], [2 / 3, 1 / 3]], rtol=1e-5)
