"""Builds the inverted index of the names of a vocabulary: TF-IDF weights of character n-grams.

A name is a vector with the inverse document frequency of each of its n-grams. The squares of these weights are rounded
to whole numbers, so that every sum is exact and no score depends on the order of additions. Names are numbered by the
length of their vectors ("ranks"), and the list of each n-gram is sorted by rank: names that are too short or too long
to be similar are left out by cutting the list.
"""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from linnet.tasks.linking.vocabularies.arrays import Array, smallest_type
from linnet.tasks.linking.vocabularies.ngrams import Codes, alphabet_of, codes_of_many, largest_code

__all__ = ["build_index", "weights_of"]

LEAST = 0.2  # the weight of an n-gram that every name has
SCALE = 256.0  # of the squared weights before they are rounded
BLOCK = 50_000  # names whose n-grams are counted at once
LARGEST_TABLE = 1 << 26  # codes


def build_index(names: Sequence[str], rows: Sequence[int]) -> dict[str, Array]:
    """Return the arrays of the index.

    Args:
        names: normalised and not empty.
        rows: where each of them stands in the list of names of the vocabulary.
    """
    alphabet = alphabet_of(names)
    codes = _distinct_codes(names, alphabet)
    n_grams, starts = _grams_of_names(names, alphabet, codes)
    frequencies = np.bincount(n_grams, minlength=len(codes))
    weights = weights_of(frequencies, len(names))
    lengths = np.add.reduceat(weights[n_grams], starts[:-1]) if len(names) else np.zeros(0, np.int64)
    order = np.argsort(lengths, kind="stable")
    sizes = np.diff(starts)[order]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    by_rank = n_grams[_ranges(starts[:-1][order], sizes)]
    return {
        "alphabet": alphabet,
        "gram_code": codes,
        "gram_weight": weights,
        "gram_start": np.concatenate([[0], np.cumsum(frequencies)]).astype(np.int64),
        "gram_ranks": _ranks_of_grams(by_rank, offsets, len(codes)),
        "rank_row": np.asarray(rows, dtype=np.int32)[order],
        "rank_length": lengths[order].astype(np.int64),
        "rank_start": offsets.astype(np.int64),
        "rank_grams": by_rank,
    }


def weights_of(frequencies: Array, n_names: int) -> Array:
    """Return the squared weight of n-grams that this many names have, as whole numbers."""
    inverse = np.log((1 + n_names) / (1 + np.asarray(frequencies, dtype=np.float64))) + LEAST
    return np.rint(SCALE * inverse**2).astype(np.int64)


def _distinct_codes(names: Sequence[str], alphabet: Array) -> Codes:
    largest = largest_code(alphabet)
    is_found = np.zeros(largest + 1 if largest < LARGEST_TABLE else 0, dtype=bool)
    parts = [np.zeros(0, np.int64)]
    for start in range(0, len(names), BLOCK):
        codes = codes_of_many(names[start : start + BLOCK], alphabet)[1]
        if len(is_found):
            is_found[codes] = True
        else:
            parts.append(_sort_distinct(codes))
    return np.flatnonzero(is_found) if len(is_found) else _sort_distinct(np.concatenate(parts))


def _grams_of_names(names: Sequence[str], alphabet: Array, codes: Codes) -> tuple[Array, Array]:
    """Return the distinct n-grams of all names one after the other, and where those of each name start."""
    parts, counts = [np.zeros(0, smallest_type(max(len(codes) - 1, 0)))], [np.zeros(1, np.int64)]
    gram_of_code = _table_of(codes)
    for start in range(0, len(names), BLOCK):
        block = names[start : start + BLOCK]
        owners, found = codes_of_many(block, alphabet)
        grams = np.searchsorted(codes, found) if gram_of_code is None else gram_of_code[found]
        keys = _sort_distinct(owners * len(codes) + grams)
        owners = keys // len(codes)
        counts.append(np.bincount(owners, minlength=len(block)))
        parts.append((keys - owners * len(codes)).astype(parts[0].dtype))
    return np.concatenate(parts), np.cumsum(np.concatenate(counts))


def _table_of(codes: Codes) -> Array | None:
    """Return the place of each code in a table by code, or None if that would be too large."""
    if not len(codes) or codes[-1] >= LARGEST_TABLE:
        return None
    table = np.zeros(int(codes[-1]) + 1, dtype=np.int32)
    table[codes] = np.arange(len(codes))
    return table


def _sort_distinct(numbers: Array) -> Array:
    """Return the distinct numbers, sorted; on large arrays this is faster than numpy's own function."""
    ordered = np.sort(numbers)
    is_new = np.ones(len(ordered), dtype=bool)
    is_new[1:] = ordered[1:] != ordered[:-1]
    return ordered[is_new]


def _ranks_of_grams(by_rank: Array, offsets: Array, n_codes: int) -> Array:
    """Return the names of each n-gram, by rank, one n-gram after the other."""
    marks = np.ones(len(by_rank), dtype=np.int8)
    table = csr_array((marks, by_rank.astype(np.int32), offsets), shape=(len(offsets) - 1, n_codes))
    return np.asarray(table.tocsc().indices).astype(np.int32)


def _ranges(starts: Array, sizes: Array) -> Array:
    """Return the numbers from each start on, as many as its size says, one range after the other."""
    ends = np.cumsum(sizes)
    steps = np.repeat(starts - np.concatenate([[0], ends[:-1]]), sizes)
    return steps + np.arange(len(steps))
