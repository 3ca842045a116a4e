"""Batching by length: little padding, and an order that depends on the seed and the epoch alone."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

import numpy as np

from linnet.errors import BadSetting

__all__ = ["MOST_TOKENS", "MOST_WINDOWS", "BucketedBatches", "batch_by_tokens"]

MOST_TOKENS = 1024  # padded sub-words per batch in prediction: more is slower on CPUs, because it leaves their caches
MOST_WINDOWS = 64
POOL_BATCHES = 50  # batches sorted by length together: many enough to save padding, few enough to stay random


class BucketedBatches:
    """The batches of each epoch as indices: shuffled pools are sorted by length, cut, and shuffled again.

    The order depends on the seed and the epoch alone, so a resumed job gets the same batches as an uninterrupted one.
    With several processes every batch is divided among them: each example is used once, and the batches are those of
    a single process.
    """

    def __init__(self, lengths: Sequence[int], *, batch_size: int, seed: int, rank: int = 0, world: int = 1) -> None:
        if world > 1 and min(batch_size, len(lengths)) < world:
            raise BadSetting(
                f"{world} processes cannot share batches of {min(batch_size, len(lengths))}",
                "start fewer processes, or give optimiser.batch_size at least one sentence for each",
            )
        self.lengths = np.asarray(lengths)
        self.batch_size = batch_size
        self.seed = seed
        self.rank, self.world = rank, world
        self.epoch = 0

    def set_epoch(self, epoch: int) -> None:
        """Set the epoch of the next iteration."""
        self.epoch = epoch

    def __len__(self) -> int:
        n_batches = -(-len(self.lengths) // self.batch_size)
        rest = len(self.lengths) % self.batch_size
        return n_batches - 1 if n_batches > 1 and 0 < rest < self.world else n_batches

    def __iter__(self) -> Iterator[list[int]]:
        for batch in self.whole_batches():
            yield [int(index) for index in batch[self.rank :: self.world]]

    def whole_batches(self) -> list[np.ndarray[tuple[int], np.dtype[np.intp]]]:
        """Return the epoch's batches before they are divided among processes."""
        generator = np.random.default_rng((self.seed, self.epoch))
        order = generator.permutation(len(self.lengths))
        pool = self.batch_size * POOL_BATCHES
        batches = []
        for start in range(0, len(order), pool):
            chunk = order[start : start + pool]
            chunk = chunk[np.argsort(self.lengths[chunk], kind="stable")]
            batches += [chunk[at : at + self.batch_size] for at in range(0, len(chunk), self.batch_size)]
        if len(batches) > len(self):  # a last batch with too few examples to divide is joined to the one before
            batches[-2:] = [np.concatenate(batches[-2:])]
        generator.shuffle(batches)
        return batches


def batch_by_tokens(
    lengths: Sequence[int], *, most_tokens: int, most_examples: int, batch_cost: int | None = None
) -> Iterator[list[int]]:
    """Yield batches of indices by ascending length, each with at most `most_tokens` tokens after padding.

    Args:
        lengths: of the examples.
        most_tokens: of a batch, after padding; a longer example is alone.
        most_examples: of a batch.
        batch_cost: what a batch costs besides its tokens, in tokens. Then the sum of all costs is the least possible:
            batches end where padding would cost more than another batch. If not given, they are as full as possible.

    >>> list(batch_by_tokens([3, 1, 9, 1], most_tokens=6, most_examples=8))
    [[1, 3], [0], [2]]
    >>> list(batch_by_tokens([10, 2, 2, 9], most_tokens=50, most_examples=8, batch_cost=3))
    [[1, 2], [3, 0]]
    """
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    ascending = [lengths[index] for index in order]
    choose = _find_fullest if batch_cost is None else partial(_find_cheapest, batch_cost=batch_cost)
    for start, end in pairwise(choose(ascending, most_tokens, most_examples)):
        yield order[start:end]


def _find_fullest(ascending: Sequence[int], most_tokens: int, most_examples: int) -> list[int]:
    """Return where batches begin that are as full as possible, and the end of the last one."""
    bounds = [0]
    for at, length in enumerate(ascending):
        n_examples = at + 1 - bounds[-1]
        if n_examples > most_examples or (n_examples > 1 and length * n_examples > most_tokens):
            bounds.append(at)
    return [*bounds, len(ascending)] if ascending else []


def _find_cheapest(ascending: Sequence[int], most_tokens: int, most_examples: int, *, batch_cost: int) -> list[int]:
    """Return where batches of the least cost begin, and the end of the last one, by dynamic programming."""
    costs, begins = [0], [0]  # of the best batches of the first examples; where the last of these batches begins
    for end, length in enumerate(ascending, 1):
        n_most = max(1, min(end, most_examples, most_tokens // max(length, 1)))
        cost, begin = min((costs[at] + length * (end - at), at) for at in range(end - n_most, end))
        costs.append(cost + batch_cost)
        begins.append(begin)
    bounds = [len(ascending)]
    while bounds[-1]:
        bounds.append(begins[bounds[-1]])
    return bounds[::-1]
