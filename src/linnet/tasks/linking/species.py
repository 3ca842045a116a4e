"""Species of genes: which of several genes with the same name a document is about.

Genes of several species have the same names. The likeliest species is the one that the mention names (`human p53`,
`hTERT`), then the one named nearest to it in its sentence, then the one that the document names most often, then human.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from linnet.documents.document import Interval, Span
from linnet.documents.sentences import split_sentences

__all__ = ["SpeciesInText", "strip_species"]

WORDS: Mapping[str, str] = MappingProxyType(
    {
        word: number
        for number, words in {
            "9606": "human humans patient patients man men woman women child children people hela hek293",
            "10090": "mouse mice murine",
            "10116": "rat rats",
            "7227": "drosophila fly flies",
            "7955": "zebrafish",
            "559292": "yeast saccharomyces cerevisiae",
            "6239": "elegans nematode nematodes",
            "9913": "bovine cow cattle",
            "9031": "chicken chick avian",
            "8355": "xenopus",
            "9823": "pig porcine",
            "9986": "rabbit",
            "9615": "dog canine",
            "3702": "arabidopsis thaliana",
        }.items()
        for word in words.split()
    }
)  # to the numbers of the NCBI Taxonomy
WORD = re.compile(r"[^\W_]+")
HUMAN = "9606"
PREFIX = MappingProxyType({"h": "9606", "m": "10090", "r": "10116"})
PREFIXED = re.compile(r"([hmr])(?=[A-Z][A-Za-z0-9-]*[A-Z0-9])")  # hTERT, but not mRNA-like words of one capital
NAMED = re.compile(rf"({'|'.join(sorted(WORDS))})\s+(?=\S)", re.I)


def strip_species(mention: str) -> tuple[str, str]:
    """Return a mention without the species that it begins with, and the number of that species; empty if none.

    >>> strip_species("human p53"), strip_species("hTERT"), strip_species("p53")
    (('p53', '9606'), ('TERT', '9606'), ('p53', ''))
    """
    if match := NAMED.match(mention):
        return mention[match.end() :], WORDS[match.group(1).lower()]
    if match := PREFIXED.match(mention):
        return mention[1:], PREFIX[match.group(1)]
    return mention, ""


class SpeciesInText:
    """The species that a text names, and where."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._sentences: Sequence[Interval] = split_sentences(text)
        found = ((match.start(), WORDS.get(match.group().lower())) for match in WORD.finditer(text))
        self._named = [(start, number) for start, number in found if number]
        self._counts = Counter(number for _, number in self._named)

    def order_for(self, span: Span) -> list[str]:
        """Return the species by how likely a mention is of them, the likeliest first; each once."""
        _, own = strip_species(self._text[span.start : span.end])
        start, end = self._sentence_of(span.start)
        near = sorted((abs(place - span.start), number) for place, number in self._named if start <= place < end)
        often = sorted(self._counts, key=lambda number: (-self._counts[number], number))
        return list(dict.fromkeys([*([own] if own else []), *(number for _, number in near), *often, HUMAN]))

    def _sentence_of(self, place: int) -> Interval:
        number = bisect_right([start for start, _ in self._sentences], place) - 1
        return self._sentences[number] if number >= 0 else (0, len(self._text))
