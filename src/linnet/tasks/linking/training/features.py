"""Features of candidates, by which a trained linker ranks them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from linnet.metrics.mentions.tally import Array
from linnet.tasks.linking.candidates import Candidate
from linnet.tasks.linking.evaluation.gold import mention_form
from linnet.tasks.linking.ranking import MentionText
from linnet.tasks.linking.training.learned import LearnedMentions
from linnet.tasks.linking.training.meaning import Meaning
from linnet.tasks.linking.vocabularies.normalisation import normalise
from linnet.tasks.linking.vocabularies.vocabulary import Vocabulary

__all__ = ["FEATURES", "GROUPS", "FeatureMaker", "Featured", "is_group"]

SURE = 0.97  # score of a candidate that the document is about
SHORT = 5  # characters of an acronym
HALF = 0.5
UNKNOWN = -1  # the concept of an identifier that the vocabulary lacks
ALL = -1  # in place of a document that is left out: none is
MOST_KNOWN = 1 << 14  # mentions whose features are kept in memory

GROUPS: Mapping[str, tuple[str, ...]] = {
    "names": (
        "score", "score_4", "exact", "first", "first_exact", "preferred", "overlap", "best_overlap", "covered",
        "first_unlearned",
    ),
    "learned": (
        "form_share", "form_majority", "form_count", "text_share", "text_majority", "whole_share", "learned_exact",
        "learned_first", "not_found",
    ),
    "similar": ("similar", "similar_4"),
    "frequency": ("frequency", "is_frequent"),
    "document": ("document",),
    "acronym": ("acronym_text", "acronym_form", "acronym_exact"),
    "database": ("other_database",),
    "meaning": ("meaning", "meaning_best", "meaning_4"),
}  # fmt: skip
FEATURES = tuple(name for names in GROUPS.values() for name in names)
DOCUMENT = FEATURES.index("document")


@dataclass(frozen=True, eq=False)
class Featured:
    """The candidates of a mention with their features: (candidates, features); equal only to itself."""

    candidates: list[Candidate]
    values: Array


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known about a mention without its document: the feature `document` is 0."""

    form: str
    sure: str | None  # the identifier that it most likely has, None if it is doubtful
    featured: Featured


def is_group(name: str) -> bool:
    """Is this the name of a group of features?"""
    return name in GROUPS


@dataclass(frozen=True, slots=True)
class _Names:
    """The names of a concept by their normalised words."""

    places_by_word: Mapping[str, Sequence[int]]
    sizes: Sequence[int]  # how many words each name has


