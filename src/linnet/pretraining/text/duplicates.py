"""Which lines repeat, or nearly repeat, a line that was read before?

Lines are compared as words in small letters. An exact repeat has the same 64-bit hash. For near repeats each line of at
least `LEAST_WORDS` words is taken as the set of its runs of `SHINGLE` words, of which `N_HASHES` smallest hashes are
kept (MinHash: Broder 1997); the share of equal ones estimates the share of runs that two lines have in common, and
from `NEAR` on the later line is a near repeat. Lines to compare with are found in `N_BANDS` tables, each keyed by four
of the hashes (locality-sensitive hashing: Indyk and Motwani 1998): at a true share of 0.9 one in 3,000 is overlooked.

Memory is bounded at 128 MB, and little is used for little text: hashes of about four million lines and the smallest
hashes of the latest million are remembered; older ones are overwritten, so that what is far apart in a very large text
may stay. The same text gives the same answer everywhere.
"""

import zlib
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

__all__ = ["NEAR", "NEAR_REPEAT", "REPEAT", "SeenLines"]

REPEAT, NEAR_REPEAT = "repeated lines", "nearly repeated lines"
LEAST_WORDS = 8
SHINGLE = 3
N_HASHES, N_BANDS = 32, 8
NEAR = 26 / 32
N_EXACT, N_LATEST, N_SLOTS = 1 << 22, 1 << 20, 1 << 20
MOST_WORDS = 1 << 15  # that are hashed at once; of a longer line, only so many are compared

Numbers = np.ndarray[tuple[int, ...], np.dtype[np.uint64]]
Signatures = np.ndarray[tuple[int, ...], np.dtype[np.uint16]]


class SeenLines:
    """Remembers the lines that it is shown."""

    def __init__(self) -> None:
        draw = np.random.default_rng(1)  # any fixed one: the hashes must differ from each other, not from run to run
        self._factors = draw.integers(1, 1 << 63, (N_HASHES, 1), dtype=np.uint64) * np.uint64(2) + np.uint64(1)
        self._mixers = draw.integers(1, 1 << 63, (N_HASHES,), dtype=np.uint64) * np.uint64(2) + np.uint64(1)
        self._exact = np.zeros(N_EXACT, np.uint64)
        self._latest = np.zeros((N_LATEST, N_HASHES), np.uint16)
        self._tables = np.zeros((N_BANDS, N_SLOTS), np.uint32)  # places in `_latest`, counted from 1
        self._bands = np.arange(N_BANDS)
        self._n_kept = 0

    def find_repeats(self, lines: Sequence[Sequence[bytes]]) -> list[str | None]:
        """Return for each line, given as its words, which kind of repeat it is, or None; then remember it."""
        found: list[str | None] = [REPEAT if self._is_repeat(words) else None for words in lines]
        long = [n for n, words in enumerate(lines) if found[n] is None and len(words) >= LEAST_WORDS]
        while long:
            group = _take_group(lines, long)
            signatures = self._signatures([lines[n][:MOST_WORDS] for n in group])
            slots = self._slots(signatures)
            for n, signature, where in zip(group, signatures, slots, strict=True):
                if self._is_near_repeat(signature, where):
                    found[n] = NEAR_REPEAT
            long = long[len(group) :]
        return found

    def _is_repeat(self, words: Sequence[bytes]) -> bool:
        number = int.from_bytes(blake2b(b" ".join(words), digest_size=8).digest(), "little") or 1  # 0 is an empty slot
        slot = number % N_EXACT
        is_known = int(self._exact[slot]) == number
        self._exact[slot] = number
        return is_known

    def _signatures(self, lines: Sequence[Sequence[bytes]]) -> Signatures:
        """Return the smallest hashes of each line: (lines, hashes)."""
        lengths = np.array([len(words) for words in lines])
        words = np.fromiter((zlib.crc32(word) for line in lines for word in line), np.uint64, int(lengths.sum()))
        mixers = self._mixers
        runs = words[:-2] * mixers[0] ^ words[1:-1] * mixers[1] ^ words[2:] * mixers[2]
        runs ^= runs >> np.uint64(31)
        hashes = runs[None, :] * self._factors  # (hashes, runs), of which the upper half is well mixed
        hashes = np.concatenate([hashes, hashes[:, :1]], axis=1)  # so that every end below is a place
        ends = np.cumsum(lengths)
        edges = np.stack([ends - lengths, ends - (SHINGLE - 1)], axis=1).reshape(-1)  # runs over two lines do not count
        smallest = np.minimum.reduceat(hashes, edges, axis=1)[:, ::2]
        return np.ascontiguousarray((smallest >> np.uint64(24)).astype(np.uint16).T)

    def _slots(self, signatures: Signatures) -> Numbers:
        """Return where each line stands in each table: (lines, bands)."""
        rows = signatures.reshape(len(signatures), N_BANDS, -1).astype(np.uint64)
        keys: Numbers = (rows * self._mixers[: rows.shape[2]]).sum(axis=2, dtype=np.uint64)
        slots: Numbers = (keys ^ keys >> np.uint64(29)) % np.uint64(N_SLOTS)
        return slots

    def _is_near_repeat(self, signature: Signatures, slots: Numbers) -> bool:
        candidates = self._tables[self._bands, slots]
        candidates = candidates[candidates > 0]
        if candidates.size and (self._latest[candidates - 1] == signature).mean(axis=1).max() >= NEAR:
            return True
        place = self._n_kept % N_LATEST
        self._latest[place] = signature
        self._tables[self._bands, slots] = place + 1
        self._n_kept += 1
        return False


def _take_group(lines: Sequence[Sequence[bytes]], numbers: Sequence[int]) -> list[int]:
    """Return as many of the numbered lines as are hashed at once, at least one."""
    n_words = 0
    for n, number in enumerate(numbers):
        n_words += min(len(lines[number]), MOST_WORDS)
        if n and n_words > MOST_WORDS:
            return list(numbers[:n])
    return list(numbers)
