"""Appositions: a mention and another name of the same concept in brackets, as in `amrubicin (SM-5887)`.

Abbreviations whose letters are those of their long form are found elsewhere (`linnet.documents.abbreviations`). Codes,
formulas and trade names have other letters, so only the brackets say what they stand for.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from linnet.documents.document import Document, Span

__all__ = ["SURE", "Apposition", "find_appositions", "find_names"]

GOOD, SURE, DOUBTFUL = 0.8, 0.97, 0.9  # scores of candidates, chosen on train and devel of NCBI-disease and BC5CDR
OPENING = re.compile(r"\s+[(\[]\s*")
CLOSING = re.compile(r"\s*[)\],;]")

Apposition = tuple[int, int]  # places of the name before the bracket and of the name in it


def find_appositions(document: Document, spans: Sequence[Span]) -> Iterator[Apposition]:
    """Yield pairs of spans of one label, the second in brackets right after the first.

    >>> text = "Amrubicin (SM-5887) was given."
    >>> list(find_appositions(Document("1", text), [Span(11, 18, "Chemical"), Span(0, 9, "Chemical")]))
    [(1, 0)]
    """
    order = sorted(range(len(spans)), key=lambda place: (spans[place].start, spans[place].end))
    for first, second in pairwise(order):
        one, other = spans[first], spans[second]
        is_opened = OPENING.fullmatch(document.text, one.end, max(one.end, other.start))
        if is_opened and one.label == other.label and CLOSING.match(document.text, other.end):
            yield first, second


def find_names(texts: Sequence[str], pairs: Sequence[Apposition], scores: Sequence[float]) -> Mapping[str, int]:
    """Return, for texts whose own best candidate is doubtful, the place of the mention that says what they stand for.

    A code or trade name (with a capital or digit) stands for the name before its bracket. The other way round, a name
    that the vocabulary lacks stands for one in brackets that it has.

    Args:
        texts: of the mentions.
        pairs: of their places.
        scores: of the best candidate of each mention.
    """
    found: dict[str, int] = {}
    for first, second in pairs:
        is_code = any(character.isupper() or character.isdigit() for character in texts[second])
        if is_code and scores[first] >= GOOD and scores[second] < SURE:
            found.setdefault(texts[second], first)
        elif scores[second] >= SURE and scores[first] < DOUBTFUL:
            found.setdefault(texts[first], second)
    return found
