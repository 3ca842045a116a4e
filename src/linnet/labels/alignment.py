"""Alignment of character spans with tokens.

A span covers every token that it touches. So a span that cuts a token is widened to whole tokens, and counted. If two
spans touch one token, the span with more characters in it gets the token, then the earlier one. Spans that a tag
sequence cannot represent (discontinuous, nested, without a token of their own) are returned, never dropped silently.
"""

import sys
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from linnet.documents.document import Document, Sentence, Span
from linnet.documents.sentences import with_sentences
from linnet.documents.spans import in_reading_order, without_overlaps
from linnet.labels.mention import Mention

__all__ = ["TaggableSentence", "align", "spans_from_mentions"]


@dataclass(frozen=True, slots=True)
class TaggableSentence:
    """A sentence with its mentions as tokens, and the spans that were widened or left out."""

    sentence: Sentence
    mentions: tuple[Mention, ...]
    widened: tuple[Span, ...] = ()
    left_out: tuple[Span, ...] = ()

    @property
    def n_tokens(self) -> int:
        """The number of tokens."""
        return len(self.sentence.tokens)

    def words(self, text: str) -> list[str]:
        """Return the text of each token."""
        return [text[start:end] for start, end in self.sentence.tokens]

    def tokens_in(self, start: int, end: int) -> tuple[int, int]:
        """Return the first token that the characters touch, and the token after the last."""
        starts, ends = ([place[side] for place in self.sentence.tokens] for side in (0, 1))
        return _find_touched(starts, ends, start, end)


def align(document: Document) -> Iterator[TaggableSentence]:
    """Yield the sentences of the document in order, each with its mentions."""
    spans, left_out = without_overlaps(document.spans)
    sentences = with_sentences(document)
    if not sentences and document.spans:
        sentences = (Sentence(0, len(document.text)),)  # without tokens, so that its spans are reported as left out
    waiting, lost = deque(spans), deque(in_reading_order(left_out))
    for index, sentence in enumerate(sentences, 1):
        reach = sentence.end if index < len(sentences) else sys.maxsize
        inside, lost_here = _pop_before(waiting, reach), _pop_before(lost, reach)
        if inside or lost_here:
            yield _align_sentence(sentence, inside, lost_here)
        else:
            yield TaggableSentence(sentence, ())


def spans_from_mentions(sentence: Sentence, mentions: list[Mention]) -> list[Span]:
    """Return the mentions as character spans, from the start of the first token to the end of the last."""
    tokens = sentence.tokens
    return [Span(tokens[first][0], tokens[end - 1][1], label) for first, end, label, _ in mentions]


def _pop_before(waiting: deque[Span], reach: int) -> list[Span]:
    spans: list[Span] = []
    while waiting and waiting[0].start < reach:
        spans.append(waiting.popleft())
    return spans


def _align_sentence(sentence: Sentence, spans: list[Span], lost: list[Span]) -> TaggableSentence:
    starts = [start for start, _ in sentence.tokens]
    ends = [end for _, end in sentence.tokens]
    owners: list[Span | None] = [None] * len(starts)
    for span in spans:
        for index in range(*_find_touched(starts, ends, span.start, span.end)):
            owner = owners[index]
            if owner is None or _count_shared(span, *sentence.tokens[index]) > _count_shared(
                owner, *sentence.tokens[index]
            ):
                owners[index] = span
    mentions, widened, left_out = [], [], lost
    for span in spans:
        tokens = [index for index, owner in enumerate(owners) if owner is span]
        if not tokens:
            left_out.append(span)
            continue
        mentions.append(Mention(tokens[0], tokens[-1] + 1, span.label))
        if (starts[tokens[0]], ends[tokens[-1]]) != (span.start, span.end):
            widened.append(span)
    return TaggableSentence(sentence, tuple(mentions), tuple(widened), tuple(left_out))


def _find_touched(starts: list[int], ends: list[int], start: int, end: int) -> tuple[int, int]:
    first = bisect_right(ends, start)
    return first, max(first, bisect_left(starts, end))


def _count_shared(span: Span, start: int, end: int) -> int:
    return min(span.end, end) - max(span.start, start)
