"""Batching by length: little padding, and an order that depends on the seed and the epoch alone."""

from collections.abc import Iterator, Sequence
from itertools import islice

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


def batch_by_tokens(lengths: Sequence[int], *, most_tokens: int, most_examples: int) -> Iterator[list[int]]:
    """Yield batches of indices by ascending length, each with at most `most_tokens` tokens after padding.

    >>> list(batch_by_tokens([3, 1, 9, 1], most_tokens=6, most_examples=8))
    [[1, 3], [0], [2]]
    """
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    at = 0
    while at < len(order):
        batch: list[int] = []
        for index in islice(order, at, at + most_examples):
            if batch and lengths[index] * (len(batch) + 1) > most_tokens:
                break
            batch.append(index)
        at += len(batch)
        yield batch
