"""Retrieves the names that are most similar to a mention: cosine of character n-gram vectors, exact and pruned.

The result is that of comparing the mention with every name; the work is less, by bounds (Turtle and Flood 1995,
MaxScore; Okazaki and Tsujii 2010, length bounds):

1. The lists of the rarest n-grams give some names, whose exact scores give a score that the results must reach.
2. A name that shares only common n-grams with the mention cannot reach it, so the longest lists are not read; of the
   other lists only the names that are neither too short nor too long are.
3. Names that can still reach the score are compared exactly, by the list of their own n-grams.
"""

from typing import NamedTuple

import numpy as np

from linnet.tasks.linking.vocabularies.arrays import Array
from linnet.tasks.linking.vocabularies.indexing import weights_of
from linnet.tasks.linking.vocabularies.ngrams import codes_of

__all__ = ["Index", "Matches", "Searcher"]

N_DIRECT = 10_000  # entries of all lists of a mention up to which all are read
N_SEEDS = 4_000  # entries of the rarest lists that are read to find a first score
N_SEED_SCORES = 48  # names of them that are compared exactly, at least
N_SEED_SCORES_EACH = 10  # the same for each concept that is wanted
MARGIN = 1e-9  # for the rounding of square roots in bounds


class Index(NamedTuple):
    """The arrays of an index; `indexing.py` builds them."""

    alphabet: Array
    gram_code: Array
    gram_weight: Array
    gram_start: Array
    gram_ranks: Array
    rank_row: Array
    rank_length: Array
    rank_start: Array
    rank_grams: Array
    concept_of_rank: Array


class Matches(NamedTuple):
    """Names that are similar to a mention, in no order."""

    ranks: Array
    scores: Array


class _Query(NamedTuple):
    grams: Array  # those that the vocabulary has, the rarest first
    weights: Array  # their squared weights
    length: int  # squared, with the n-grams that the vocabulary lacks


