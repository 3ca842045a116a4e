"""Finds the names of a vocabulary in texts without a network: dictionary annotation.

A name is found where the words of a text are equal to it after normalisation, so case, plurals, hyphens and British
spelling do not matter. Of overlapping names the longest counts, then the first. Names that say little are left out:
those of fewer than three letters and digits, general words such as `disease`, and short names (up to five characters)
that the text does not spell, in capitals and small letters, as the vocabulary does. An abbreviation that the text
defines stands for its long form: it is found everywhere if the long form is a name, and nowhere if it is none.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from linnet.contracts.linking import NamedVocabulary
from linnet.documents.abbreviations import Abbreviation, abbreviations
from linnet.documents.document import Document, Interval, Span
from linnet.documents.sentences import split_sentences
from linnet.tasks.linking.candidates import JOINED
from linnet.tasks.linking.linker import Linker
from linnet.tasks.linking.vocabularies.exact import hash_of
from linnet.tasks.linking.vocabularies.normalisation import DROPPED, join, normalise
from linnet.tasks.linking.vocabularies.vocabulary import Vocabulary, open_vocabulary

__all__ = ["LABEL", "NameFinder", "NamesByLabel", "choose_longest", "open_names"]

LABEL = "Concept"  # of mentions of a vocabulary that is given without a label
MOST_WORDS = 8  # of a name in a text
FEWEST_CHARACTERS = 3  # letters and digits of a name
SHORT = 5  # characters up to which a name must be spelled as in the vocabulary
WORD = re.compile(r"[^\W_]+")
BREAK = re.compile(r"[,;:.!?)\]]\s|\s[(\[]|\n")  # between two words that are not of one name
GENERAL = frozenset(
    map(
        normalise, "disease disorder syndrome illness symptom drug agent chemical compound gene protein patient".split()
    )
)


class NameFinder:
    """Finds and links the names of one vocabulary; each thread needs its own."""

    def __init__(self, vocabulary: Vocabulary, label: str = LABEL) -> None:
        self.vocabulary = vocabulary
        self.label = label
        self._linker = Linker(vocabulary, min_score=JOINED)

    def find(self, document: Document) -> list[Span]:
        """Return the names in the text of a document as linked spans, in reading order."""
        defined = abbreviations(document.text)
        shorts = {each.short for each in defined}
        found = [each for each in self._search(document.text) if document.text[slice(*each)] not in shorts]
        chosen = choose_longest(found)
        chosen = sorted([*chosen, *_find_short_forms(document.text, defined, chosen)])
        spans = tuple(Span(start, end, self.label) for start, end in chosen)
        return list(self._linker.link(replace(document, spans=spans), spans).spans)

    def _search(self, text: str) -> list[Interval]:
        """Return the places of all names, overlapping ones too."""
        places = list(_windows(text))
        if not places:
            return []
        forms = [normalise(text[start:end]) for start, end in places]
        hashes = np.array([hash_of(join(form)) for form in forms], dtype=np.uint64)
        table = self.vocabulary.exact_hash
        rows = np.minimum(np.searchsorted(table, hashes), len(table) - 1)
        likely = np.flatnonzero(table[rows] == hashes).tolist()
        return [places[each] for each in likely if self._is_name(text[slice(*places[each])], forms[each])]

    def _is_name(self, text: str, form: str) -> bool:
        if len(join(form)) < FEWEST_CHARACTERS or form in GENERAL or not any(map(str.isalpha, form)):
            return False
        rows = self.vocabulary.rows_named(form)
        if len(text) > SHORT:
            return bool(rows)
        return any(_letters(self.vocabulary.names[row]) == _letters(text) for row in rows)


@dataclass(frozen=True)
class NamesByLabel:
    """Finders of several vocabularies, the first ones before the others where names overlap."""

    finders: tuple[NameFinder, ...]

    @property
    def description(self) -> str:
        """The names of the vocabularies."""
        return ", ".join(each.vocabulary.folder.resolve().name for each in self.finders)

    @property
    def labels(self) -> Sequence[str]:
        """The labels of the finders."""
        return [each.label for each in self.finders]

    @property
    def hash(self) -> str:
        """The hashes of the vocabularies with their labels."""
        return " ".join(f"{each.label}={each.vocabulary.hash}" for each in self.finders)

    def annotate(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield the documents with the names as their only annotations."""
        for document in documents:
            yield self._add(document.without_annotations())

    def add_to(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield the documents with names added where no mention stands yet."""
        yield from map(self._add, documents)

    def _add(self, document: Document) -> Document:
        for finder in self.finders:
            taken = [stretch for span in document.spans for stretch in span.stretches]
            new = [each for each in finder.find(document) if not _overlaps((each.start, each.end), taken)]
            spans = sorted([*document.spans, *new], key=lambda span: (span.start, span.end)) if new else document.spans
            document = replace(document, spans=tuple(spans))
        return document


def open_names(vocabularies: Sequence[str]) -> NamesByLabel:
    """Return the finder of vocabularies that are named as `V` or `Label=V`.

    Raises:
        BadFile: if one cannot be opened, or is a linking run.
    """
    named = map(NamedVocabulary.parse, vocabularies)
    return NamesByLabel(tuple(NameFinder(open_vocabulary(place), label or LABEL) for label, place in named))


def choose_longest(places: Iterable[Interval]) -> list[Interval]:
    """Return places that do not overlap, in reading order: the longest first, then the first.

    >>> choose_longest([(0, 6), (0, 13), (7, 20)])
    [(0, 13)]
    """
    chosen: list[Interval] = []
    for place in sorted(places, key=lambda each: (each[0] - each[1], each[0])):
        if not _overlaps(place, chosen):
            chosen.append(place)
    return sorted(chosen)


def _windows(text: str) -> Iterator[Interval]:
    """Yield the places of up to eight words that may be one name: nothing that ends a phrase stands between them."""
    for start, end in split_sentences(text):
        words = [match.span() for match in WORD.finditer(text, start, end)]
        is_dropped = [text[slice(*word)].lower() in DROPPED for word in words]
        for first, (begin, _) in enumerate(words):
            if is_dropped[first]:
                continue
            for place in range(first, min(first + MOST_WORDS, len(words))):
                if place > first and BREAK.search(text, words[place - 1][1], words[place][0]):
                    break
                if not is_dropped[place]:
                    yield begin, words[place][1]


def _find_short_forms(text: str, defined: list[Abbreviation], chosen: list[Interval]) -> Iterator[Interval]:
    """Yield the places of abbreviations whose long forms were found as names."""
    known = {each.short for each in defined if each.long_span in chosen}
    if known:
        pattern = "|".join(map(re.escape, sorted(known, key=lambda each: (-len(each), each))))
        for match in re.finditer(rf"(?<![^\W_])(?:{pattern})(?![^\W_])", text):
            if not _overlaps(match.span(), chosen):
                yield match.span()


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _overlaps(place: Interval, others: Iterable[Interval]) -> bool:
    return any(place[0] < end and start < place[1] for start, end in others)
