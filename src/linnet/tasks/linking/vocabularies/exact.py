"""Look-up of names by their normalised form: a sorted table of hashes."""

import hashlib
from collections.abc import Sequence

import numpy as np

from linnet.tasks.linking.vocabularies.arrays import Array

__all__ = ["build_table", "hash_of", "rows_with_hash"]


def hash_of(key: str) -> int:
    """Return a number of 64 bits for a text, the same on every machine."""
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "little")


def build_table(keys: Sequence[str], rows: Sequence[int]) -> dict[str, Array]:
    """Return the hashes of the keys, sorted, and the row of each."""
    hashes = np.array([hash_of(key) for key in keys], dtype=np.uint64)
    order = np.argsort(hashes, kind="stable")
    return {"exact_hash": hashes[order], "exact_row": np.asarray(rows, dtype=np.int32)[order]}


def rows_with_hash(hashes: Array, rows: Array, key: str) -> list[int]:
    """Return the rows whose key has the hash of this one; the caller compares the texts."""
    wanted = np.array([hash_of(key)], dtype=np.uint64)
    start, end = hashes.searchsorted(wanted, "left")[0], hashes.searchsorted(wanted, "right")[0]
    found: list[int] = rows[start:end].tolist()
    return found