class Searcher:
    """Searches an index; it keeps working space as large as the index, so that each thread needs its own."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._shared = np.zeros(len(index.rank_row))  # by rank, zero between two searches
        self._last = np.zeros(len(index.rank_row), dtype=np.int32)  # by rank
        self._value = np.zeros(len(index.gram_code), dtype=np.int64)  # by n-gram, zero between two searches
        self._weight_of_unknown = int(weights_of(np.zeros(1), len(index.rank_row))[0])

    def most_similar(self, name: str, top: int) -> Matches:
        """Return the names by which the `top` best concepts are found: all with the last one's score or a better one.

        Args:
            name: normalised.
            top: how many concepts are wanted.
        """
        query = self._read(name)
        if not len(query.grams):
            return Matches(np.zeros(0, np.int64), np.zeros(0))
        sizes = self.index.gram_start[query.grams + 1] - self.index.gram_start[query.grams]
        if sizes.sum() <= N_DIRECT:
            return self._read_all(query, top)
        self._value[query.grams] = query.weights
        least = self._find_least_score(query, sizes, top)
        ranks = self._find_ranks_above(query, least)
        scores = self._score(query, ranks)
        self._value[query.grams] = 0
        return self._keep_best(ranks, scores, top)

    def compare_with_all(self, name: str) -> Matches:
        """Return the score of every name that shares an n-gram with this one: plain, and slow."""
        query = self._read(name)
        lists = [self._ranks_of(gram) for gram in query.grams]
        ranks = np.unique(np.concatenate([np.zeros(0, np.int32), *lists]))
        self._value[query.grams] = query.weights
        scores = self._score(query, ranks)
        self._value[query.grams] = 0
        return Matches(ranks, scores)

    def _read(self, name: str) -> _Query:
        codes = codes_of(name, self.index.alphabet)
        places = np.searchsorted(self.index.gram_code, codes)
        is_known = self.index.gram_code[np.minimum(places, len(self.index.gram_code) - 1)] == codes
        grams = places[is_known]
        weights = self.index.gram_weight[grams]
        length = int(weights.sum()) + (len(codes) - len(grams)) * self._weight_of_unknown
        order = np.argsort(-weights, kind="stable")
        return _Query(grams[order], weights[order], length)

    def _ranks_of(self, gram: int) -> Array:
        return self.index.gram_ranks[self.index.gram_start[gram] : self.index.gram_start[gram + 1]]

    def _read_all(self, query: _Query, top: int) -> Matches:
        """Return the best names after reading all lists, which is quicker where they are short."""
        ranks, shared = self._add_up(query, len(query.grams), 0, len(self.index.rank_row))
        scores = shared / np.sqrt(query.length * self.index.rank_length[ranks].astype(np.float64))
        return self._keep_best(ranks, scores, top)

    def _keep_best(self, ranks: Array, scores: Array, top: int) -> Matches:
        """Return the names with the score of the `top` best concepts, or a better one; 1 is the best score."""
        scores = np.minimum(scores, 1.0)
        is_good = scores >= self._reached_by(ranks, scores, top)
        return Matches(ranks[is_good], scores[is_good])

    def _find_least_score(self, query: _Query, sizes: Array, top: int) -> float:
        """Return a score that at least `top` concepts reach, or 0."""
        n_lists = min(int(np.searchsorted(np.cumsum(sizes), N_SEEDS)) + 1, len(sizes))
        ranks, shared = self._add_up(query, n_lists, 0, len(self.index.rank_row))
        n_scores = max(N_SEED_SCORES, N_SEED_SCORES_EACH * top)
        if len(ranks) > n_scores:
            likely = shared / np.sqrt(self.index.rank_length[ranks])
            ranks = ranks[np.argpartition(-likely, n_scores)[:n_scores]]
        return self._reached_by(ranks, self._score(query, ranks), top)

    def _reached_by(self, ranks: Array, scores: Array, top: int) -> float:
        """Return the score that the best `top` concepts of some names reach, or 0 if there are fewer."""
        n_best = N_SEED_SCORES
        while True:
            best = np.argpartition(-scores, n_best)[:n_best] if n_best < len(scores) else np.arange(len(scores))
            best = best[np.argsort(-scores[best])]
            concepts: set[int] = set()
            for place, concept in enumerate(self.index.concept_of_rank[ranks[best]].tolist()):
                concepts.add(concept)
                if len(concepts) == top:
                    return float(scores[best[place]])
            if n_best >= len(scores):
                return 0.0
            n_best *= 8

    def _find_ranks_above(self, query: _Query, least: float) -> Array:
        """Return all names that may have a score of `least` or more, and some others."""
        index = self.index
        needed = least * least * query.length * (1 - MARGIN)  # of shared weights, to reach the score
        unread = query.weights.sum() - np.cumsum(query.weights)  # after each list
        n_lists = min(int(np.count_nonzero(unread >= needed)) + 1, len(unread))
        low, high = 0, len(index.rank_row)
        if least:
            longest = query.length / (least * least) * (1 + MARGIN)
            low = int(np.searchsorted(index.rank_length, int(needed), "left"))
            high = int(np.searchsorted(index.rank_length, int(longest) + 1, "right"))
        ranks, shared = self._add_up(query, n_lists, low, high)
        possible = shared + unread[n_lists - 1]
        is_possible = possible >= least * (1 - MARGIN) * np.sqrt(query.length * index.rank_length[ranks])
        return np.asarray(ranks[is_possible])

    def _add_up(self, query: _Query, n_lists: int, low: int, high: int) -> tuple[Array, Array]:
        """Return the ranks from `low` to `high` in the first lists, and the weight that each shares with the query."""
        lists = [self._ranks_of(gram) for gram in query.grams[:n_lists].tolist()]
        if low or high < len(self.index.rank_row):
            ends = np.array([low, high], dtype=lists[0].dtype)
            lists = [ranks[slice(*ranks.searchsorted(ends))] for ranks in lists]
        together = np.concatenate(lists)
        values = np.repeat(query.weights[:n_lists].astype(np.float64), [len(ranks) for ranks in lists])
        if 4 * len(together) > high - low:
            shared = np.bincount(together - low, values, high - low)
            found = np.flatnonzero(shared)
            return found + low, shared[found]
        places = together.astype(np.intp)
        np.add.at(self._shared, places, values)
        numbers = np.arange(len(places), dtype=np.int32)
        self._last[places] = numbers  # of several entries of one name, the last stays
        found = places[self._last[places] == numbers]
        shared = self._shared[found]
        self._shared[found] = 0
        return found, shared

    def _score(self, query: _Query, ranks: Array) -> Array:
        """Return the cosine of the query, whose values must be set, and each name."""
        starts = self.index.rank_start[ranks]
        sizes = self.index.rank_start[ranks + 1] - starts
        ends = np.cumsum(sizes)
        places = np.repeat(starts - ends + sizes, sizes) + np.arange(int(ends[-1]) if len(ends) else 0)
        totals = np.concatenate([[0], np.cumsum(self._value[self.index.rank_grams[places]])])
        shared = totals[ends] - totals[ends - sizes]
        return np.asarray(shared / np.sqrt(query.length * self.index.rank_length[ranks].astype(np.float64)))
