"""The order of training batches, which a resumed run continues exactly where it stopped.

The sequences form one endless stream of passes over the text, and each pass is shuffled. Pools of the stream are sorted
by length and cut into batches, which saves padding, and the batches of a pool are shuffled. All batches are full.
If a pool holds several passes of a small text, each pass is sorted by itself: otherwise copies of a sequence, which
have the same length, would fill a batch.
The sequence at a number of the stream, and its masks, depend on the seed and the number alone. An epoch of the trainer
is an interval of the stream between two evaluations, which begins where the previous one ended.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from linnet.errors import BadSetting
from linnet.pretraining.learning.examples import ExampleMaker, MaskedExample, TextSequence

__all__ = ["IntervalBatches", "TextStream"]

POOL_BATCHES = 50  # sorted by length together: large enough to save padding, small enough to stay random
ORDER, POOLS = 1, 2  # purpose of a random draw, beside the seed


class TextStream(Sequence[MaskedExample]):
    """The examples of a whole training, by their number in the stream."""

    def __init__(
        self,
        sequences: Sequence[TextSequence],
        maker: ExampleMaker,
        *,
        n_examples: int,
        batch_size: int,
        lengths: NDArray[np.int64] | None = None,
    ) -> None:
        """Keep the sequences and their lengths, which are counted if not given."""
        if not len(sequences):
            raise ValueError("there is nothing to learn from")
        self.sequences, self.maker = sequences, maker
        self.n_examples, self.batch_size = n_examples, batch_size
        self.lengths = count_subwords(sequences) if lengths is None else lengths
        self._pass_order = lru_cache(maxsize=2)(self._draw_pass)
        self._pool = lru_cache(maxsize=2)(self._draw_pool)

    def __len__(self) -> int:
        return self.n_examples

    def __getitem__(self, number: int) -> MaskedExample:  # type: ignore[override]  # slices are not needed
        return self.maker.make(self.sequences[self.sequence_at(number)], number)

    def sequence_at(self, number: int) -> int:
        """Return the index of the sequence at a number of the stream."""
        size = self.batch_size * POOL_BATCHES
        return int(self._pool(number // size)[number % size])

    def widths(self, n_batches: int) -> NDArray[np.int64]:
        """Return the padded width of each of the first batches, special sub-words included.

        Whole pools are returned, so there may be more than `n_batches` widths.
        """
        n_pools = -(-n_batches // POOL_BATCHES)
        longest = [self.lengths[self._pool(number)].reshape(POOL_BATCHES, -1).max(axis=1) for number in range(n_pools)]
        return np.concatenate(longest) + self.maker.n_special

    def _draw_pool(self, number: int) -> NDArray[np.int64]:
        """Return the sequences of a pool, batch by batch."""
        size = self.batch_size * POOL_BATCHES
        first = number * size
        sequences = self._read_passes(first, first + size)
        passes = np.arange(first, first + size) // len(self.sequences)
        sequences = sequences[np.lexsort((self.lengths[sequences], passes))]
        batches = sequences.reshape(POOL_BATCHES, self.batch_size)
        generator = np.random.default_rng((self.maker.seed, POOLS, number))
        return batches[generator.permutation(POOL_BATCHES)].reshape(-1)

    def _read_passes(self, first: int, end: int) -> NDArray[np.int64]:
        """Return the sequences between two numbers of the shuffled passes, which lie end to end."""
        n_sequences, parts = len(self.sequences), []
        while first < end:
            number, offset = divmod(first, n_sequences)
            part = self._pass_order(number)[offset : offset + end - first]
            parts.append(part)
            first += len(part)
        return np.concatenate(parts)

    def _draw_pass(self, number: int) -> NDArray[np.int64]:
        return np.random.default_rng((self.maker.seed, ORDER, number)).permutation(len(self.sequences))


class IntervalBatches:
    """The batches of each interval, as numbers of the stream; several processes share every batch."""

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
        """Choose the interval of the next iteration."""
        self.epoch = epoch

    def __len__(self) -> int:
        return self.n_batches

    def __iter__(self) -> Iterator[list[int]]:
        for batch in range(self.epoch * self.n_batches, (self.epoch + 1) * self.n_batches):
            numbers = range(batch * self.batch_size, (batch + 1) * self.batch_size)
            yield list(numbers[self.rank :: self.world])


def count_subwords(sequences: Sequence[TextSequence]) -> NDArray[np.int64]:
    """Return the number of sub-words of each sequence; known lengths are not counted again."""
    known = getattr(sequences, "lengths", None)
    if known is not None:
        return np.asarray(known, dtype=np.int64)
    return np.fromiter((len(sequence.ids) for sequence in sequences), dtype=np.int64, count=len(sequences))
