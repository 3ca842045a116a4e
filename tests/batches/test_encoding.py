"""Encoding: no word loses its place, and sub-words never reach over two words."""

import pytest
from transformers import AutoTokenizer

from linnet.batches.encoding import WordEncoder, collate
from linnet.models.encoders import find_encoder
from tests import tiny

WORDS = ["cystic", "fibrosis", "\u200b", "was", "\x07", "zzz", "β"]  # a zero-width space and a bell are no letters


def word_encoder(family: str = "bert", **options: int) -> WordEncoder:
    return WordEncoder(find_encoder(str(tiny.encoder(family))).backend, **({"max_length": 32} | options))


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_every_word_has_sub_words_of_its_own(family: str) -> None:
    [window] = word_encoder(family).encode([WORDS])

    assert len(window.starts) == len(window.ends) == len(WORDS)
    assert window.starts[1:] == window.ends[:-1]
    assert all(start < end for start, end in zip(window.starts, window.ends, strict=True))
    assert (window.own_first, window.own_end) == (0, len(WORDS))


def test_a_word_without_sub_words_is_read_as_unknown() -> None:
    encoder = word_encoder()

    [window] = encoder.encode([WORDS])

    assert [window.ids[window.starts[n]] for n in (2, 4)] == [encoder.unknown_id] * 2
    assert encoder.unknown_id == encoder.tokenizer.token_to_id("[UNK]")


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_special_tokens_stand_around_each_window_as_the_tokenizer_puts_them(family: str) -> None:
    tokenizer = find_encoder(str(tiny.encoder(family))).tokenizer
    words = "cystic fibrosis was treated".split()

    [window] = word_encoder(family).encode([words])

    assert window.ids == tokenizer(words, is_split_into_words=True)["input_ids"]
    assert window.ids == tokenizer(" ".join(words))["input_ids"]


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_no_window_is_longer_than_allowed_and_no_word_is_missing(family: str) -> None:
    sentences = [tiny.words() * 5, [], ["folic"], ["x" * 200, "acid"]]

    windows = list(word_encoder(family, max_length=12, overlap=4).encode(sentences))

    assert max(len(window.ids) for window in windows) <= 12
    owned = [(w.sentence, word) for w in windows for word in range(w.own_first, w.own_end)]
    assert owned == [(n, word) for n, words in enumerate(sentences) for word in range(len(words))]


def test_a_window_of_a_sentence_reads_what_its_words_read_alone() -> None:
    encoder = word_encoder(max_length=12, overlap=4)
    words = tiny.words()
    alone = [next(iter(encoder.encode([[word]]))) for word in words]

    for window in encoder.encode([words]):
        for word, start, end in zip(range(window.own_first, window.own_end), window.starts, window.ends, strict=True):
            assert window.ids[start:end] == alone[word].ids[1:-1]


def test_the_tokenizer_that_is_given_is_not_changed() -> None:
    backend = AutoTokenizer.from_pretrained(tiny.encoder()).backend_tokenizer
    backend.enable_truncation(5)
    before = backend.to_str()

    [window] = WordEncoder(backend, max_length=32).encode([WORDS])

    assert backend.to_str() == before
    assert len(window.ids) > 5


def test_padding_is_masked() -> None:
    encoder = word_encoder()
    windows = list(encoder.encode([["was"], ["was", "treated", "with"]]))

    batch = collate(windows, encoder.pad_id)

    assert batch.ids.shape == batch.mask.shape == (2, len(windows[1].ids))
    assert batch.mask.sum(axis=1).tolist() == [len(window.ids) for window in windows]
    assert set(batch.ids[batch.mask == 0].tolist()) == {encoder.pad_id}
