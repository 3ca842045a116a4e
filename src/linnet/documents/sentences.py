"""Rule-based sentence splitting.

The rules, in this order: a passage or a blank line always ends a sentence. A single line break ends one unless the
next line starts in lower case. `.`, `?` or `!` (with closing quotes and brackets after it) ends one if white space and
a capital, digit or opening bracket follow; not inside an open bracket, after a known abbreviation or after a single
initial (but `5 min.`, `2 mmol/L.` and `37 °C.` end in units). No sentence ends inside a span. White space between
sentences belongs to none of them.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter

from linnet.documents.document import Document, Interval, Sentence, Span
from linnet.documents.tokens import tokenize

__all__ = ["join_over_spans", "split_sentences", "with_sentences"]

ABBREVIATIONS = frozenset(
    """al approx appr bid c ca cf chap co comp conc corp cv dept diam dr ed eds e.g eg eq eqs esp est et etc ex ext f ff
    fig figs fl gen i.a i.d i.e ie i.m i.p i.v inc int jr lab lat lit ltd max mg min mol mr mrs ms no nos nov obs op p.o
    pp prof q.d q.i.d ref refs resp rev s.c sec sect ser sp spp sr st subsp subspp suppl syn t.i.d temp tid u.s u.k univ
    var viz vol vols vs wt""".split()
)
UNITS = frozenset("mg min mol ms sec wt".split())  # units after a number, abbreviations elsewhere
# words that a single capital may follow: "vitamin D." ends a sentence, "by J." does not
LETTERED = frozenset(
    """vitamin hepatitis type types group groups class grade arm factor protein panel phase stage cohort influenza
    immunoglobulin coenzyme complex apolipoprotein cyclosporin amphotericin toxin haemophilia hemophilia and or to
    figure table appendix strain mutant allele antigen variant region domain chain subunit""".split()
)
END = re.compile(r"(?<![.?!])[.?!]++[\"'”’»)\]]*+(?=\s)")  # possessive, or long rows of dots take for ever
BREAK = re.compile(r"\n\s*")
NEXT = re.compile(r"[\"'“‘«(\[]*[^\W_]|[-+±≥≤<>~]")
GREEK = "αβγδκμω"  # names begin with these, also at the start of a sentence
LONGEST_BRACKET = 400  # characters after which an open bracket counts as a typing error
LONGEST_WORD = 40  # characters within which the word before an initial is searched


def split_sentences(text: str, start: int = 0, end: int | None = None) -> list[Interval]:
    """Return the intervals of the sentences in `text[start:end]`.

    >>> text = "Given 0.5 mg i.v. daily. E. coli (e.g. K. Smith et al.) grew."
    >>> [text[s:e] for s, e in split_sentences(text)]
    ['Given 0.5 mg i.v. daily.', 'E. coli (e.g. K. Smith et al.) grew.']
    """
    last = len(text) if end is None else end
    cuts = sorted({*_find_line_cuts(text, start, last), *_find_stop_cuts(text, start, last)})
    pieces = zip([start, *cuts], [*cuts, last], strict=True)
    return [trimmed for piece in pieces if (trimmed := _trim(text, *piece))]


def with_sentences(document: Document) -> tuple[Sentence, ...]:
    """Return sentences with tokens that cover the whole text: the document's own, and computed ones elsewhere."""
    sentences = _complete_sentences(document) if document.sentences else _compute_sentences(document)
    if len(sentences) < 2 or not document.spans:
        return sentences
    whole = join_over_spans([(sentence.start, sentence.end) for sentence in sentences], document.spans)
    return sentences if len(whole) == len(sentences) else tuple(_join_sentences(sentences, whole))


