"""Where do the sentences of a text begin and end?

Rules, in this order: a passage or a blank line always ends a sentence; a single line break does unless the
next line goes on in lower case; `.`, `?` or `!` (with the quotes and brackets that close behind it) ends one
where white space and a capital, digit or opening bracket follow, except inside an open bracket, after
a known abbreviation or a single initial. A boundary that would cut a marked span is not taken.
White space between sentences belongs to none of them.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from linnet.documents.document import Document, Interval, Sentence, Span
from linnet.documents.tokens import tokenize

__all__ = ["join_over_spans", "split_sentences", "with_sentences"]

ABBREVIATIONS = frozenset(
    """al approx appr bid c ca cf chap co comp conc corp cv dept diam dr ed eds e.g eg eq eqs esp est et etc ex ext f ff
    fig figs fl gen i.a i.d i.e ie i.m i.p i.v inc int jr lab lat lit ltd max mg min mol mr mrs ms no nos nov obs op p.o
    pp prof q.d q.i.d ref refs resp rev s.c sec sect ser sp spp sr st subsp subspp suppl syn t.i.d temp tid u.s u.k univ
    var viz vol vols vs wt""".split()
)
# nouns whose last word may be a single capital: "vitamin D." ends a sentence, "by J." does not
LETTERED = frozenset(
    """vitamin hepatitis type types group groups class grade arm factor protein panel phase stage cohort influenza
    immunoglobulin coenzyme complex apolipoprotein cyclosporin amphotericin toxin haemophilia hemophilia and or to
    figure table appendix strain mutant allele antigen variant region domain chain subunit""".split()
)
END = re.compile(r"[.?!]+[\"'”’»)\]]*(?=\s)")
BREAK = re.compile(r"[^\S\n]*\n\s*")
LAST_WORD = re.compile(r"[\w.]*$")
NEXT = re.compile(r"[\"'“‘«(\[]*[^\W_]|[-+±≥≤<>~]")
GREEK = "αβγδκμω"  # names begin with these, also at the start of a sentence
LONGEST_BRACKET = 400  # characters after which an open bracket is taken for a typing error


def split_sentences(text: str, start: int = 0, end: int | None = None) -> list[Interval]:
    """Return the intervals of the sentences in `text[start:end]`.

    >>> text = "Given 0.5 mg i.v. daily. E. coli (e.g. K. Smith et al.) grew."
    >>> [text[s:e] for s, e in split_sentences(text)]
    ['Given 0.5 mg i.v. daily.', 'E. coli (e.g. K. Smith et al.) grew.']
    """
    last = len(text) if end is None else end
    cuts = sorted({*_line_cuts(text, start, last), *_stop_cuts(text, start, last)})
    pieces = zip([start, *cuts], [*cuts, last], strict=True)
    return [trimmed for piece in pieces if (trimmed := _trim(text, *piece))]


def with_sentences(document: Document) -> tuple[Sentence, ...]:
    """Return the document's sentences with tokens: its own where it has them, computed ones where not."""
    if document.sentences:
        if all(sentence.tokens for sentence in document.sentences):
            return document.sentences
        found = [(sentence.start, sentence.end) for sentence in document.sentences]
    else:
        stretches = [(p.start, p.end) for p in document.passages] or [(0, len(document.text))]
        found = [cut for stretch in stretches for cut in split_sentences(document.text, *stretch)]
    whole = join_over_spans(found, document.spans)
    return tuple(Sentence(start, end, tokenize(document.text, start, end)) for start, end in whole)


def join_over_spans(sentences: list[Interval], spans: Iterable[Span]) -> list[Interval]:
    """Merge neighbouring sentences where a span reaches from one into the next."""
    bridges = _merged([(span.start, span.end) for span in spans])
    starts = [start for start, _ in bridges]
    joined: list[Interval] = []
    for start, end in sentences:
        bridge = bisect_left(starts, start) - 1
        if joined and bridge >= 0 and bridges[bridge][1] > start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _line_cuts(text: str, start: int, end: int) -> Iterator[int]:
    for found in BREAK.finditer(text, start, end):
        following = text[found.end() : found.end() + 1]
        if found.group().count("\n") > 1 or not following.islower():
            yield found.end()


def _stop_cuts(text: str, start: int, end: int) -> Iterator[int]:
    for found in END.finditer(text, start, end):
        after = found.end()
        while after < end and text[after].isspace():
            after += 1
        if _is_sentence_end(text, start, found, after):
            yield found.end()


def _is_sentence_end(text: str, start: int, found: re.Match[str], after: int) -> bool:
    following = NEXT.match(text, after)
    if not following or (following.group()[-1].islower() and following.group()[-1] not in GREEK):
        return False
    if _is_in_bracket(text, max(start, found.start() - LONGEST_BRACKET), found.end()):
        return False
    if found.group() != ".":
        return True
    word_found = LAST_WORD.search(text, start, found.start())
    word = word_found.group() if word_found else ""
    return word.lower() not in ABBREVIATIONS and not _is_initial(text, start, found.start(), word)


def _is_initial(text: str, start: int, stop: int, word: str) -> bool:
    """Is the single capital before the stop the initial of a name, as in `J. Smith`?"""
    if len(word) != 1 or not word.isupper():
        return False
    before = text[start : stop - 1].split()
    return not before or before[-1].lower().strip("(") not in LETTERED


def _is_in_bracket(text: str, start: int, end: int) -> bool:
    depth = 0
    for character in text[start:end]:
        if character in "([":
            depth += 1
        elif character in ")]":
            depth = max(0, depth - 1)
        elif character == "\n":
            depth = 0
    return depth > 0


def _trim(text: str, start: int, end: int) -> Interval | None:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None


def _merged(intervals: list[Interval]) -> list[Interval]:
    merged: list[Interval] = []
    for start, end in sorted(intervals):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
