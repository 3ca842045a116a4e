"""Decoding: the best row of tags that the tagging allows, against trying all rows."""

from collections.abc import Sequence
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.formats.corpus import read_corpus
from linnet.labels.label_set import LabelSet
from linnet.labels.mention import Mention
from linnet.labels.tagging import decode_conll, first_fault
from linnet.tasks.ner.decoding import Decoder, FloatArray
from linnet.tasks.ner.examples import label_set_of, read_examples
from tests import tiny

TAGGINGS = ("io", "iob1", "iob2", "iobes", "bilou")


def label_set(tagging: str, labels: Sequence[str] = ("X",)) -> LabelSet:
    return LabelSet.of_tags(labels, tagging)


def logits(n_words: int, n_tags: int, seed: int) -> FloatArray:
    return np.random.default_rng(seed).normal(scale=3, size=(n_words, n_tags)).astype(np.float32)


def best_by_trying(
    scores: FloatArray, names: LabelSet, tagging: str, learned: dict[str, FloatArray] | None = None
) -> list[str]:
    """Return the allowed row with the highest sum, the plain way."""
    numbers = range(len(names))
    rows = [
        row
        for row in product(numbers, repeat=len(scores))
        if first_fault([names.names[n] for n in row], tagging) is None
    ]

    def value(row: tuple[int, ...]) -> float:
        own = sum(float(scores[word, tag]) for word, tag in enumerate(row))
        if learned is None:
            return own
        steps = sum(float(learned["transitions"][a, b]) for a, b in pairwise(row))
        return own + steps + float(learned["start"][row[0]] + learned["end"][row[-1]])

    return [names.names[number] for number in max(rows, key=value)]


@given(st.sampled_from(TAGGINGS), st.integers(1, 4), st.integers(0, 10_000))
def test_valid_decoding_finds_what_trying_all_rows_finds(tagging: str, n_words: int, seed: int) -> None:
    names = label_set(tagging)
    scores = logits(n_words, len(names), seed)

    tags = Decoder(names, tagging).decode(scores).tags

    assert tags == best_by_trying(scores, names, tagging)


@given(st.sampled_from(TAGGINGS), st.integers(1, 60), st.integers(0, 10_000))
def test_valid_decoding_never_yields_an_invalid_row(tagging: str, n_words: int, seed: int) -> None:
    names = label_set(tagging, ("X", "Y"))

    tags = Decoder(names, tagging).decode(logits(n_words, len(names), seed)).tags

    assert len(tags) == n_words
    assert first_fault(tags, tagging) is None


@given(st.sampled_from(TAGGINGS), st.integers(1, 5), st.integers(0, 10_000))
def test_valid_decoding_is_argmax_where_argmax_is_valid(tagging: str, n_words: int, seed: int) -> None:
    names = label_set(tagging)
    scores = logits(n_words, len(names), seed)

    plain = Decoder(names, tagging, "argmax").decode(scores).tags

    assert plain == [names.names[number] for number in scores.argmax(axis=1)]
    if first_fault(plain, tagging) is None:
        assert Decoder(names, tagging, "valid").decode(scores).tags == plain


@given(st.sampled_from(("iob2", "iobes")), st.integers(1, 4), st.integers(0, 10_000))
def test_the_transitions_of_a_crf_are_counted_in(tagging: str, n_words: int, seed: int) -> None:
    names = label_set(tagging)
    n_tags = len(names)
    learned = {
        "start": logits(1, n_tags, seed + 1)[0],
        "transitions": logits(n_tags, n_tags, seed + 2),
        "end": logits(1, n_tags, seed + 3)[0],
    }
    scores = logits(n_words, n_tags, seed)

    tags = Decoder(names, tagging, "crf", learned).decode(scores).tags

    assert tags == best_by_trying(scores, names, tagging, learned)


def test_a_crf_can_outvote_each_words_best_tag() -> None:
    names = label_set("iob2")  # O, B-X, I-X
    scores = np.array([[1, 0.5, -9], [1, 0.5, -9]], np.float32)
    learned = {
        "start": np.zeros(3, np.float32),
        "transitions": np.zeros((3, 3), np.float32),
        "end": np.zeros(3, np.float32),
    }

    assert Decoder(names, "iob2", "crf", learned).decode(scores).tags == ["O", "O"]
    learned["transitions"][1, 1] = 2  # a B is likely after a B
    assert Decoder(names, "iob2", "crf", learned).decode(scores).tags == ["B-X", "B-X"]


def test_the_score_of_a_mention_is_the_geometric_mean_of_its_words() -> None:
    names = label_set("iob2")
    probabilities = np.array([[0.1, 0.8, 0.1], [0.5, 0.0999, 0.4001], [0.9, 0.05, 0.05]])
    scores = np.log(probabilities).astype(np.float32)
    scores[1, 2] = np.log(0.6)  # logits need not be normalised: 0.6 of 1.1999

    found = Decoder(names, "iob2").decode(scores)

    assert found.mentions == [Mention(0, 2, "X")]
    assert found.scores == [pytest.approx((0.8 * 0.6 / 1.1999) ** 0.5, rel=1e-5)]


def test_probabilities_of_tags_add_up_and_a_crf_counts_its_transitions_in() -> None:
    tags = label_set("iob2")
    scores = logits(4, len(tags), seed=3)
    steps = np.array([[-2, -2, -2], [2, 2, 2], [2, 2, 2]], np.float32)
    learned: dict[str, FloatArray] = {
        "start": np.zeros(3, np.float32),
        "transitions": steps,
        "end": np.zeros(3, np.float32),
    }

    alone = Decoder(tags, "iob2").log_probabilities(scores)
    joined = Decoder(tags, "iob2", "crf", learned).log_probabilities(scores)

    np.testing.assert_allclose(np.exp(alone).sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_allclose(np.exp(joined).sum(axis=1), 1, rtol=1e-5)
    assert np.abs(np.exp(alone) - np.exp(joined)).max() > 0.05


def test_no_words_give_no_tags() -> None:
    found = Decoder(label_set("iob2"), "iob2").decode(np.zeros((0, 3), np.float32))

    assert (found.tags, found.mentions, found.scores) == ([], [], [])


def test_gold_tags_are_read_back_as_the_mentions_they_were() -> None:
    examples = read_examples(read_corpus(tiny.corpus()).train, "iob2")
    names = label_set_of([examples], [], "iob2")
    decoder = Decoder(names, "iob2", "valid")

    for row in examples.rows:
        scores = np.full((len(row.words), len(names.names)), -20.0, dtype=np.float32)
        scores[np.arange(len(row.words)), [names.names.index(tag) for tag in row.tags]] = 20.0
        found = decoder.decode(scores)
        assert list(found.tags) == row.tags
        assert decode_conll(list(found.tags)) == decode_conll(row.tags)