def join_over_spans(sentences: list[Interval], spans: Iterable[Span]) -> list[Interval]:
    """Merge neighbouring sentences if a span reaches from one into the next."""
    bridges = _merge_intervals([(span.start, span.end) for span in spans])
    starts = [start for start, _ in bridges]
    joined: list[Interval] = []
    for start, end in sentences:
        bridge = bisect_left(starts, start) - 1
        if joined and bridge >= 0 and bridges[bridge][1] > start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _complete_sentences(document: Document) -> tuple[Sentence, ...]:
    text = document.text
    known = tuple(sorted(document.sentences, key=attrgetter("start")))
    gaps = list(_find_gaps(text, known))
    if not gaps and all(sentence.tokens for sentence in known):
        return known
    filled = [
        sentence if sentence.tokens else replace(sentence, tokens=tokenize(text, sentence.start, sentence.end))
        for sentence in known
    ]
    filled += [
        Sentence(start, end, tokenize(text, start, end)) for gap in gaps for start, end in split_sentences(text, *gap)
    ]
    return tuple(sorted(filled, key=attrgetter("start")))


def _find_gaps(text: str, sentences: Sequence[Sentence]) -> Iterator[Interval]:
    """Yield the intervals outside all sentences that hold more than white space."""
    reach = 0
    for start, end in [*((sentence.start, sentence.end) for sentence in sentences), (len(text), len(text))]:
        if text[reach:start].strip():
            yield reach, start
        reach = max(reach, end)


def _compute_sentences(document: Document) -> tuple[Sentence, ...]:
    text = document.text
    edges = {0, len(text), *(edge for passage in document.passages for edge in (passage.start, passage.end))}
    sentences = [sentence for part in pairwise(sorted(edges)) for sentence in split_sentences(text, *part)]
    return tuple(Sentence(start, end, tokenize(text, start, end)) for start, end in sentences)


def _join_sentences(sentences: Sequence[Sentence], whole: Sequence[Interval]) -> Iterator[Sentence]:
    groups: list[list[Sentence]] = []
    for sentence in sentences:
        if len(groups) < len(whole) and sentence.start == whole[len(groups)][0]:
            groups.append([])
        groups[-1].append(sentence)
    for parts in groups:
        yield Sentence(
            start=parts[0].start,
            end=parts[-1].end,
            tokens=tuple(token for part in parts for token in part.tokens),
            columns=tuple(row for part in parts for row in part.columns),
            infons={key: value for part in parts for key, value in part.infons.items()},
        )


def _find_line_cuts(text: str, start: int, end: int) -> Iterator[int]:
    for found in BREAK.finditer(text, start, end):
        following = text[found.end() : found.end() + 1]
        if found.group().count("\n") > 1 or not following.islower():
            yield found.end()


def _find_stop_cuts(text: str, start: int, end: int) -> Iterator[int]:
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
    if found.group() == ".":
        word = _word_before(text, start, found.start())
        before = text[max(start, found.start() - LONGEST_WORD) : found.start() - len(word)]
        if _is_initial(word, before) or _is_abbreviation(word, before):
            return False
    return not _is_in_bracket(text[max(start, found.start() - LONGEST_BRACKET) : found.end()])


def _word_before(text: str, start: int, stop: int) -> str:
    at = stop
    while at > start and (text[at - 1].isalnum() or text[at - 1] in "._"):
        at -= 1
    return text[at:stop]


def _is_initial(word: str, before: str) -> bool:
    """Is the single capital the initial of a name, as in `J. Smith`, and not a unit as in `mmol/L` and `°C`?"""
    if len(word) != 1 or not word.isupper() or before.endswith(("/", "°")):
        return False
    words = before.split()
    return not words or words[-1].lower().strip("(") not in LETTERED


def _is_abbreviation(word: str, before: str) -> bool:
    """Is the word a known abbreviation? Words in capitals are acronyms (`MS` is not `Ms`)."""
    if word in UNITS and before.rstrip()[-1:] in tuple("0123456789/"):
        return False
    is_acronym = word.isupper() and "." not in word
    return word.lower() in ABBREVIATIONS and not is_acronym


def _is_in_bracket(text: str) -> bool:
    """Is a bracket still open at the end of the text?"""
    if "(" not in text and "[" not in text:
        return False
    depth = 0
    for character in text:
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


def _merge_intervals(intervals: list[Interval]) -> list[Interval]:
    merged: list[Interval] = []
    for start, end in sorted(intervals):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
