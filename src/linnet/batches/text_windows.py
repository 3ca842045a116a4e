"""How do texts and pairs of texts become windows of numbers, nothing cut on the way?

A text that is longer than the window is read in overlapping windows that begin and end between words. Of a pair the
longer text is cut and the shorter one stands in every window; where that is too long as well, both are cut and all
combinations are read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import NamedTuple

import numpy as np
from tokenizers import Encoding, Tokenizer

from linnet.batches.encoding import IntArray, first_known
from linnet.batches.windows import plan_windows

__all__ = ["TextBatch", "TextEncoder", "TextWindow", "collate_texts"]

Offset = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TextWindow:
    """A stretch of a text, or of both texts of a pair, as numbers."""

    text: int  # which of those given
    ids: list[int]
    types: list[int]  # 0 for the first text, 1 for the second, as the encoder was taught
    begin: int  # where the sub-words of the last text begin in `ids`
    offsets: list[Offset]  # the characters of each of them there
    marks: tuple[int, ...]  # where the marked characters stand in `ids`; 0 where another window has them

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class TextBatch:
    """Windows side by side: ids, mask and types (windows, tokens), marks (windows, marks)."""

    windows: list[TextWindow]
    ids: IntArray
    mask: IntArray
    types: IntArray
    marks: IntArray


class _Stretch(NamedTuple):
    ids: list[int]
    offsets: list[Offset]


class _Frame(NamedTuple):
    """What the tokenizer puts before, between and after texts, and the types of the texts themselves."""

    before: list[int]
    between: list[int]
    after: list[int]
    types: tuple[int, int, int, int, int]  # of before, first text, between, second text, after

    @property
    def size(self) -> int:
        return len(self.before) + len(self.between) + len(self.after)


class TextEncoder:
    """Encodes texts and pairs into windows of at most `max_length` sub-words."""

    def __init__(self, tokenizer: Tokenizer, *, max_length: int, overlap: int | None = None) -> None:
        self.tokenizer = Tokenizer.from_str(tokenizer.to_str())  # a copy: cutting and padding are switched off in it
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        self.single = _frame(self.tokenizer.encode("a"))
        self.pair = _pair_frame(_frame(self.tokenizer.encode("a", "a")), self.single)
        self.max_length, self.overlap = max_length, overlap
        self.pad_id = first_known(self.tokenizer, ("[PAD]", "<pad>"), 0)

    def encode(
        self, texts: Sequence[tuple[str, str | None]], marks: Sequence[Sequence[int]] | None = None
    ) -> list[list[TextWindow]]:
        """Return the windows of each text or pair.

        Args:
            texts: the text, and the second one of a pair.
            marks: characters of the last text of each whose sub-word is wanted.
        """
        firsts = self.tokenizer.encode_batch([first for first, _ in texts], add_special_tokens=False)
        pairs = [second for _, second in texts if second is not None]
        seconds = iter(self.tokenizer.encode_batch(pairs, add_special_tokens=False))
        found = []
        for number, ((_, second), encoding) in enumerate(zip(texts, firsts, strict=True)):
            parts = (encoding, None if second is None else next(seconds))
            wanted = marks[number] if marks is not None else ()
            found.append([_window(number, *each, wanted) for each in self._parts(*parts)])
        return found

    def _parts(self, first: Encoding, second: Encoding | None) -> Iterator[tuple[_Frame, _Stretch | None, _Stretch]]:
        """Yield the frame, the first text and the last text of each window."""
        if second is None:
            for last in self._stretches(first, self.max_length - self.single.size):
                yield self.single, None, last
            return
        capacity = self.max_length - self.pair.size
        rooms = len(first.ids), len(second.ids)
        if sum(rooms) > capacity:
            shorter = min(*rooms, capacity // 2)
            rooms = (shorter, capacity - shorter) if rooms[0] <= rooms[1] else (capacity - shorter, shorter)
        for opening in self._stretches(first, rooms[0]):
            for last in self._stretches(second, rooms[1]):
                yield self.pair, opening, last

    def _stretches(self, encoding: Encoding, capacity: int) -> list[_Stretch]:
        ids, offsets = encoding.ids, encoding.offsets
        if len(ids) <= capacity:
            return [_Stretch(ids, offsets)]
        overlap = capacity // 4 if self.overlap is None else min(self.overlap, capacity // 2)
        sizes = list(_sizes(encoding.word_ids, capacity))
        places = [0, *accumulate(sizes)]
        planned = plan_windows(sizes, capacity=capacity, overlap=overlap)
        bounds = [(places[window.first], places[window.end]) for window in planned]
        return [_Stretch(ids[start:end], offsets[start:end]) for start, end in bounds]


def collate_texts(windows: Sequence[TextWindow], pad_id: int) -> TextBatch:
    """Return the windows side by side, padded to the longest."""
    width, n_marks = max(map(len, windows)), max(len(window.marks) for window in windows)
    ids = np.full((len(windows), width), pad_id, dtype=np.int64)
    mask, types = np.zeros_like(ids), np.zeros_like(ids)
    marks = np.zeros((len(windows), n_marks), dtype=np.int64)
    for row, window in enumerate(windows):
        ids[row, : len(window)] = window.ids
        mask[row, : len(window)] = 1
        types[row, : len(window)] = window.types
        marks[row, : len(window.marks)] = window.marks
    return TextBatch(list(windows), ids, mask, types, marks)


def _frame(whole: Encoding) -> _Frame:
    """Return what stands around the texts of an encoding of one or two of them."""
    sides = whole.sequence_ids
    parts: list[list[int]] = [[], [], [], [], []]
    types = [0, 0, 0, 0, 0]
    for number, kind, side in zip(whole.ids, whole.type_ids, sides, strict=True):
        begun = [text for text in (0, 1) if parts[2 * text + 1]]
        at = 2 * side + 1 if side is not None else 2 * (max(begun) + 1) if begun else 0
        parts[at].append(number)
        types[at] = kind
    before, _, between, second, after = parts
    if not second:  # what follows a single text stands in the place between two
        between, after, types[4] = [], between, types[2]
        types[3] = types[1]
    first, *rest = types
    return _Frame(before, between, after, (first, rest[0], rest[1], rest[2], rest[3]))


def _pair_frame(pair: _Frame, single: _Frame) -> _Frame:
    """Return the frame of pairs; made from that of single texts where a tokenizer was never told how to join two."""
    if pair.size or not single.size:
        return pair
    _, of_first, _, of_second, _ = pair.types
    return _Frame(single.before, single.after, single.after, (of_first, of_first, of_first, of_second, of_second))


def _sizes(word_ids: Sequence[int | None], most: int) -> Iterator[int]:
    """Yield the number of sub-words of each word; one that does not fit into a window counts as several."""
    for _, group in groupby(word_ids):
        size = len(list(group))
        yield from [most] * (size // most)
        if size % most:
            yield size % most


def _window(number: int, frame: _Frame, opening: _Stretch | None, last: _Stretch, marks: Sequence[int]) -> TextWindow:
    head = frame.before if opening is None else [*frame.before, *opening.ids, *frame.between]
    of_before, of_first, of_between, of_second, of_after = frame.types
    types = [of_before] * len(frame.before)
    if opening is not None:
        types += [of_first] * len(opening.ids) + [of_between] * len(frame.between)
    types += [of_first if opening is None else of_second] * len(last.ids) + [of_after] * len(frame.after)
    places = tuple(_place(last.offsets, character, len(head)) for character in marks)
    return TextWindow(number, [*head, *last.ids, *frame.after], types, len(head), last.offsets, places)


def _place(offsets: Sequence[Offset], character: int, begin: int) -> int:
    """Return the place of the sub-word that holds the character, 0 (the first token) where none does."""
    return next((begin + at for at, (start, end) in enumerate(offsets) if start <= character < end), 0)
