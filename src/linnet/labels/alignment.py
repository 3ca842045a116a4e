"""Which tokens does a span of characters cover?

The rule: a span covers every token that it touches. A span that cuts a token is thereby widened to whole
tokens, and counted. Where two spans touch one token, the one with more characters in it keeps it (then the
earlier one). Spans that a row of tags cannot hold (discontinuous, inside a longer one, without a token of
their own) are returned, never dropped in silence.
"""

import sys
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from linnet.documents.document import Document, Sentence, Span
from linnet.documents.sentences import with_sentences
from linnet.documents.spans import in_reading_order, without_overlaps
from linnet.labels.tagging import Mention

__all__ = ["TaggableSentence", "align", "spans_from_mentions"]


@dataclass(frozen=True, slots=True)
class TaggableSentence:
    """A sentence with its mentions as tokens, and what had to be done to get there."""

    sentence: Sentence
    mentions: tuple[Mention, ...]
    widened: tuple[Span, ...] = ()
    left_out: tuple[Span, ...] = ()

    @property
    def n_tokens(self) -> int:
        """How many tokens the sentence has."""
        return len(self.sentence.tokens)

    def words(self, text: str) -> list[str]:
        """Return the tokens' characters."""
        return [text[start:end] for start, end in self.sentence.tokens]

    def tokens_in(self, start: int, end: int) -> tuple[int, int]:
        """Return the first token that a stretch of characters touches, and the one behind the last."""
        starts, ends = ([place[side] for place in self.sentence.tokens] for side in (0, 1))
        return _touched(starts, ends, start, end)


def align(document: Document) -> Iterator[TaggableSentence]:
    """Yield the document's sentences in order with the mentions that lie in them."""
    spans, left_out = without_overlaps(document.spans)
    sentences = with_sentences(document)
    if not sentences and document.spans:
        sentences = (Sentence(0, len(document.text)),)  # without a token, but no span may go unmentioned
    waiting, lost = deque(spans), deque(in_reading_order(left_out))
    for index, sentence in enumerate(sentences, 1):
        reach = sentence.end if index < len(sentences) else sys.maxsize
        inside, lost_here = _taken(waiting, reach), _taken(lost, reach)
        if inside or lost_here:
            yield _align_sentence(sentence, inside, lost_here)
        else:
            yield TaggableSentence(sentence, ())


def spans_from_mentions(sentence: Sentence, mentions: list[Mention]) -> list[Span]:
    """Return the mentions as spans of characters, from the first token's start to the last one's end."""
    tokens = sentence.tokens
    return [Span(tokens[first][0], tokens[end - 1][1], label) for first, end, label in mentions]


def _taken(waiting: deque[Span], reach: int) -> list[Span]:
    taken: list[Span] = []
    while waiting and waiting[0].start < reach:
        taken.append(waiting.popleft())
    return taken


def _align_sentence(sentence: Sentence, spans: list[Span], lost: list[Span]) -> TaggableSentence:
    starts = [start for start, _ in sentence.tokens]
    ends = [end for _, end in sentence.tokens]
    owners: list[Span | None] = [None] * len(starts)
    for span in spans:
        for index in range(*_touched(starts, ends, span.start, span.end)):
            owner = owners[index]
            if owner is None or _shared(span, *sentence.tokens[index]) > _shared(owner, *sentence.tokens[index]):
                owners[index] = span
    mentions, widened, left_out = [], [], lost
    for span in spans:
        held = [index for index, owner in enumerate(owners) if owner is span]
        if not held:
            left_out.append(span)
            continue
        mentions.append(Mention(held[0], held[-1] + 1, span.label))
        if (starts[held[0]], ends[held[-1]]) != (span.start, span.end):
            widened.append(span)
    return TaggableSentence(sentence, tuple(mentions), tuple(widened), tuple(left_out))


def _touched(starts: list[int], ends: list[int], start: int, end: int) -> tuple[int, int]:
    first = bisect_right(ends, start)
    return first, max(first, bisect_left(starts, end))


def _shared(span: Span, start: int, end: int) -> int:
    return min(span.end, end) - max(span.start, start)
