"""Mixing of batches from several corpora for multi-task training.

An epoch is one pass over the first corpus, the target. A sampling rule sets how many batches of the other corpora are
added. These numbers are fixed and only the order is random, so the shares are exact to the nearest batch; fractions of
a batch are carried over to later epochs. Every batch holds examples of one corpus. If an auxiliary corpus is larger
than its share of an epoch, the next epoch continues where this one stopped.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from linnet.batches.bucketing import BucketedBatches

__all__ = ["MixedBatches", "count_turns"]


def count_turns(
    n_batches: Sequence[int], *, rule: str = "proportional", temperature: float = 2.0, share: float = 0.5
) -> list[float]:
    """Return how many batches of each corpus make an epoch; the first corpus, the target, has all of its batches.

    The sum is a whole number. A fraction of a batch means a batch in only some of the epochs.

    Args:
        n_batches: the batches of one pass over each corpus.
        rule: `proportional` (each corpus by its size), `temperature` (by its size to the power 1 / temperature),
            `round-robin` (all alike), `target-share` (the target has a share of all, the others the rest by size).
        temperature: 1 is proportional, infinite is round-robin.
        share: the share of the target.

    >>> count_turns([100, 400]), count_turns([100, 400], rule="temperature")
    ([100, 400], [100, 200])
    >>> count_turns([100, 400], rule="target-share", share=0.8)
    [100, 25.0]
    """
    target, *others = n_batches
    if not others:
        return [target]
    if rule == "round-robin":
        return [target] * len(n_batches)
    if rule == "target-share":
        rest = max(int(share < 1), round(target * (1 - share) / share))
        return [target, *(round(rest * size / sum(others), 9) for size in others)]
    power = 1.0 if rule == "proportional" else 1 / temperature
    return [target, *(max(1, round(target * (size / target) ** power)) for size in others)]


class MixedBatches:
    """The batches of each epoch over several corpora, as indices into their concatenated examples."""

    def __init__(
        self, corpora: Sequence[BucketedBatches], n_turns: Sequence[float], *, seed: int, in_turn: bool
    ) -> None:
        self.corpora, self.n_turns = corpora, n_turns
        self.seed, self.in_turn = seed, in_turn
        sizes = [len(corpus.lengths) for corpus in corpora]
        self.offsets = [sum(sizes[:number]) for number in range(len(sizes))]
        self.epoch = 0

    def set_epoch(self, epoch: int) -> None:
        """Set the epoch of the next iteration."""
        self.epoch = epoch

    def __len__(self) -> int:
        return round(sum(self.n_turns))

    def __iter__(self) -> Iterator[list[int]]:
        streams = [
            self._iterate_from(number, first) for number, first in enumerate(self._count_batches_before(self.epoch))
        ]
        for number in self.order():
            yield [self.offsets[number] + index for index in next(streams[number])]

    def order(self) -> list[int]:
        """Return the index of the corpus of each batch of the epoch."""
        if self.in_turn:
            return [number for _ in range(len(self.corpora[0])) for number in range(len(self.corpora))]
        n_turns = np.subtract(self._count_batches_before(self.epoch + 1), self._count_batches_before(self.epoch))
        order = np.repeat(np.arange(len(self.corpora)), n_turns)
        np.random.default_rng((self.seed, self.epoch, len(order))).shuffle(order)
        return [int(number) for number in order]

    def _count_batches_before(self, epoch: int) -> list[int]:
        """Return how many batches of each corpus the epochs before this one have.

        The fractions of a batch add up to whole batches. Each of them goes to the corpus with the fewest for its
        fraction (Adams' method), so that each corpus has one before any has two.
        """
        whole = [int(number) for number in self.n_turns]
        parts = [number - n_whole for number, n_whole in zip(self.n_turns, whole, strict=True)]
        extra = [0] * len(parts)
        fractional = [number for number, part in enumerate(parts) if part]
        for _ in range(epoch * (len(self) - sum(whole))):
            extra[min(fractional, key=lambda number: (extra[number] / parts[number], -parts[number]))] += 1
        return [epoch * n_whole + n_extra for n_whole, n_extra in zip(whole, extra, strict=True)]

    def _iterate_from(self, number: int, first: int) -> Iterator[list[int]]:
        """Yield the batches of a corpus from the batch `first` on, pass after pass."""
        corpus = self.corpora[number]
        while True:
            corpus.set_epoch(first // len(corpus))
            batches = list(corpus)
            yield from batches[first % len(corpus) :]
            first += len(corpus) - first % len(corpus)
