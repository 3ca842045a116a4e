"""Learned mentions: which identifiers the mentions of a training corpus have, and which of them are similar.

Mentions are known by their form (normalised words in alphabetical order, abbreviations resolved) and by their text.
While a model is trained on the same documents, what a document itself has taught is left out of its own counts;
otherwise the model would learn that every mention is known.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from scipy.sparse import csr_array

__all__ = ["LearnedMention", "LearnedMentions", "SimilarForms"]

SIZES = (3, 4)  # of character n-grams
N_SIMILAR = 8
LEAST_SIMILAR = 0.4  # cosine
MOST_KNOWN = 1 << 16  # forms whose similar ones are kept in memory


@dataclass(frozen=True, slots=True)
class LearnedMention:
    """A mention of the training corpus."""

    text: str
    form: str
    identifiers: tuple[str, ...]
    document: int  # its number


Table = dict[str, dict[str, Counter[int]]]  # by form or text, then by identifier: how often in each document


@dataclass(frozen=True)
class LearnedMentions:
    """The mentions of a training corpus, counted."""

    by_form: Table
    by_text: Table
    by_identifier: dict[str, Counter[int]]
    name_of: dict[str, str] = field(default_factory=dict)  # a text for each identifier

    @classmethod
    def learn(cls, mentions: Iterable[LearnedMention]) -> "LearnedMentions":
        """Count mentions."""
        found = cls({}, {}, {})
        texts: dict[str, Counter[str]] = {}
        for mention in mentions:
            for identifier in mention.identifiers:
                for table, key in ((found.by_form, mention.form), (found.by_text, mention.text)):
                    table.setdefault(key, {}).setdefault(identifier, Counter())[mention.document] += 1
                found.by_identifier.setdefault(identifier, Counter())[mention.document] += 1
                texts.setdefault(identifier, Counter())[mention.text] += 1
        found.name_of.update({each: min(counts, key=lambda t: (-counts[t], t)) for each, counts in texts.items()})
        return found

    def of_form(self, form: str, *, without: int = -1) -> dict[str, int]:
        """Return how often each identifier belongs to a form, a document left out."""
        return _count(self.by_form.get(form, {}), without)

    def of_text(self, text: str, *, without: int = -1) -> dict[str, int]:
        """Return how often each identifier belongs to a text as it is written."""
        return _count(self.by_text.get(text, {}), without)

    def frequency(self, identifier: str, *, without: int = -1) -> int:
        """Return how often an identifier occurs."""
        counts = self.by_identifier.get(identifier)
        return counts.total() - counts[without] if counts else 0

    @cached_property
    def similar(self) -> "SimilarForms":
        """The index of forms by their n-grams."""
        return SimilarForms(sorted(self.by_form))

    def as_dict(self) -> dict[str, Any]:
        """Return the counts of all documents together, for JSON."""
        return {
            "forms": {form: _count(table, -1) for form, table in sorted(self.by_form.items())},
            "texts": {text: _count(table, -1) for text, table in sorted(self.by_text.items())},
            "names": dict(sorted(self.name_of.items())),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "LearnedMentions":
        """Return what `as_dict` wrote."""
        by_identifier: dict[str, Counter[int]] = {}
        for counts in values["texts"].values():
            for identifier, number in counts.items():
                by_identifier.setdefault(identifier, Counter())[0] += number
        forms, texts = (
            {
                key: {each: Counter({0: number}) for each, number in counts.items()}
                for key, counts in values[name].items()
            }
            for name in ("forms", "texts")
        )
        return cls(forms, texts, by_identifier, dict(values["names"]))


class SimilarForms:
    """Forms of learned mentions by the cosine of their character n-grams, weighted by inverse document frequency."""

    def __init__(self, forms: Sequence[str]) -> None:
        self.forms = forms
        counts = Counter(gram for form in forms for gram in _grams(form))
        self._rare = math.log(max(len(forms), 1)) + 1
        self._weight = {gram: math.log(len(forms) / number) + 1 for gram, number in counts.items()}
        self._column = {gram: number for number, gram in enumerate(self._weight)}
        matrix = self._vectors(forms).T.tocsr()
        self._starts, self._places, self._values = matrix.indptr.tolist(), matrix.indices, matrix.data
        self.search = lru_cache(MOST_KNOWN)(self._search)

    def _search(self, form: str) -> list[tuple[str, float]]:
        """Return the most similar other forms with their cosines."""
        columns, values = self._vector(form)
        if not columns:
            return []
        slices = [slice(self._starts[column], self._starts[column + 1]) for column in columns]
        places = np.concatenate([self._places[each] for each in slices])
        parts = np.concatenate([value * self._values[each] for value, each in zip(values, slices, strict=True)])
        cosines = np.bincount(places, parts, len(self.forms))
        likely = np.flatnonzero(cosines > LEAST_SIMILAR)
        pairs = sorted(zip((-cosines[likely]).tolist(), likely.tolist(), strict=True))[: N_SIMILAR + 1]
        return [(self.forms[place], -score) for score, place in pairs if self.forms[place] != form][:N_SIMILAR]

    def _vectors(self, forms: Sequence[str]) -> Any:  # Any: scipy has no types
        values: list[float] = []
        columns: list[int] = []
        starts = [0]
        for form in forms:
            own, weights = self._vector(form)
            columns += own
            values += weights
            starts.append(len(values))
        return csr_array((values, columns, starts), shape=(len(forms), len(self._column)))

    def _vector(self, form: str) -> tuple[list[int], list[float]]:
        """Return the columns of the known n-grams of a form, and their weights in a vector of length 1."""
        grams = sorted(_grams(form))
        weights = np.array([self._weight.get(gram, self._rare) for gram in grams])
        length = float(np.sqrt((weights * weights).sum())) or 1.0
        known = [(self._column[gram], weight) for gram, weight in zip(grams, (weights / length).tolist(), strict=True)
                 if gram in self._column]  # fmt: skip
        return [column for column, _ in known], [weight for _, weight in known]


def _grams(form: str) -> set[str]:
    padded = f" {form} "
    return {padded[start : start + size] for size in SIZES for start in range(len(padded) - size + 1)}


def _count(table: Mapping[str, Counter[int]], without: int) -> dict[str, int]:
    counts = {identifier: counts.total() - counts[without] for identifier, counts in table.items()}
    return {identifier: number for identifier, number in counts.items() if number > 0}
