"""Makes the mentions of abbreviations and of their long forms consistent within a document.

If a long form is a mention, its abbreviation gets the same label wherever it stands as a word of its own. If only the
abbreviation is a mention, the long form gets the label of most of its mentions. Nothing is added where another mention
stands, and mentions of an abbreviation with another label get that of the long form.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from linnet.documents.abbreviations import Abbreviation, abbreviations
from linnet.documents.document import Document, Interval, Span

__all__ = ["with_same_abbreviations"]


def with_same_abbreviations(document: Document) -> Document:
    """Return the document with consistent mentions of each abbreviation that its text defines.

    >>> text = "Ataxia telangiectasia (A-T) is rare. A-T is severe."
    >>> found = with_same_abbreviations(Document("1", text, (Span(0, 21, "Disease"),)))
    >>> [(span.start, span.end, span.label) for span in found.spans]
    [(0, 21, 'Disease'), (23, 26, 'Disease'), (37, 40, 'Disease')]
    """
    spans = list(document.spans)
    for definition in abbreviations(document.text):
        spans = _apply(document.text, definition, spans)
    if spans == list(document.spans):
        return document
    return replace(document, spans=tuple(sorted(spans, key=lambda span: (span.start, span.end))))


def _apply(text: str, definition: Abbreviation, spans: Sequence[Span]) -> list[Span]:
    """Return the spans after one definition."""
    places = _places_of(text, definition.short)
    long = next((span for span in spans if span.stretches == (definition.long_span,)), None)
    if long is None:
        short = [span for span in spans if span.stretches[0] in places and len(span.stretches) == 1]
        if not short or _overlaps(definition.long_span, spans):
            return list(spans)
        counts = Counter(span.label for span in short)
        label = max(counts, key=lambda each: (counts[each], -list(counts).index(each)))
        source = next(span for span in short if span.label == label)
        return [*spans, Span(*definition.long_span, label, score=source.score)]
    same = [replace(span, label=long.label, links=()) if _is_other(span, long, places) else span for span in spans]
    new = [Span(*place, long.label, score=long.score) for place in places if not _overlaps(place, spans)]
    return [*same, *new]


def _places_of(text: str, short: str) -> list[Interval]:
    """Return where the abbreviation stands as a word of its own."""
    return [match.span() for match in re.finditer(rf"(?<![^\W_]){re.escape(short)}(?![^\W_])", text)]


def _is_other(span: Span, long: Span, places: Iterable[Interval]) -> bool:
    return span.label != long.label and len(span.stretches) == 1 and span.stretches[0] in places


def _overlaps(place: Interval, spans: Iterable[Span]) -> bool:
    return any(place[0] < end and start < place[1] for span in spans for start, end in span.stretches)
