"""Links the mentions of documents to the concepts of a vocabulary.

Abbreviations are searched for as the document defines them. A composite mention (`breast and ovarian cancer`) has a
link for each concept that it names. A mention whose best candidate has a lower score than `min_score` has no link
(NIL), and without training neither has one for which two concepts have nearly the same score. Equal scores are ordered
as `candidates` says, so the same input and vocabulary always give the same links.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, zip_longest
from pathlib import Path

from linnet.documents.abbreviations import long_forms
from linnet.documents.document import Document, Link, Span
from linnet.errors import BadFile, BadSetting
from linnet.tasks.linking.appositions import SURE, find_appositions, find_names
from linnet.tasks.linking.candidates import USUAL_TOP, Candidate, CandidateFinder
from linnet.tasks.linking.mentions import expand_abbreviations, search_parts
from linnet.tasks.linking.ranking import MentionText, Ranker, is_run, open_run
from linnet.tasks.linking.species import SpeciesInText, strip_species
from linnet.tasks.linking.vocabularies.curies import database_of
from linnet.tasks.linking.vocabularies.vocabulary import Vocabulary, open_vocabulary

__all__ = ["CANDIDATES", "MIN_SCORE", "Linker", "MentionText", "RankedPart", "Ranker", "is_tie", "open_linker"]

# without training; both were chosen on the devel splits of NCBI-disease and BC5CDR, for precision at nearly the best F1
MIN_SCORE = 0.75  # of a link
NEAR = 0.005  # difference of scores below which names do not tell two concepts apart
MOST_KNOWN = 1 << 16  # mentions whose candidates are kept in memory
CANDIDATES = "candidates"  # infon of a mention
DIGITS = 4  # of scores in outputs
OTHER_SPECIES = 0.1  # what the name of a gene of a less likely species must be better; chosen on train of GNormPlus
N_OF_SPECIES = 10  # candidates among which genes of several species are chosen


@dataclass(frozen=True, slots=True)
class RankedPart:
    """One concept that a mention names: what was searched for, and its candidates, the best first."""

    mention: MentionText
    candidates: Sequence[Candidate]


class Linker:
    """Links mentions to the concepts of one vocabulary; each thread needs its own."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        *,
        min_score: float | None = None,
        candidates: int = 0,
        ranker: Ranker | None = None,
    ) -> None:
        """Make a linker.

        Args:
            vocabulary: with the concepts.
            min_score: lowest score of a link; that of the ranker, or `MIN_SCORE`, if not given.
            candidates: how many candidates each mention keeps in its infons.
            ranker: orders the candidates again; None for the order of the untrained scores.

        Raises:
            BadSetting: if a number is outside its range.
        """
        if min_score is not None and not 0 <= min_score <= 1:
            raise BadSetting(f"the lowest score is {min_score}, expected 0 to 1", "give a number from 0 to 1")
        if candidates < 0:
            raise BadSetting(f"{candidates} candidates are asked for, expected 0 or more", "give 0 or a larger number")
        self.vocabulary = vocabulary
        self.ranker = ranker
        self.candidates = candidates
        self.min_score = min_score if min_score is not None else ranker.min_score if ranker else MIN_SCORE
        self._finder = CandidateFinder(vocabulary)
        self._search = lru_cache(MOST_KNOWN)(self._search_parts)

    def link_documents(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield the documents, the spans with their links; links of before are replaced."""
        for document in documents:
            yield self.link(document, document.spans)

    def link(self, document: Document, spans: Sequence[Span]) -> Document:
        """Return the document with links of these of its spans; the others stay as they are."""
        if not spans:
            return document
        top = max(self.candidates, self.ranker.n_candidates if self.ranker else 1)
        ranked = self._rank(document, spans, top)
        linked = {id(span): self._with_links(span, parts) for span, parts in zip(spans, ranked, strict=True)}
        return replace(document, spans=tuple(linked.get(id(span), span) for span in document.spans))

    def rank(self, document: Document, top: int = USUAL_TOP) -> list[list[Candidate]]:
        """Return the candidates of each span, the best first, before the threshold.

        Those of a composite mention alternate: the best of each part, then the second of each.
        """
        return [_alternate([part.candidates for part in parts]) for parts in self.rank_parts(document, top)]

    def rank_parts(self, document: Document, top: int = USUAL_TOP) -> list[list[RankedPart]]:
        """Return the concepts that each span names, with `top` candidates each, before the threshold."""
        wanted = max(top, self.ranker.n_candidates if self.ranker else 1)
        return [
            [replace(part, candidates=part.candidates[:top]) for part in parts]
            for parts in self._rank(document, document.spans, wanted)
        ]

    def _rank(self, document: Document, spans: Sequence[Span], top: int) -> list[list[RankedPart]]:
        """Return the ranked parts of each span."""
        long_form_by_short = long_forms(document.text)
        found: list[list[RankedPart]] = []
        for span in spans:
            _refuse_outside(document, span)
            text = span.text_in(document.text)
            expanded = expand_abbreviations(text, long_form_by_short)
            found.append(
                [
                    RankedPart(MentionText(text, expanded, searched, span.label), candidates)
                    for searched, candidates in self._search(expanded, top)
                ]
            )
        found = _resolve_appositions(document, spans, found)
        if self.vocabulary.has_species:
            found = self._order_by_species(document, spans, found)
        return _rank_again(found, self.ranker) if self.ranker else found

    def _search_parts(self, mention: str, top: int) -> list[tuple[str, list[Candidate]]]:
        if not self.vocabulary.has_species:
            return search_parts(self._finder, mention, top, beside=int(self._minds_ties and top == 1))
        found = search_parts(self._finder, mention, max(top, N_OF_SPECIES))
        plain, _ = strip_species(mention)
        if plain != mention and not _is_exact(found):
            without = search_parts(self._finder, plain, max(top, N_OF_SPECIES))
            return without if _is_exact(without) else found
        return found

    @property
    def _minds_ties(self) -> bool:
        """Do names alone decide? A ranker knows more, and genes of several species have the same names."""
        return self.ranker is None and not self.vocabulary.has_species

    def _order_by_species(
        self, document: Document, spans: Sequence[Span], found: list[list[RankedPart]]
    ) -> list[list[RankedPart]]:
        """Return the parts, candidates ordered by score, by the species that the document names, and official names."""
        named = SpeciesInText(document.text)
        ordered = []
        for span, parts in zip(spans, found, strict=True):
            rank = {number: place for place, number in enumerate(named.order_for(span))}

            def key(each: Candidate, rank: dict[str, int] = rank) -> tuple[float, int, bool]:
                place = rank.get(self.vocabulary.species(each.concept), len(rank))
                return -round(each.score - OTHER_SPECIES * (place > 0), 6), place, each.matched != each.name

            ordered.append([replace(part, candidates=sorted(part.candidates, key=key)) for part in parts])
        return ordered

    def _with_links(self, span: Span, parts: Sequence[RankedPart]) -> Span:
        clear = [part.candidates for part in parts if not (self._minds_ties and is_tie(part.candidates))]
        best = [candidates[0] for candidates in clear if candidates]
        link_by_id: dict[str, Link] = {}
        for each in best:
            if each.score >= self.min_score:
                link_by_id.setdefault(each.id, _make_link(each))
        links = tuple(link_by_id.values())
        if not self.candidates:
            return replace(span, links=links)
        return replace(span, links=links, infons={**span.infons, CANDIDATES: _describe(parts, self.candidates)})


def open_linker(place: str | Path | Vocabulary, *, min_score: float | None = None, candidates: int = 0) -> Linker:
    """Return a linker from a vocabulary, which needs no training, or from a run of `linnet train --task linking`.

    Raises:
        BadFile: if the folder holds neither, or was cut off or changed.
    """
    if isinstance(place, Vocabulary):
        return Linker(place, min_score=min_score, candidates=candidates)
    folder = Path(place)
    if is_run(folder):
        vocabulary, ranker = open_run(folder)
        return Linker(vocabulary, min_score=min_score, candidates=candidates, ranker=ranker)
    return Linker(open_vocabulary(folder), min_score=min_score, candidates=candidates)


def is_tie(candidates: Sequence[Candidate]) -> bool:
    """Have two concepts nearly the same score, and none of them a name that is equal to the mention?"""
    if len(candidates) < 2 or candidates[0].is_exact:
        return False
    return candidates[0].score - candidates[1].score < NEAR


def _resolve_appositions(
    document: Document, spans: Sequence[Span], found: list[list[RankedPart]]
) -> list[list[RankedPart]]:
    """Return the parts of each span; what a name in brackets says about another holds for the whole document."""
    pairs = list(find_appositions(document, spans))
    if not pairs:
        return found
    scores = [_score_of_single(parts) for parts in found]
    texts = [parts[0].mention.text for parts in found]
    place_by_text = find_names(texts, pairs, scores)
    resolved = []
    for span, text, score, parts in zip(spans, texts, scores, found, strict=True):
        place = place_by_text.get(text)
        if place is None or score >= SURE or spans[place].label != span.label or parts[0].mention.expanded != text:
            resolved.append(parts)
        else:
            resolved.append([replace(part, mention=replace(part.mention, text=text)) for part in found[place]])
    return resolved


def _score_of_single(parts: Sequence[RankedPart]) -> float:
    """Return the score of the best candidate, 0 if there is none; 1 for a composite mention, which is left alone."""
    if len(parts) > 1:
        return 1.0
    return parts[0].candidates[0].score if parts[0].candidates else 0.0


def _is_exact(found: Sequence[tuple[str, list[Candidate]]]) -> bool:
    return bool(found[0][1]) and found[0][1][0].is_exact


def _rank_again(found: list[list[RankedPart]], ranker: Ranker) -> list[list[RankedPart]]:
    parts = list(chain.from_iterable(found))
    ranked = ranker.rank([part.mention for part in parts], [part.candidates for part in parts])
    again = (replace(part, candidates=each) for part, each in zip(parts, ranked, strict=True))
    return [[next(again) for _ in each] for each in found]


def _alternate(lists: Sequence[Sequence[Candidate]]) -> list[Candidate]:
    return [each for row in zip_longest(*lists) for each in row if each is not None]


def _make_link(candidate: Candidate) -> Link:
    return Link(candidate.id, database_of(candidate.id), candidate.name, round(candidate.score, DIGITS))


def _describe(parts: Sequence[RankedPart], number: int) -> str:
    """Return the candidates as JSON: a list for each concept that the mention names."""
    described = [[each.as_dict() for each in part.candidates[:number]] for part in parts]
    return json.dumps(described, ensure_ascii=False)


def _refuse_outside(document: Document, span: Span) -> None:
    size = len(document.text)
    if not all(0 <= start <= end <= size for start, end in span.stretches):
        found = f"document {document.id!r}: {span.start} to {span.end} is outside its text of {size} characters"
        raise BadFile(found, "correct the offsets")
