"""Turns of several corpora: the shares that a rule states, one corpus in a batch, and the same order for a seed."""

from collections import Counter
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from linnet.batches.bucketing import BucketedBatches
from linnet.batches.mixing import MixedBatches, count_turns

SIZES = (160, 640, 40)  # sentences; in batches of 8: 20, 80 and 5
RULES = {  # shares by hand: of 20, 80 and 5 batches
    "proportional": ({}, (20 / 105, 80 / 105, 5 / 105)),
    "temperature": ({"temperature": 2.0}, (20 / 70, 40 / 70, 10 / 70)),  # square roots 4.47, 8.94 and 2.24: 2 to 4 to 1
    "round-robin": ({}, (1 / 3, 1 / 3, 1 / 3)),
    "target-share": ({"share": 0.25}, (20 / 80, 60 * 80 / 85 / 80, 60 * 5 / 85 / 80)),  # 60 for the others, 80 to 5
}


def mixed(rule: str, *, seed: int = 1, rank: int = 0, world: int = 1, sizes: tuple[int, ...] = SIZES) -> MixedBatches:
    corpora = [BucketedBatches([1] * size, batch_size=8, seed=seed, rank=rank, world=world) for size in sizes]
    options = RULES[rule][0]
    n_turns = count_turns([len(each) for each in corpora], rule=rule, **options)
    return MixedBatches(corpora, n_turns, seed=seed, in_turn=rule == "round-robin")


def corpus_of(index: int, sizes: tuple[int, ...] = SIZES) -> int:
    """Return which corpus an example belongs to, of examples laid end to end."""
    return int(np.searchsorted(np.cumsum(sizes), index, side="right"))


def draws(batches: MixedBatches, number: int, *, of_each_epoch: int | None = None) -> Counter[int]:
    """Return how often each corpus had its turn, over so many batches from the beginning of epochs."""
    counts: Counter[int] = Counter()
    epoch = 0
    while sum(counts.values()) < number:
        batches.set_epoch(epoch)
        left = number - sum(counts.values())
        counts.update(islice(batches.order(), min(left, of_each_epoch or left)))
        epoch += 1
    return counts


@pytest.mark.parametrize("rule", RULES)
def test_over_many_draws_each_corpus_has_the_share_that_the_rule_states(rule: str) -> None:
    expected = [10_000 * share for share in RULES[rule][1]]

    counts = draws(mixed(rule), 10_000)

    assert stats.chisquare([counts[number] for number in range(3)], expected).pvalue > 0.01


@pytest.mark.long
@pytest.mark.parametrize("rule", RULES)
def test_the_shares_hold_at_the_beginning_of_epochs_too(rule: str) -> None:
    expected = [10_000 * share for share in RULES[rule][1]]

    counts = draws(mixed(rule), 10_000, of_each_epoch=6)  # an order that puts one corpus first would fail

    assert stats.chisquare([counts[number] for number in range(3)], expected).pvalue > 0.01


@pytest.mark.parametrize("rule", RULES)
def test_an_epoch_is_one_pass_over_the_target(rule: str) -> None:
    batches = mixed(rule)
    for epoch in range(3):
        batches.set_epoch(epoch)
        seen = sorted(index for batch in batches for index in batch if index < SIZES[0])

        assert seen == list(range(SIZES[0]))


@pytest.mark.parametrize("rule", RULES)
def test_a_batch_holds_one_corpus(rule: str) -> None:
    batches = mixed(rule)

    found = [{corpus_of(index) for index in batch} for batch in batches]

    assert len(found) == len(batches)
    assert all(len(corpora) == 1 for corpora in found)
    assert [min(each) for each in found] == batches.order()


def test_round_robin_takes_one_after_the_other() -> None:
    assert mixed("round-robin").order() == [0, 1, 2] * 20


@pytest.mark.parametrize("rule", RULES)
def test_the_same_seed_gives_the_same_order_and_another_seed_or_epoch_another(rule: str) -> None:
    def order(seed: int, epoch: int) -> list[list[int]]:
        batches = mixed(rule, seed=seed)
        batches.set_epoch(epoch)
        return list(batches)

    assert order(1, 1) == order(1, 1)
    assert order(1, 1) != order(2, 1)
    assert order(1, 1) != order(1, 2)