class FeatureMaker:
    """Makes the features of candidates from a vocabulary and learned mentions."""

    def __init__(self, vocabulary: Vocabulary, learned: LearnedMentions, meaning: Meaning | None = None) -> None:
        self.vocabulary = vocabulary
        self.learned = learned
        self.meaning = meaning
        self._words = lru_cache(1 << 16)(lambda name: frozenset(normalise(name).split()))
        self._names = lru_cache(1 << 14)(self._names_of)
        self._known = lru_cache(MOST_KNOWN)(self._look_at)
        self._in_document = lru_cache(MOST_KNOWN)(_in_document)
        self._prefix = vocabulary.identifier(0).partition(":")[0] if vocabulary.n_concepts else ""

    def of_document(
        self, mentions: Sequence[MentionText], candidates: Sequence[Sequence[Candidate]], *, without: int = ALL
    ) -> list[Featured]:
        """Return the features of all mentions of a document; the same record where everything about one is the same.

        Args:
            mentions: the mentions, or parts of composite ones.
            candidates: of each mention; identifiers that were learned for it are added.
            without: number of a training document whose own mentions are left out of the counts.
        """
        if self.meaning is not None:
            named = (name for listed in candidates for each in listed for name in (each.matched, each.name))
            self.meaning.learn([*(mention.searched for mention in mentions), *named])
        look = self._known if without == ALL else self._look_at
        known = [look(mention, tuple(each), without) for mention, each in zip(mentions, candidates, strict=True)]
        return [self._place(each, known) for each in known]

    def _look_at(self, mention: MentionText, candidates: tuple[Candidate, ...], without: int) -> _Known:
        form = mention_form(mention.searched)
        sure = self._sure_of(form, candidates, without)
        return _Known(form, sure, self._of_mention(mention, form, candidates, without))

    def _place(self, known: _Known, all_known: Sequence[_Known]) -> Featured:
        """Return the features of a mention among those of its document."""
        around = {each.sure for each in all_known if each.sure is not None and each.form != known.form}
        named = around and tuple(each.id in around for each in known.featured.candidates)
        return self._in_document(known.featured, named) if named and any(named) else known.featured

    def _sure_of(self, form: str, candidates: Sequence[Candidate], without: int) -> str | None:
        """Return the identifier that a mention most likely has, None if it is doubtful."""
        majority = _majority(self.learned.of_form(form, without=without))
        if majority is not None:
            return majority
        return candidates[0].id if candidates and candidates[0].score >= SURE else None

    def _of_mention(self, mention: MentionText, form: str, candidates: Sequence[Candidate], without: int) -> Featured:
        learned = self.learned
        by_form, by_text = learned.of_form(form, without=without), learned.of_text(mention.text, without=without)
        is_part = mention.searched != mention.expanded
        by_whole = learned.of_form(mention_form(mention.expanded), without=without) if is_part else {}
        if _majority(by_whole) is not None:
            by_form = by_whole  # `breast and ovarian cancer` may be one concept
        similar = self._similar(form, without)
        listed = self._with_learned(candidates, {**by_form, **by_text, **by_whole, **similar})
        form_total, text_total, whole_total = (sum(each.values()) + HALF for each in (by_form, by_text, by_whole))
        words, is_short = self._words(mention.searched), len(mention.text) <= SHORT and mention.text.isupper()
        meant = self._compare_meaning(mention.searched, listed)
        rows = []
        for place, each in enumerate(listed):
            is_found = place < len(candidates)
            is_first = float(place == 0 and is_found)
            form_share, text_share = by_form.get(each.id, 0) / form_total, by_text.get(each.id, 0) / text_total
            near = similar.get(each.id, 0.0)
            number = learned.frequency(each.id, without=without)
            overlap = _overlap(words, self._words(each.matched)) if is_found else 0.0
            best, covered = self._best_overlap(words, each.concept)
            exact = float(each.is_exact)
            rows.append([
                each.score, each.score**4, exact, is_first, is_first * exact,
                float(each.matched == each.name and is_found), overlap, best, covered, is_first * (not by_form),
                form_share, float(form_share > HALF), math.log1p(by_form.get(each.id, 0)), text_share,
                float(text_share > HALF), by_whole.get(each.id, 0) / whole_total, form_share * exact,
                form_share * is_first, float(not is_found),
                near, near**4,
                math.log1p(number), float(number > 0),
                0.0,
                is_short * text_share, is_short * form_share, is_short * exact,
                float(not each.id.startswith(self._prefix)),
                *meant[place],
            ])  # fmt: skip
        return Featured(listed, np.array(rows, dtype=np.float64).reshape(len(listed), len(FEATURES)))

    def _compare_meaning(self, text: str, candidates: Sequence[Candidate]) -> list[tuple[float, float, float]]:
        """Return the cosine with the matched name, the best with matched or preferred name, and its fourth power."""
        if self.meaning is None:
            return [(0.0, 0.0, 0.0)] * len(candidates)
        cosines = self.meaning.compare(text, [name for each in candidates for name in (each.matched, each.name)])
        best = [max(pair) for pair in zip(cosines[::2], cosines[1::2], strict=True)]
        return [(first, both, both**4) for first, both in zip(cosines[::2], best, strict=True)]

    def _similar(self, form: str, without: int) -> dict[str, float]:
        """Return identifiers of similar learned mentions: the cosine times their share of the mention."""
        found: dict[str, float] = {}
        for other, cosine in self.learned.similar.search(form):
            counts = self.learned.of_form(other, without=without)
            total = sum(counts.values())
            for identifier, number in counts.items():
                found[identifier] = max(found.get(identifier, 0.0), cosine * number / total)
        return found

    def _with_learned(self, candidates: Sequence[Candidate], learned: Mapping[str, float]) -> list[Candidate]:
        known = {each.id for each in candidates}
        return [*candidates, *(self._make(each) for each in learned if each not in known)]

    def _make(self, identifier: str) -> Candidate:
        """Return a candidate that was learned and not found by its names."""
        concept = self.vocabulary.find(identifier)
        text = self.learned.name_of[identifier]
        name = text if concept is None else self.vocabulary.name(concept)
        number = UNKNOWN if concept is None else concept
        return Candidate(concept=number, id=identifier, name=name, matched=text, score=0.0, is_exact=False)

    def _best_overlap(self, words: frozenset[str], concept: int) -> tuple[float, float]:
        """Return the best overlap with any name of a concept, and the share of the words that its names have."""
        if concept == UNKNOWN or not words:
            return 0.0, 0.0
        names = self._names(concept)
        n_shared: dict[int, int] = {}
        n_covered = 0
        for word in words:
            if places := names.places_by_word.get(word):
                n_covered += 1
                for place in places:
                    n_shared[place] = n_shared.get(place, 0) + 1
        sizes, n_words = names.sizes, len(words)
        best = max((number / (n_words + sizes[place] - number) for place, number in n_shared.items()), default=0.0)
        return best, n_covered / n_words

    def _names_of(self, concept: int) -> _Names:
        places_by_word: dict[str, list[int]] = {}
        sizes = []
        for place, name in enumerate(self.vocabulary.names_of(concept)):
            words = self._words(name)
            sizes.append(len(words))
            for word in words:
                places_by_word.setdefault(word, []).append(place)
        return _Names(places_by_word, sizes)


def _majority(counts: Mapping[str, int]) -> str | None:
    """Return the identifier with more than half of the counts, None if there is none."""
    best = max(counts, key=lambda each: (counts[each], each), default=None)
    return best if best is not None and counts[best] > HALF * sum(counts.values()) else None


def _in_document(featured: Featured, named: tuple[bool, ...]) -> Featured:
    """Return the features where other mentions of the document name some of the candidates."""
    values = featured.values.copy()
    values[:, DOCUMENT] = named
    return Featured(featured.candidates, values)


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 0.0
