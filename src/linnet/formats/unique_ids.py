"""Uniqueness of document ids in a file, for readers and writers.

All of PubMed has 37 million ids, so a long job keeps them as 64-bit hashes, in at most 10 bytes each. Two different ids
have the same hash by chance with a probability of n^2 / 2^65 for n ids: 1 in 27,000 for all of PubMed. Up to 4,096 ids
are compared exactly.
"""

import sys
from hashlib import blake2b
from struct import Struct

from linnet.contracts import Notes, ReadOptions, WriteOptions
from linnet.documents.document import Document
from linnet.errors import BadFile

__all__ = ["IdSet", "UniqueDocuments", "claim_id", "ids_to_claim"]

MOST_EXACT = 1 << 12  # ids kept as strings
MOST_IN_BUCKET = 192  # hashes, on average; half as many after a split, still too large for Python's own small blocks
BYTES_OF_HASH = 8
HAS_LONG_HASHES = sys.hash_info.width >= 8 * BYTES_OF_HASH
pack = Struct("<q").pack


class IdSet:
    """A set of strings that keeps 64-bit hashes instead of many strings.

    A hash stands in one of 2^n buckets, chosen by its lowest bits. A bucket is a string of bytes: the hashes one after
    another, without the lowest bytes that all of them have in common.
    """

    def __init__(self) -> None:
        self._exact: set[str] | None = set()
        self._buckets: list[bytes] = []
        self._n_hashes = 0
        self._n_bits = 0

    def __len__(self) -> int:
        return self._n_hashes if self._exact is None else len(self._exact)

    def __contains__(self, name: str) -> bool:
        if self._exact is not None:
            return name in self._exact
        number = hash_string(name)
        return self._holds(self._buckets[number & self._mask], pack(number)[self._n_cut :])

    def add(self, name: str) -> bool:
        """Add a string, and return whether it is new."""
        if self._exact is not None:
            return self._add_exactly(name, self._exact)
        number = hash_string(name)
        place = number & self._mask
        bucket, rest = self._buckets[place], pack(number)[self._n_cut :]
        if rest in bucket and self._holds(bucket, rest):
            return False
        self._buckets[place] = bucket + rest
        self._n_hashes += 1
        if self._n_hashes > self._most:
            self._split()
        return True

    def _add_exactly(self, name: str, names: set[str]) -> bool:
        is_new = name not in names
        names.add(name)
        if len(names) > MOST_EXACT:
            self._exact = None
            self._resize(0, [b""])
            for each in names:
                self.add(each)
        return is_new

    def _holds(self, bucket: bytes, rest: bytes) -> bool:
        """Is this one of the hashes of the bucket, and not the end of one and the beginning of the next?"""
        size = len(rest)
        at = bucket.find(rest)
        while at % size and at > 0:
            at = bucket.find(rest, at + 1)
        return at >= 0

    def _split(self) -> None:
        """Divide each bucket in two, by one more bit of the hashes; one after another, to need no second copy."""
        size = BYTES_OF_HASH - self._n_cut
        byte, bit = divmod(self._n_bits - 8 * self._n_cut, 8)
        n_dropped = (self._n_bits + 1) // 8 - self._n_cut
        buckets = self._buckets
        n_buckets = len(buckets)
        buckets.extend([b""] * n_buckets)
        for place in range(n_buckets):
            bucket = buckets[place]
            halves: tuple[list[bytes], list[bytes]] = ([], [])
            for at in range(0, len(bucket), size):
                halves[bucket[at + byte] >> bit & 1].append(bucket[at + n_dropped : at + size])
            buckets[place], buckets[n_buckets + place] = map(b"".join, halves)
        self._resize(self._n_bits + 1, buckets)

    def _resize(self, n_bits: int, buckets: list[bytes]) -> None:
        self._n_bits, self._buckets = n_bits, buckets
        self._mask = len(buckets) - 1
        self._most = MOST_IN_BUCKET * len(buckets)
        self._n_cut = n_bits // 8  # bytes of a hash that its bucket implies


def hash_string(text: str) -> int:
    """Return a 64-bit hash, the same while the process lives; it is keyed, so nobody can make ids collide."""
    if HAS_LONG_HASHES:
        return hash(text)
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=BYTES_OF_HASH).digest()
    return int.from_bytes(digest, "little", signed=True)


def ids_to_claim(options: WriteOptions) -> IdSet | None:
    """Return an empty set for the ids that a writer claims, or None if the caller has made sure that they differ."""
    return None if options.are_ids_unique else IdSet()


def claim_id(name: str, ids: IdSet | None, place: str) -> None:
    """Add the id of a document to be written, or refuse a second document with this id."""
    if ids is not None and not ids.add(name):
        raise BadFile(f"{place}: two documents are called {name!r}", "give each its own id")


class UniqueDocuments:
    """Finds documents that a file repeats; with `--repair` a repeated document is dropped if it is the same."""

    def __init__(self, options: ReadOptions, notes: Notes) -> None:
        self._is_repaired, self._notes = options.repair, notes
        self._ids, self._contents = IdSet(), IdSet()

    def __len__(self) -> int:
        return len(self._ids)

    def is_new(self, document: Document, place: str) -> bool:
        """Is this the first document with its id? If not, it is dropped and noted, or refused.

        Raises:
            BadFile: for a second document with this id that may not be dropped.
        """
        if self._ids.add(document.id):
            if self._is_repaired:
                self._contents.add(_digest(document))
            return True
        if self._is_repaired and _digest(document) in self._contents:
            self._notes.add("repeated documents dropped", place)
            return False
        differs = ", and it differs from the first" if self._is_repaired else ""
        raise BadFile(
            f"{place}: a second document is called {document.id!r}{differs}",
            "remove one of the two; `--repair` drops the second if it is the same as the first",
        )


def _digest(document: Document) -> str:
    return blake2b(repr(document).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
