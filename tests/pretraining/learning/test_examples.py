"""Examples of sequences: special sub-words, halves swapped or not, segment types, batches."""

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from linnet.losses.cost_sensitive import IGNORED
from linnet.models.encoders import find_encoder
from linnet.pretraining.learning.examples import IN_ORDER, SWAPPED, ExampleMaker, Frame, arrange, collate, find_frame
from linnet.pretraining.text.packing import PackedText
from linnet.pretraining.text.shards import TokenisedText
from linnet.settings.pretraining import MaskingSettings
from tests import tiny
from tests.pretraining.small import Piece

START, END = 901, 902  # of a sentence
FRAME = Frame(before=(2,), between=(3,), after=(3,), after_one=(3,), types=(0, 0, 0, 1, 1))


def piece(n: int, *starts: int) -> Piece:
    return Piece(np.arange(100, 100 + n, dtype=np.int64), (0, *starts))


def sentences_with_ends() -> TokenisedText:
    """Return articles of sentences, each with a sub-word at its start and one at its end; some are very long."""
    draw = random.Random(3)
    documents = [[draw.choice([5, 9, 14, 20, 33, 150]) for _ in range(60)] for _ in range(120)]
    tokens: list[int] = []
    sentences, starts = [], []
    for document in documents:
        starts.append(len(tokens))
        for length in document:
            sentences.append(len(tokens))
            tokens += [START, *(draw.randrange(100, 900) for _ in range(length)), END]
    return TokenisedText(
        folder=Path(),
        tokens=np.array(tokens, np.uint16),
        sentence_starts=np.array(sentences),
        document_starts=np.array(starts),
        n_unknown=0,
    )


def test_a_sequence_is_split_at_the_sentence_start_nearest_to_its_middle() -> None:
    found = arrange(piece(10, 2, 6, 9), FRAME, np.random.default_rng(4))

    assert found.order == IN_ORDER
    assert found.ids.tolist() == [2, *range(100, 106), 3, *range(106, 110), 3]
    assert found.types.tolist() == [0] * 8 + [1] * 5


def test_halves_are_swapped_half_of_the_time() -> None:
    orders = [arrange(piece(10, 4), FRAME, np.random.default_rng(seed)) for seed in range(2000)]

    exchanged = [found for found in orders if found.order == SWAPPED]
    assert len(exchanged) / 2000 == pytest.approx(0.5, abs=0.045)  # four standard errors
    assert exchanged[0].ids.tolist() == [2, *range(104, 110), 3, *range(100, 104), 3]
    assert exchanged[0].types.tolist() == [0] * 8 + [1] * 5


def test_a_single_sentence_has_no_order() -> None:
    found = arrange(piece(3), FRAME, np.random.default_rng(1))

    assert (found.ids.tolist(), found.types.tolist(), found.order) == ([2, 100, 101, 102, 3], [0] * 5, IGNORED)


def test_two_documents_have_no_order() -> None:
    crossing = Piece(np.arange(100, 110), (0, 5), (0, 5))
    with_another_start = Piece(np.arange(100, 110), (0, 2, 5), (0, 5))

    alone = arrange(crossing, FRAME, np.random.default_rng(4))
    split = arrange(with_another_start, FRAME, np.random.default_rng(4))

    assert alone.order == IGNORED
    assert split.ids.tolist() == [2, 100, 101, 3, *range(102, 110), 3]


def test_a_sequence_that_begins_inside_a_sentence_has_no_order() -> None:
    found = arrange(Piece(np.arange(100, 110), (4, 7), ()), FRAME, np.random.default_rng(1))

    assert found.order == IGNORED
    assert found.ids.tolist() == [2, *range(100, 110), 3]


@pytest.mark.parametrize("cross_documents", [False, True])
def test_no_single_subword_tells_the_order_of_whole_sentences(cross_documents: bool) -> None:
    text = sentences_with_ends()
    packed = PackedText(text, capacity=60, whole_sentences=True, cross_documents=cross_documents)
    found = [arrange(each, FRAME, np.random.default_rng(number)) for number, each in enumerate(packed)]
    ordered = [each for each in found if each.order != IGNORED]

    def accuracy(is_in_order: Callable[[list[int]], bool]) -> float:
        guesses = [IN_ORDER if is_in_order(each.ids.tolist()) else SWAPPED for each in ordered]
        return float(np.mean([guess == each.order for guess, each in zip(guesses, ordered, strict=True)]))

    assert len(ordered) > 1500
    # four standard errors; cut at every 60, the first rule is right in more than 0.9
    assert accuracy(lambda ids: ids[ids.index(3) - 1] == END) == pytest.approx(0.5, abs=0.05)
    assert accuracy(lambda ids: ids[-2] != END) == pytest.approx(0.5, abs=0.05)
    assert accuracy(lambda ids: ids[1] == START) == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize(
    ("family", "before", "between", "n_two"),
    [("bert", "[CLS]", ["[SEP]"], 3), ("roberta", "<s>", ["</s>", "</s>"], 4), ("albert", "[CLS]", ["[SEP]"], 3)],
)
def test_special_subwords_are_those_of_the_tokenizer(family: str, before: str, between: list[str], n_two: int) -> None:
    tokenizer = find_encoder(str(tiny.encoder(family))).backend
    alone = ExampleMaker.for_tokenizer(tokenizer, MaskingSettings(), 1)
    paired = ExampleMaker.for_tokenizer(tokenizer, MaskingSettings(sentence_order=True), 1)

    frame = find_frame(tokenizer)

    assert [tokenizer.id_to_token(number) for number in frame.before] == [before]
    assert [tokenizer.id_to_token(number) for number in frame.between] == between
    assert (alone.n_special, paired.n_special) == (2, n_two)


def test_the_same_numbers_make_the_same_example() -> None:
    maker = ExampleMaker.for_tokenizer(
        find_encoder(str(tiny.encoder())).backend, MaskingSettings(sentence_order=True), 1
    )
    sequence = Piece(maker.subwords.ordinary[:20].astype(np.int64), (0, 8))

    first, again, other = maker.make(sequence, 5), maker.make(sequence, 5), maker.make(sequence, 6)

    assert np.array_equal(first.masked.ids, again.masked.ids)
    assert first.order == again.order
    assert not np.array_equal(first.masked.ids, other.masked.ids)


def test_positions_of_a_batch_are_indices_of_all_rows_end_to_end() -> None:
    maker = ExampleMaker.for_tokenizer(find_encoder(str(tiny.encoder())).backend, MaskingSettings(), 1)
    numbers = maker.subwords.ordinary.astype(np.int64)
    examples = [maker.make(Piece(numbers[:30]), 1), maker.make(Piece(numbers[:12]), 2)]

    batch = collate(examples, 0)

    assert batch["input_ids"].shape == (2, 32)
    assert batch["attention_mask"].sum(dim=1).tolist() == [32, 14]
    second = batch["positions"][len(examples[0].masked.positions) :] - 32
    assert torch.equal(second, torch.from_numpy(examples[1].masked.positions))
    assert len(batch["labels"]) == len(batch["positions"])
    assert batch["order"].tolist() == [IGNORED, IGNORED]
