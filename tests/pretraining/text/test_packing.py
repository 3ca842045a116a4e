"""Packing: full sequences, leftovers, whole sentences, and documents that cross."""

import random
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from linnet.pretraining.text.packing import PackedText
from linnet.pretraining.text.shards import TokenisedText


def text(*documents: list[int]) -> TokenisedText:
    """Return documents given by the lengths of their sentences; the sub-words are numbered through."""
    lengths = [length for document in documents for length in document]
    starts = np.cumsum([0, *lengths])
    firsts = np.cumsum([0, *(len(document) for document in documents)])[:-1]
    sentences = starts[:-1][np.array(lengths) > 0]
    return TokenisedText(
        folder=Path(),
        tokens=np.arange(starts[-1], dtype=np.uint16),
        sentence_starts=sentences,
        document_starts=starts[firsts],
        n_unknown=0,
    )


def test_documents_are_cut_into_full_sequences_and_a_rest() -> None:
    packed = PackedText(text([6, 9, 10], [4]), capacity=10, least=3)

    assert [each.ids.tolist() for each in packed] == [
        list(range(10)), list(range(10, 20)), list(range(20, 25)), list(range(25, 29)),
    ]  # fmt: skip
    assert [each.sentence_starts for each in packed] == [(0, 6), (5,), (), (0,)]
    assert [each.document_starts for each in packed] == [(0,), (), (), (0,)]
    assert (packed.n_tokens, packed.n_left_over, packed.n_documents) == (29, 0, 2)
    assert packed[0].ids.dtype == np.int64


def test_rests_that_are_too_short_are_left_out_and_counted() -> None:
    packed = PackedText(text([12], [1], [13]), capacity=10, least=3)

    assert [len(each) for each in packed] == [10, 10, 3]
    assert packed.lengths.tolist() == [10, 10, 3]
    assert packed.n_left_over == 3


def test_sequences_are_filled_up_with_the_next_document_where_that_is_wanted() -> None:
    packed = PackedText(text([12], [5, 3], [4]), capacity=10, cross_documents=True, least=1)

    assert [len(each) for each in packed] == [10, 10, 4]
    assert packed[1].sentence_starts == (*packed[1].document_starts, 7) == (2, 7)
    assert packed[2].document_starts == (0,)


def test_whole_sentences_stay_together_and_only_long_ones_are_cut() -> None:
    packed = PackedText(text([4, 5, 3, 25, 2, 9], [6, 4]), capacity=10, whole_sentences=True, least=1)

    # 4 + 5, 3, 25 in three parts with the 2 behind it, 9; the next document by itself
    assert [len(each) for each in packed] == [9, 3, 10, 10, 7, 9, 10]
    assert [each.sentence_starts for each in packed] == [(0, 4), (0,), (0,), (), (5,), (0,), (0, 6)]
    assert packed.n_tokens == 58


def test_whole_sentences_of_the_next_document_fill_sequences_up() -> None:
    packed = PackedText(text([4, 3], [2, 6], [1]), capacity=10, whole_sentences=True, cross_documents=True, least=1)

    assert [len(each) for each in packed] == [9, 7]
    assert [each.document_starts for each in packed] == [(0, 7), (6,)]


@pytest.mark.parametrize("whole_sentences", [False, True])
@pytest.mark.parametrize("cross_documents", [False, True])
def test_nothing_is_lost_and_only_chosen_documents_are_there(cross_documents: bool, whole_sentences: bool) -> None:
    draw = random.Random(5)
    documents = [[draw.randrange(1, 12) for _ in range(draw.randrange(1, 6))] for _ in range(40)]
    documents[7] = documents[8] = [0]  # without sub-words
    whole = text(*documents)
    chosen = np.array(sorted(draw.sample(range(40), 25)))
    starts, ends = whole.document_starts, whole.document_ends

    packed = PackedText(
        whole,
        capacity=7,
        documents=chosen,
        cross_documents=cross_documents,
        whole_sentences=whole_sentences,
        least=1,
    )

    expected = [token for number in chosen for token in range(starts[number], ends[number])]
    assert np.concatenate([each.ids for each in packed]).tolist() == expected
    found = [each.ids[start] for each in packed for start in each.sentence_starts]
    assert found == sorted({int(start) for start in whole.sentence_starts} & set(expected))
    begun = [each.ids[start] for each in packed for start in each.document_starts]
    assert begun == [starts[number] for number in chosen if ends[number] > starts[number]]


def test_sequences_are_found_from_the_end_and_in_slices() -> None:
    packed = PackedText(text([25]), capacity=10, least=1)

    assert packed[-1].ids.tolist() == [20, 21, 22, 23, 24]
    assert [len(each) for each in packed[1:]] == [10, 5]
    with pytest.raises(IndexError):
        packed[3]


def test_no_documents_give_no_sequences() -> None:
    none = np.array([], np.int64)
    for cross, whole in product((False, True), repeat=2):
        packed = PackedText(text([3]), capacity=4, documents=none, cross_documents=cross, whole_sentences=whole)

        assert (len(packed), packed.n_tokens, list(packed)) == (0, 0, [])
