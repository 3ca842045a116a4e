"""The order of the stream: pass after pass, full batches, the same from seed and number alone."""

from collections import Counter

import numpy as np
import pytest

from linnet.errors import BadSetting
from linnet.models.encoders import find_encoder
from linnet.pretraining.learning.batch_order import IntervalBatches, TextStream
from linnet.pretraining.learning.examples import ExampleMaker, collate
from linnet.settings.pretraining import MaskingSettings
from tests import tiny
from tests.pretraining.small import Piece


def stream(n_sequences: int = 37, *, batch_size: int = 4, seed: int = 1) -> TextStream:
    maker = ExampleMaker.for_tokenizer(find_encoder(str(tiny.encoder())).backend, MaskingSettings(), seed)
    ordinary = maker.subwords.ordinary.astype(np.int64)
    sequences = [Piece(np.resize(ordinary, 8 + number % 20)) for number in range(n_sequences)]
    return TextStream(sequences, maker, n_examples=1000, batch_size=batch_size)


def test_each_pass_has_every_sequence_once_up_to_the_pools_at_its_ends() -> None:
    found = stream(200)  # a pool is 200 numbers as well

    passes = [[found.sequence_at(number) for number in range(at, at + 200)] for at in (0, 200, 400)]

    assert all(sorted(each) == list(range(200)) for each in passes)
    assert passes[0] != passes[1] != passes[2] != passes[0]


def test_all_sequences_are_seen_equally_often_whatever_their_number() -> None:
    found = stream(37)

    seen = Counter(found.sequence_at(number) for number in range(37 * 200))  # ends with a pool and with a pass

    assert set(seen.values()) == {200}


def test_batches_hold_sequences_of_like_length() -> None:
    found = stream(400)

    spreads = []
    for batch in range(100):
        lengths = [len(found[number]) for number in range(4 * batch, 4 * batch + 4)]
        spreads.append(max(lengths) - min(lengths))

    assert np.mean(spreads) < 2  # unsorted, four of 8 to 27 differ by 12 on average


def test_batches_of_a_small_text_are_not_copies_of_one_sequence() -> None:
    found = stream(37)

    batches = [{found.sequence_at(number) for number in range(4 * batch, 4 * batch + 4)} for batch in range(100)]

    assert all(len(different) >= 3 for different in batches)  # two only where a pass ends and the next begins
    assert sum(len(different) == 4 for different in batches) > 95


def test_widths_are_those_of_the_padded_batches() -> None:
    found = stream(400)

    widths = found.widths(60)

    padded = [collate([found[number] for number in range(4 * batch, 4 * batch + 4)], 0) for batch in range(100)]
    assert widths.tolist() == [batch["input_ids"].shape[1] for batch in padded]


def test_an_example_depends_on_seed_and_number_alone() -> None:
    first, again, other = stream(), stream(), stream(seed=2)
    for number in (900, 3):  # the order of access does not matter
        again[number]

    for number in (0, 41, 399):
        assert np.array_equal(first[number].masked.ids, again[number].masked.ids)
        assert np.array_equal(first[number].masked.positions, again[number].masked.positions)
    assert any(not np.array_equal(first[number].masked.ids, other[number].masked.ids) for number in range(5))


def test_a_sequence_that_comes_again_has_other_masks() -> None:
    found = stream(4)
    twice = [number for number in range(200) if found.sequence_at(number) == 3][:2]

    first, second = (found[number].masked.positions.tolist() for number in twice)

    assert first != second


def test_an_interval_begins_where_the_previous_one_ended() -> None:
    batches = IntervalBatches(4, 3)

    numbers = []
    for epoch in range(3):
        batches.set_epoch(epoch)
        numbers += [number for batch in batches for number in batch]

    assert numbers == list(range(36))
    assert len(batches) == 3


def test_processes_share_every_batch() -> None:
    parts = [list(IntervalBatches(5, 2, rank=rank, world=2)) for rank in (0, 1)]

    assert parts == [[[0, 2, 4], [5, 7, 9]], [[1, 3], [6, 8]]]
    with pytest.raises(BadSetting, match="3 processes cannot share batches of 2"):
        IntervalBatches(2, 1, world=3)
