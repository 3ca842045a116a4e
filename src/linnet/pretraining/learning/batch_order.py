"""In which order are sequences learned from, so that a killed run goes on exactly where it stopped?

The sequences form one endless stream: pass after pass, each shuffled anew. Pools of the stream are sorted by length
and cut into batches, so that little is padded, and the batches of a pool are shuffled again. All batches are full.
Where a pool holds several passes of a small text, each is sorted for itself: copies of a sequence, which are equally
long, would otherwise stand side by side and fill batches with themselves.
What stands at a number of the stream, and what is hidden there, follows from the seed and the number alone. The
trainer knows epochs; those are stretches of the stream here, each going on where the one before stopped.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from linnet.errors import BadSetting
from linnet.pretraining.learning.examples import Maker, MaskedExample, TextSequence

__all__ = ["StretchBatches", "TextStream"]

POOL_BATCHES = 50  # sorted by length together: large enough to save padding, small enough to stay random
ORDER, POOLS = 1, 2  # what a number is drawn for, beside the seed


class TextStream(Sequence[MaskedExample]):
    """The examples of a whole training by their number in the stream."""

    def __init__(
        self,
        sequences: Sequence[TextSequence],
        maker: Maker,
        *,
        n_examples: int,
        batch_size: int,
        lengths: NDArray[np.int64] | None = None,
    ) -> None:
        """Take the sequences; `lengths` are theirs, counted here if not given."""
        if not len(sequences):
            raise ValueError("there is nothing to learn from")
        self.sequences, self.maker = sequences, maker
        self.n_examples, self.batch_size = n_examples, batch_size
        self.lengths = lengths_of(sequences) if lengths is None else lengths
        self._pass_order = lru_cache(maxsize=2)(self._draw_pass)
        self._pool = lru_cache(maxsize=2)(self._draw_pool)

    def __len__(self) -> int:
        return self.n_examples

    def __getitem__(self, number: int) -> MaskedExample:  # type: ignore[override]  # nobody asks for slices
        return self.maker.make(self.sequences[self.sequence_at(number)], number)

    def sequence_at(self, number: int) -> int:
        """Return which sequence stands at this number of the stream."""
        size = self.batch_size * POOL_BATCHES
        return int(self._pool(number // size)[number % size])

    def widths(self, n_batches: int) -> NDArray[np.int64]:
        """Return how many sub-words a row of each of the first batches has, padding and special ones counted.

        Whole pools are returned, so there may be more batches than asked for.
        """
        n_pools = -(-n_batches // POOL_BATCHES)
        longest = [self.lengths[self._pool(number)].reshape(POOL_BATCHES, -1).max(axis=1) for number in range(n_pools)]
        return np.concatenate(longest) + self.maker.n_special

    def _draw_pool(self, number: int) -> NDArray[np.int64]:
        """Return the sequences of a pool, batch by batch."""
        size = self.batch_size * POOL_BATCHES
        first = number * size
        found = self._in_passes(first, first + size)
        passes = np.arange(first, first + size) // len(self.sequences)
        found = found[np.lexsort((self.lengths[found], passes))]
        batches = found.reshape(POOL_BATCHES, self.batch_size)
        generator = np.random.default_rng((self.maker.seed, POOLS, number))
        return batches[generator.permutation(POOL_BATCHES)].reshape(-1)

    def _in_passes(self, first: int, end: int) -> NDArray[np.int64]:
        """Return the sequences between two numbers of the shuffled passes laid end to end."""
        n_sequences, parts = len(self.sequences), []
        while first < end:
            which, at = divmod(first, n_sequences)
            part = self._pass_order(which)[at : at + end - first]
            parts.append(part)
            first += len(part)
        return np.concatenate(parts)

    def _draw_pass(self, number: int) -> NDArray[np.int64]:
        return np.random.default_rng((self.maker.seed, ORDER, number)).permutation(len(self.sequences))


class StretchBatches:
    """The batches of each stretch, as numbers of the stream; several processes divide every batch among them."""

    def __init__(self, batch_size: int, n_batches: int, *, rank: int = 0, world: int = 1) -> None:
        if batch_size < world:
            raise BadSetting(
                f"{world} processes cannot share batches of {batch_size}",
                "start fewer processes, or give optimiser.batch_size at least one sequence for each",
            )
        self.batch_size, self.n_batches = batch_size, n_batches
        self.rank, self.world = rank, world
        self.epoch = 0

    def set_epoch(self, epoch: int) -> None:
        """Say which stretch the next iteration is for."""
        self.epoch = epoch

    def __len__(self) -> int:
        return self.n_batches

    def __iter__(self) -> Iterator[list[int]]:
        for batch in range(self.epoch * self.n_batches, (self.epoch + 1) * self.n_batches):
            numbers = range(batch * self.batch_size, (batch + 1) * self.batch_size)
            yield list(numbers[self.rank :: self.world])


def lengths_of(sequences: Sequence[TextSequence]) -> NDArray[np.int64]:
    """Return how many sub-words each sequence has, from where it is kept if it is."""
    known = getattr(sequences, "lengths", None)
    if known is not None:
        return np.asarray(known, dtype=np.int64)
    return np.fromiter((len(each.ids) for each in sequences), dtype=np.int64, count=len(sequences))