def test_a_large_corpus_is_gone_through_before_it_is_repeated() -> None:
    batches = mixed("target-share")  # 56.47 of its 80 batches in an epoch
    seen: list[int] = []
    for epoch in range(10):
        batches.set_epoch(epoch)
        seen += [index - SIZES[0] for batch in batches for index in batch if corpus_of(index) == 1]

    counts = Counter(seen)
    assert len(seen) == 565 * 8
    assert set(counts.values()) == {7, 8}  # 565 batches are seven passes over 80, and five more
    assert list(counts.values()).count(8) == 5 * 8


def test_one_corpus_alone_has_the_order_that_it_has_without_company() -> None:
    alone = BucketedBatches(range(100), batch_size=8, seed=3)
    together = MixedBatches([BucketedBatches(range(100), batch_size=8, seed=3)], [13], seed=3, in_turn=False)
    for epoch in range(3):
        alone.set_epoch(epoch)
        together.set_epoch(epoch)

        assert list(together) == list(alone)


@pytest.mark.parametrize("rule", RULES)
def test_processes_divide_each_batch_and_are_never_at_different_corpora(rule: str) -> None:
    first, second, whole = mixed(rule, world=2), mixed(rule, rank=1, world=2), mixed(rule)

    for ours, theirs, both in zip(first, second, whole, strict=True):
        assert sorted(ours + theirs) == sorted(both)
        assert {corpus_of(index) for index in ours} == {corpus_of(index) for index in theirs}


@given(st.lists(st.integers(1, 500), min_size=1, max_size=5), st.sampled_from(sorted(RULES)), st.floats(0.05, 1))
def test_the_target_always_has_its_whole_pass(sizes: list[int], rule: str, share: float) -> None:
    found = count_turns(sizes, rule=rule, temperature=3.0, share=share)

    assert found[0] == sizes[0]
    assert len(found) == len(sizes)
    assert sum(found) == pytest.approx(round(sum(found)))
    if rule != "target-share":
        assert min(found) >= 1


def shares_of(sizes: tuple[int, ...], share: float, n_epochs: int) -> list[list[int]]:
    """Return how many batches of each corpus each epoch has, where the target has this share."""
    corpora = [BucketedBatches([1] * size, batch_size=1, seed=1) for size in sizes]
    batches = MixedBatches(corpora, count_turns(sizes, rule="target-share", share=share), seed=1, in_turn=False)
    found = []
    for epoch in range(n_epochs):
        batches.set_epoch(epoch)
        counts = Counter(batches.order())
        assert sum(counts.values()) == len(batches)
        found.append([counts[number] for number in range(len(sizes))])
    return found


@given(st.lists(st.integers(1, 500), min_size=2, max_size=5), st.floats(0.05, 0.99))
def test_every_epoch_has_the_targets_share_to_the_nearest_batch(sizes: list[int], share: float) -> None:
    for target, *others in shares_of(tuple(sizes), share, 3):
        wanted = target * (1 - share) / share

        assert target == sizes[0]
        assert abs(sum(others) - wanted) <= 0.5 + 1e-9 or sum(others) == 1  # the least that company can be


def test_several_corpora_with_less_than_a_batch_each_take_turns_over_the_epochs() -> None:
    epochs = shares_of((16, 200, 900, 300), 0.95, 14)  # 16 * 0.05 / 0.95 is 0.84 of a batch for all three

    assert all(sum(epoch) == 17 for epoch in epochs)
    assert [sum(column) for column in zip(*epochs, strict=True)] == [14 * 16, 2, 9, 3]  # by their sizes
    assert all(sum(column) for column in list(zip(*epochs[:3], strict=True)))  # none has to wait for long


def test_a_target_with_all_of_the_share_is_alone() -> None:
    assert count_turns([100, 400], rule="target-share", share=1.0) == [100, 0]


def test_a_share_is_left_to_every_corpus_however_small() -> None:
    epochs = shares_of((10, 1000, 1), 0.5, 4)

    assert [epoch[2] for epoch in epochs] == [0, 1, 0, 0]  # a hundredth of a batch in an epoch, early
    assert all(sum(epoch) == 20 for epoch in epochs)
