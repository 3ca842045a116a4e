"""Generates candidates for a mention: concepts with a name that is equal or similar, the best first.

A name that is equal after normalisation has score 1. One that differs in spaces only (`FK506`, `FK 506`) has score 0.99
at least. If no name reaches 0.97, one that is equal once a word is replaced by another that stands for it in this
vocabulary (`renal`, `kidney`) has 0.97. All others have the cosine of their character n-grams, so names with the same
words in another order also have 1. Of equal scores, names that are equal come before similar ones, then names with the
same spelling (an acronym in capitals is another word than the same in small letters), then concepts with more names,
then preferred names before synonyms, then the order of the sources.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from linnet.errors import BadSetting
from linnet.tasks.linking.vocabularies.exact import rows_with_hash
from linnet.tasks.linking.vocabularies.normalisation import join, normalise
from linnet.tasks.linking.vocabularies.retrieval import Searcher
from linnet.tasks.linking.vocabularies.vocabulary import Vocabulary

__all__ = ["Candidate", "CandidateFinder"]

JOINED = 0.99  # the score of a name that differs in spaces only
VARIANT = 0.97  # the score of a name in which one word is replaced by a variant of it
USUAL_TOP = 5
LONGEST_ACRONYM = 6  # characters
MOST_KNOWN = 1 << 14  # normalised mentions, names and concepts that are kept in memory


@dataclass(frozen=True, slots=True)
class Candidate:
    """A concept that a mention may stand for."""

    concept: int  # its place in the vocabulary
    id: str
    name: str  # the preferred one
    matched: str  # the name that the mention was compared with
    score: float  # from 0 to 1
    is_exact: bool  # is the matched name equal to the mention after normalisation?

    def with_score(self, score: float) -> "Candidate":
        """Return the candidate with another score; `dataclasses.replace` takes twice the time."""
        return Candidate(
            concept=self.concept,
            id=self.id,
            name=self.name,
            matched=self.matched,
            score=score,
            is_exact=self.is_exact,
        )

    def as_dict(self) -> dict[str, str | float]:
        """Return the candidate as JSON has it."""
        return {"id": self.id, "name": self.name, "matched": self.matched, "score": round(self.score, 6)}


class CandidateFinder:
    """Finds candidates in a vocabulary; each thread needs its own."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._searcher = Searcher(vocabulary.index)
        self._similar = lru_cache(MOST_KNOWN)(self._find_similar)
        self._name = lru_cache(MOST_KNOWN)(vocabulary.names.__getitem__)
        self._concept = lru_cache(MOST_KNOWN)(self._describe_concept)

    def search(self, text: str, top: int = USUAL_TOP, *, beside: int = 0) -> list[Candidate]:
        """Return the best concepts for a mention, `top` at most, and so many `beside` them where no name is equal.

        Raises:
            BadSetting: if `top` is below 1.
        """
        if top < 1:
            raise BadSetting(f"{top} candidates are asked for, expected 1 or more", "ask for at least one")
        form = normalise(text)
        if not form:
            return []
        score_by_row = self._find_equal(form)
        equal = {row for row, score in score_by_row.items() if score == 1.0}
        top += 0 if equal else beside
        if top > 1 or not equal:
            for row, score in self._similar(form, top):
                score_by_row[row] = max(score, score_by_row.get(row, 0.0))
        if max(score_by_row.values(), default=0.0) < VARIANT:
            score_by_row.update(dict.fromkeys(self._find_variant(form), VARIANT))
        return self._rank(text, score_by_row, equal, top)

    def search_many(self, texts: Iterable[str], top: int = USUAL_TOP) -> list[list[Candidate]]:
        """Return the best concepts for each mention; a text that occurs again is not searched again."""
        known: dict[str, list[Candidate]] = {}
        found = []
        for text in texts:
            if text not in known:
                known[text] = self.search(text, top)
            found.append(known[text])
        return found

    def _find_equal(self, form: str) -> dict[int, float]:
        """Return the rows of names that are equal, or differ in spaces only, with their scores."""
        joined = join(form)
        scores = {}
        for row in rows_with_hash(self.vocabulary.exact_hash, self.vocabulary.exact_row, joined):
            other = normalise(self._name(row))
            if other == form:
                scores[row] = 1.0
            elif join(other) == joined:
                scores[row] = JOINED
        return scores

    def _find_similar(self, form: str, top: int) -> list[tuple[int, float]]:
        """Return the rows of the most similar names with their scores."""
        matches = self._searcher.most_similar(form, top)
        rows = self.vocabulary.index.rank_row[matches.ranks].tolist()
        return list(zip(rows, matches.scores.tolist(), strict=True))

    def _find_variant(self, form: str) -> list[int]:
        """Return the rows of names that are equal once a word is replaced by one that stands for it."""
        for variant in self.vocabulary.variants.of(form):
            equal = self._find_equal(variant)
            if equal:
                return list(equal)
        return []

    def _rank(self, text: str, score_by_row: dict[int, float], equal: set[int], top: int) -> list[Candidate]:
        rows = np.array(list(score_by_row), dtype=np.int64)
        scores = np.array(list(score_by_row.values()))
        concepts = self.vocabulary.concept_of_row[rows]
        first = self.vocabulary.first_name[concepts]
        n_names = self.vocabulary.first_name[concepts + 1] - first
        is_similar = np.array([row not in equal for row in score_by_row], dtype=bool)
        differs = np.array([row not in equal or self._differs(row, text) for row in score_by_row], dtype=bool)
        order = np.lexsort((rows, rows != first, -n_names, differs, is_similar, -scores))
        found: dict[int, Candidate] = {}
        for place in order.tolist():
            concept = int(concepts[place])
            if concept not in found:
                found[concept] = self._make(concept, int(rows[place]), float(scores[place]), int(rows[place]) in equal)
                if len(found) == top:
                    break
        return list(found.values())

    def _differs(self, row: int, text: str) -> bool:
        """Is a name spelled in another way, apart from case, or an acronym in capitals that the text has not?"""
        name = self._name(row)
        is_acronym = name.isupper() and len(name) <= LONGEST_ACRONYM and " " not in name
        return name != text if is_acronym else name.casefold() != text.casefold()

    def _make(self, concept: int, row: int, score: float, is_exact: bool) -> Candidate:
        identifier, name = self._concept(concept)
        return Candidate(
            concept=concept, id=identifier, name=name, matched=self._name(row), score=score, is_exact=is_exact
        )

    def _describe_concept(self, concept: int) -> tuple[str, str]:
        """Return identifier and preferred name of a concept."""
        return self.vocabulary.identifier(concept), self.vocabulary.name(concept)
