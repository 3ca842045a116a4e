"""Deduplication of lines: exact repeats by hash, near repeats by MinHash and locality-sensitive hashing.

Lines are compared as lower-cased words. An exact repeat has the same 64-bit hash. For near repeats, a line of at least
`LEAST_WORDS` words is the set of its runs of `SHINGLE` words, and its signature is `N_HASHES` smallest hashes of them
(MinHash: Broder 1997). The share of equal hashes estimates the share of runs that two lines have in common; from `NEAR`
on, the later line is a near repeat. Candidates come from `N_BANDS` tables, each keyed by four of the hashes
(locality-sensitive hashing: Indyk and Motwani 1998). At a true share of 0.9, one in 3,000 is missed.

Memory is bounded at 128 MB, and small texts use little of it: the hashes of about four million lines and the signatures
of the latest million are kept. Older ones are overwritten, so repeats that are far apart in a very large text may stay.
The result is the same on every machine.
"""

import zlib
from collections.abc import Sequence

import numpy as np

from linnet.pretraining.text.hashing import hash_64_bits

__all__ = ["NEAR", "NEAR_REPEAT", "REPEAT", "SeenLines"]

REPEAT, NEAR_REPEAT = "repeated lines", "nearly repeated lines"
LEAST_WORDS = 8
SHINGLE = 3
N_HASHES, N_BANDS = 32, 8
NEAR = 26 / 32
N_EXACT, N_LATEST, N_SLOTS = 1 << 22, 1 << 20, 1 << 20
MOST_WORDS = 1 << 15  # hashed at once; a longer line is compared by its first ones

Numbers = np.ndarray[tuple[int, ...], np.dtype[np.uint64]]
Signatures = np.ndarray[tuple[int, ...], np.dtype[np.uint16]]


class SeenLines:
    """The lines seen so far, as hashes and MinHash signatures."""

    def __init__(self) -> None:
        draw = np.random.default_rng(1)  # any fixed seed: the hash functions must differ, and be the same in every run
        self._factors = draw.integers(1, 1 << 63, (N_HASHES, 1), dtype=np.uint64) * np.uint64(2) + np.uint64(1)
        self._mixers = draw.integers(1, 1 << 63, (N_HASHES,), dtype=np.uint64) * np.uint64(2) + np.uint64(1)
        self._exact = np.zeros(N_EXACT, np.uint64)
        self._latest = np.zeros((N_LATEST, N_HASHES), np.uint16)
        self._tables = np.zeros((N_BANDS, N_SLOTS), np.uint32)  # row in `_latest`, counted from 1
        self._bands = np.arange(N_BANDS)
        self._n_kept = 0

    def find_repeats(self, lines: Sequence[Sequence[bytes]]) -> list[str | None]:
        """Return for each line, given as its words, the kind of repeat or None; then remember the line."""
        kinds: list[str | None] = [REPEAT if self._is_repeat(words) else None for words in lines]
        long = [n for n, words in enumerate(lines) if kinds[n] is None and len(words) >= LEAST_WORDS]
        while long:
            group = _take_group(lines, long)
            signatures = self._signatures([lines[n][:MOST_WORDS] for n in group])
            slots = self._slots(signatures)
            for n, signature, own_slots in zip(group, signatures, slots, strict=True):
                if self._is_near_repeat(signature, own_slots):
                    kinds[n] = NEAR_REPEAT
            long = long[len(group) :]
        return kinds

    def _is_repeat(self, words: Sequence[bytes]) -> bool:
        number = hash_64_bits(b" ".join(words)) or 1  # 0 is an empty slot
        slot = number % N_EXACT
        is_known = int(self._exact[slot]) == number
        self._exact[slot] = number
        return is_known

    def _signatures(self, lines: Sequence[Sequence[bytes]]) -> Signatures:
        """Return the MinHash signature of each line: (lines, hashes)."""
        lengths = np.array([len(words) for words in lines])
        words = np.fromiter((zlib.crc32(word) for line in lines for word in line), np.uint64, int(lengths.sum()))
        mixers = self._mixers
        runs = words[:-2] * mixers[0] ^ words[1:-1] * mixers[1] ^ words[2:] * mixers[2]
        runs ^= runs >> np.uint64(31)
        hashes = runs[None, :] * self._factors  # (hashes, runs), of which the upper half is well mixed
        hashes = np.concatenate([hashes, hashes[:, :1]], axis=1)  # so that every end below is a valid index
        ends = np.cumsum(lengths)
        edges = np.stack([ends - lengths, ends - (SHINGLE - 1)], axis=1).reshape(
            -1
        )  # runs across two lines do not count
        smallest = np.minimum.reduceat(hashes, edges, axis=1)[:, ::2]
        return np.ascontiguousarray((smallest >> np.uint64(24)).astype(np.uint16).T)

    def _slots(self, signatures: Signatures) -> Numbers:
        """Return the slot of each line in each table: (lines, bands)."""
        rows = signatures.reshape(len(signatures), N_BANDS, -1).astype(np.uint64)
        keys: Numbers = (rows * self._mixers[: rows.shape[2]]).sum(axis=2, dtype=np.uint64)
        slots: Numbers = (keys ^ keys >> np.uint64(29)) % np.uint64(N_SLOTS)
        return slots

    def _is_near_repeat(self, signature: Signatures, slots: Numbers) -> bool:
        candidates = self._tables[self._bands, slots]
        candidates = candidates[candidates > 0]
        if candidates.size and (self._latest[candidates - 1] == signature).mean(axis=1).max() >= NEAR:
            return True
        row = self._n_kept % N_LATEST
        self._latest[row] = signature
        self._tables[self._bands, slots] = row + 1
        self._n_kept += 1
        return False


def _take_group(lines: Sequence[Sequence[bytes]], numbers: Sequence[int]) -> list[int]:
    """Return the first line numbers whose lines are hashed together; at least one."""
    n_words = 0
    for n, number in enumerate(numbers):
        n_words += min(len(lines[number]), MOST_WORDS)
        if n and n_words > MOST_WORDS:
            return list(numbers[:n])
    return list(numbers)
