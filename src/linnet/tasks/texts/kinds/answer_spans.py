"""Decoding of answer spans: the best spans of a text, from the scores of its tokens."""

from collections.abc import Sequence

import numpy as np

from linnet.batches.text_windows import TextWindow
from linnet.contracts import Notes
from linnet.documents.texts import Answer, TextExample
from linnet.tasks.texts.kinds.answer_places import is_in_word, is_mark, strip_blanks

__all__ = ["best_answers", "note_unplaced", "places_of"]

FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
MOST_ENDS = 20  # firsts and lasts of a window that are combined
MOST_STRETCHES = 20  # that share the probability of a text
NOWHERE = 0  # the place of the first token, which says that the window has no answer


def best_answers(
    text: str, windows: Sequence[TextWindow], scores: Sequence[FloatArray], *, longest: int
) -> tuple[Answer, ...]:
    """Return the likeliest answers in a text, the best first; one with an empty text says that there is none.

    A stretch scores as much as its first and its last place together, in the window where that is highest. That there
    is no answer scores what it does in the window that doubts it most: one that has the answer is enough. A stretch
    that cuts a word is none, and blanks around it, which many tokenizers count to the words beside them, are no part.

    Args:
        text: the last text of the example.
        windows: all windows of the example.
        scores: (2, tokens) of each: as the first and as the last place.
        longest: characters of an answer.
    """
    found: dict[tuple[int, int], float] = {}
    for window, (first, last) in zip(windows, scores, strict=True):
        for start, end, score in _stretches(text, window, first, last):
            is_answer = 0 < end - start <= longest and not _cuts_a_word(text, start, end)
            if is_answer and score > found.get((start, end), -np.inf):
                found[start, end] = score
    nowhere = min(float(each[0, NOWHERE] + each[1, NOWHERE]) for each in scores)
    ranked = sorted(found.items(), key=lambda item: (-item[1], item[0]))[:MOST_STRETCHES]
    values = np.array([nowhere, *(score for _, score in ranked)])
    shares = np.exp(values - values.max())
    shares /= shares.sum()
    answers = [
        Answer(text[start:end], start, end, float(p)) for ((start, end), _), p in zip(ranked, shares[1:], strict=True)
    ]
    return tuple(sorted([Answer("", 0, 0, float(shares[0])), *answers], key=lambda each: -each.score))


def places_of(window: TextWindow, spans: Sequence[tuple[int, int]], text: str) -> tuple[int, int]:
    """Return the first and the last place of the first of these spans that stands in the window as a whole.

    Where none does, that is the place which says so, twice.

    Args:
        window: of the example.
        spans: where the answers stand.
        text: the last text of the example. Marks at the end of a span, which many tokenizers do not read, are seen
            in it.
    """
    for start, end in spans:
        first = next((at for at, (a, b) in enumerate(window.offsets) if a <= start < b), None)
        ends = (end, start + len(_without_marks(text[start:end])))
        last = next((at for own in ends for at, (a, b) in enumerate(window.offsets) if a < own <= b), None)
        if first is not None and last is not None:
            return window.begin + first, window.begin + last
    return NOWHERE, NOWHERE


def note_unplaced(examples: Sequence[TextExample], windows: Sequence[Sequence[TextWindow]], notes: Notes) -> None:
    """Count the examples whose answers stand in none of their windows as a whole: they are learned as having none.

    So it is with an answer that is longer than a window, or ends with characters that the tokenizer does not read.

    Args:
        examples: to be learned.
        windows: all windows of each.
        notes: in which they are counted.
    """
    for example, own in zip(examples, windows, strict=True):
        if example.spans and all(
            places_of(window, example.spans, example.last) == (NOWHERE, NOWHERE) for window in own
        ):
            notes.add("train: texts whose answer stands in no window as a whole, learned as without", example.place)


def _cuts_a_word(text: str, start: int, end: int) -> bool:
    """Does a word of the stretch go on outside of it?"""
    begins_inside = start > 0 and is_in_word(text[start - 1 : start + 1])
    ends_inside = end < len(text) and is_in_word(text[end - 1 : end + 1])
    return begins_inside or ends_inside


def _stretches(text: str, window: TextWindow, first: FloatArray, last: FloatArray) -> list[tuple[int, int, float]]:
    own = slice(window.begin, window.begin + len(window.offsets))
    starts, ends = first[own], last[own]
    best_starts = np.argsort(-starts, kind="stable")[:MOST_ENDS]
    best_ends = np.argsort(-ends, kind="stable")[:MOST_ENDS]
    return [
        (*_bounds(text, window.offsets[start][0], window.offsets[end][1]), float(starts[start] + ends[end]))
        for start in map(int, best_starts)
        for end in map(int, best_ends)
        if start <= end
    ]


def _bounds(text: str, start: int, end: int) -> tuple[int, int]:
    """Return start and end of the stretch of these tokens: without blanks around it, with the marks after it."""
    start, end = strip_blanks(text, start, end)
    while start < end < len(text) and is_mark(text[end]):
        end += 1
    return start, end


def _without_marks(text: str) -> str:
    while text and is_mark(text[-1]):
        text = text[:-1]
    return text
