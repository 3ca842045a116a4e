"""The inverted index."""

import numpy as np
import pytest

from linnet.tasks.linking.vocabularies import indexing
from linnet.tasks.linking.vocabularies.indexing import build_index, weights_of

NAMES = ["breast cancer", "cancer", "renal cell carcinoma", "k"]


def test_both_directions_of_the_index_hold_the_same_pairs() -> None:
    index = build_index(NAMES, [3, 2, 1, 0])

    by_gram = np.repeat(np.arange(len(index["gram_code"])), np.diff(index["gram_start"]))
    by_rank = np.repeat(np.arange(len(NAMES)), np.diff(index["rank_start"]))
    assert set(zip(by_gram.tolist(), index["gram_ranks"].tolist(), strict=True)) == set(
        zip(index["rank_grams"].tolist(), by_rank.tolist(), strict=True)
    )


def test_ranks_go_from_short_to_long_vectors() -> None:
    index = build_index(NAMES, [3, 2, 1, 0])

    assert index["rank_length"].tolist() == sorted(index["rank_length"].tolist())
    assert index["rank_row"].tolist()[0] == 0  # "k"
    for start, end in zip(index["gram_start"][:-1], index["gram_start"][1:], strict=True):
        assert (np.diff(index["gram_ranks"][start:end]) > 0).all()


def test_rare_grams_weigh_more() -> None:
    weights = weights_of(np.array([0, 1, 5, 10]), 10)

    assert (np.diff(weights) < 0).all()
    assert weights[-1] > 0


def test_blocks_and_large_alphabets_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = build_index(NAMES, range(4))
    monkeypatch.setattr(indexing, "BLOCK", 1)
    monkeypatch.setattr(indexing, "LARGEST_TABLE", 0)

    parts = build_index(NAMES, range(4))

    assert {name: array.tolist() for name, array in whole.items()} == {
        name: array.tolist() for name, array in parts.items()
    }
