"""Batches: every example once per epoch, in an order that seed and epoch fix, divided among processes."""

from collections.abc import Iterable, Sequence
from itertools import combinations, islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.batches.bucketing import BucketedBatches, batch_by_tokens
from linnet.errors import BadSetting

LENGTHS = st.lists(st.integers(2, 60), min_size=1, max_size=150)


def order(
    lengths: list[int], epoch: int, *, seed: int = 1, size: int = 4, rank: int = 0, world: int = 1
) -> list[list[int]]:
    batches = BucketedBatches(lengths, batch_size=size, seed=seed, rank=rank, world=world)
    batches.set_epoch(epoch)
    return list(batches)


@given(LENGTHS, st.integers(1, 9), st.integers(0, 3))
def test_every_example_comes_once_in_each_epoch(lengths: list[int], size: int, epoch: int) -> None:
    batches = order(lengths, epoch, size=size)

    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    assert len(batches) == len(BucketedBatches(lengths, batch_size=size, seed=1))
    assert max(map(len, batches)) <= size


def test_the_order_follows_from_seed_and_epoch() -> None:
    lengths = [2 + n % 17 for n in range(100)]

    assert order(lengths, 1) == order(lengths, 1)
    assert order(lengths, 1) != order(lengths, 2)
    assert order(lengths, 1, seed=1) != order(lengths, 1, seed=2)


def test_iterating_again_does_not_change_the_order() -> None:
    batches = BucketedBatches([2 + n % 17 for n in range(100)], batch_size=4, seed=1)

    assert list(islice(batches, 3)) == list(batches)[:3]


@given(st.lists(st.integers(2, 60), min_size=3, max_size=150), st.integers(3, 9), st.integers(2, 3))
def test_processes_divide_each_batch_and_none_goes_empty(lengths: list[int], size: int, world: int) -> None:
    shares = [order(lengths, 1, size=size, rank=rank, world=world) for rank in range(world)]
    batches = BucketedBatches(lengths, batch_size=size, seed=1, world=world)
    batches.set_epoch(1)

    assert len({len(share) for share in shares}) == 1
    for whole, *parts in zip(batches.whole_batches(), *shares, strict=True):
        assert sorted(index for part in parts for index in part) == sorted(whole.tolist())
        assert all(parts)
    assert sorted(index for share in shares for batch in share for index in batch) == list(range(len(lengths)))


def test_two_processes_see_the_batches_of_one() -> None:
    lengths = [2 + n % 17 for n in range(96)]  # a multiple of the batch size: no rest to be divided

    alone = order(lengths, 3)
    shared = [order(lengths, 3, rank=rank, world=2) for rank in (0, 1)]

    assert [sorted(a + b) for a, b in zip(*shared, strict=True)] == [sorted(batch) for batch in alone]


@pytest.mark.parametrize(("n_examples", "size"), [(10, 1), (1, 8)])
def test_batches_too_small_for_all_processes_are_refused(n_examples: int, size: int) -> None:
    with pytest.raises(BadSetting, match="2 processes cannot share batches of 1"):
        BucketedBatches([5] * n_examples, batch_size=size, seed=1, rank=0, world=2)


def test_sorting_saves_most_of_the_padding() -> None:
    lengths = [5 + (37 * n) % 90 for n in range(800)]  # evenly spread from 5 to 94

    padded = sum(max(lengths[index] for index in batch) * len(batch) for batch in order(lengths, 0, size=16))

    assert padded < 1.1 * sum(lengths)


@given(LENGTHS, st.integers(8, 90), st.integers(1, 9), st.sampled_from([None, 0, 5]))
def test_batches_by_tokens_hold_every_example_and_keep_their_bounds(
    lengths: list[int], tokens: int, most: int, cost: int | None
) -> None:
    batches = list(batch_by_tokens(lengths, most_tokens=tokens, most_examples=most, batch_cost=cost))

    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) <= most
        assert len(batch) == 1 or max(lengths[index] for index in batch) * len(batch) <= tokens


@given(st.lists(st.integers(1, 30), min_size=1, max_size=9), st.integers(0, 40))
def test_no_other_batches_cost_less(lengths: list[int], batch_cost: int) -> None:
    def cost(batches: Iterable[Sequence[int]]) -> int:
        return sum(batch_cost + len(batch) * max(batch) for batch in batches)

    ordered = sorted(lengths)
    ways = [
        [ordered[start:end] for start, end in pairwise((0, *cuts, len(ordered)))]
        for n_cuts in range(len(ordered))
        for cuts in combinations(range(1, len(ordered)), n_cuts)
    ]
    allowed = [way for way in ways if all(len(each) <= 4 and len(each) * max(each) <= 60 for each in way)]

    found = batch_by_tokens(lengths, most_tokens=60, most_examples=4, batch_cost=batch_cost)

    assert cost([lengths[index] for index in batch] for batch in found) == min(map(cost, allowed))


def test_full_batches_and_dear_ones_are_the_same() -> None:
    lengths = [1 + (37 * n) % 50 for n in range(64)]

    dear = list(batch_by_tokens(lengths, most_tokens=10**6, most_examples=64, batch_cost=10**6))

    assert (
        dear
        == list(batch_by_tokens(lengths, most_tokens=10**6, most_examples=64))
        == [sorted(range(64), key=lengths.__getitem__)]
    )
