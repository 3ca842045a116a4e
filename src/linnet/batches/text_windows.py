"""Encoding of texts and pairs of texts as windows of sub-word ids, without truncation.

A text that is longer than the window is split into overlapping windows that begin and end between words. Of a pair the
longer text is split and the shorter one is repeated in every window. If both are too long, both are split and every
combination is a window.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import NamedTuple

import numpy as np
from tokenizers import Encoding, Tokenizer

from linnet.batches.encoding import IntArray, find_token_id
from linnet.batches.windows import plan_windows

__all__ = ["TextBatch", "TextEncoder", "TextWindow", "collate_texts"]

Offset = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TextWindow:
    """A window of a text, or of both texts of a pair, as sub-word ids."""

    text: int  # the index of the text or pair
    ids: list[int]
    types: list[int]  # token types, usually 0 for the first text and 1 for the second
    begin: int  # the position in `ids` of the first sub-word of the last text
    offsets: list[Offset]  # the characters of each sub-word of the last text
    marks: tuple[int, ...]  # the positions in `ids` of the marked characters; 0 for those in another window

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class TextBatch:
    """Padded windows: ids, mask and types (windows, tokens), marks (windows, marks)."""

    windows: list[TextWindow]
    ids: IntArray
    mask: IntArray
    types: IntArray
    marks: IntArray


class _Part(NamedTuple):
    ids: list[int]
    offsets: list[Offset]


class _Frame(NamedTuple):
    """The special tokens before, between and after texts, and the token types of all five parts."""

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
        self.tokenizer = Tokenizer.from_str(tokenizer.to_str())  # a copy, without truncation and padding
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        self.single = _find_frame(self.tokenizer.encode("a"))
        self.pair = _find_pair_frame(_find_frame(self.tokenizer.encode("a", "a")), self.single)
        self.max_length, self.overlap = max_length, overlap
        self.pad_id = find_token_id(self.tokenizer, ("[PAD]", "<pad>"), 0)

    def encode(
        self, texts: Sequence[tuple[str, str | None]], marks: Sequence[Sequence[int]] | None = None
    ) -> list[list[TextWindow]]:
        """Return the windows of each text or pair.

        Args:
            texts: the text, and the second text of a pair or None.
            marks: for each text or pair, characters of its last text whose sub-words are wanted.
        """
        firsts = self.tokenizer.encode_batch([first for first, _ in texts], add_special_tokens=False)
        pairs = [second for _, second in texts if second is not None]
        seconds = iter(self.tokenizer.encode_batch(pairs, add_special_tokens=False))
        windows = []
        for number, ((_, second), encoding) in enumerate(zip(texts, firsts, strict=True)):
            pair = (encoding, None if second is None else next(seconds))
            wanted = marks[number] if marks is not None else ()
            windows.append([_build_window(number, *parts, wanted) for parts in self._split_pair(*pair)])
        return windows

    def _split_pair(self, first: Encoding, second: Encoding | None) -> Iterator[tuple[_Frame, _Part | None, _Part]]:
        """Yield the frame, the part of the first text and the part of the last text of each window."""
        if second is None:
            for last in self._split_text(first, self.max_length - self.single.size):
                yield self.single, None, last
            return
        capacity = self.max_length - self.pair.size
        rooms = len(first.ids), len(second.ids)
        if sum(rooms) > capacity:
            shorter = min(*rooms, capacity // 2)
            rooms = (shorter, capacity - shorter) if rooms[0] <= rooms[1] else (capacity - shorter, shorter)
        for opening in self._split_text(first, rooms[0]):
            for last in self._split_text(second, rooms[1]):
                yield self.pair, opening, last

    def _split_text(self, encoding: Encoding, capacity: int) -> list[_Part]:
        ids, offsets = encoding.ids, encoding.offsets
        if len(ids) <= capacity:
            return [_Part(ids, offsets)]
        overlap = capacity // 4 if self.overlap is None else min(self.overlap, capacity // 2)
        sizes = list(_count_subwords(encoding.word_ids, capacity))
        places = [0, *accumulate(sizes)]
        planned = plan_windows(sizes, capacity=capacity, overlap=overlap)
        bounds = [(places[window.first], places[window.end]) for window in planned]
        return [_Part(ids[start:end], offsets[start:end]) for start, end in bounds]


def collate_texts(windows: Sequence[TextWindow], pad_id: int) -> TextBatch:
    """Return the windows as one batch, padded to the longest."""
    width, n_marks = max(map(len, windows)), max(len(window.marks) for window in windows)
    ids = np.full((len(windows), width), pad_id, dtype=np.int64)
    mask, types = np.zeros_like(ids), np.zeros_like(ids)
    marks = np.zeros((len(windows), n_marks), dtype=np.int64)
    for row, window in enumerate(windows):
        ids[row, : len(window)] = window.ids
        mask[row, : len(window)] = 1
        types[row, : len(window)] = window.types
        marks[row, : len(window.marks)] = window.marks
    return TextBatch(windows=list(windows), ids=ids, mask=mask, types=types, marks=marks)


def _find_frame(whole: Encoding) -> _Frame:
    """Return the frame of an encoding of one or two texts."""
    sides = whole.sequence_ids
    parts: list[list[int]] = [[], [], [], [], []]
    types = [0, 0, 0, 0, 0]
    for number, kind, side in zip(whole.ids, whole.type_ids, sides, strict=True):
        begun = [text for text in (0, 1) if parts[2 * text + 1]]
        at = 2 * side + 1 if side is not None else 2 * (max(begun) + 1) if begun else 0
        parts[at].append(number)
        types[at] = kind
    before, _, between, second, after = parts
    if not second:  # the tokens after a single text were collected as those between two
        between, after, types[4] = [], between, types[2]
        types[3] = types[1]
    first, *rest = types
    return _Frame(before, between, after, (first, rest[0], rest[1], rest[2], rest[3]))


def _find_pair_frame(pair: _Frame, single: _Frame) -> _Frame:
    """Return the frame of pairs, made from that of single texts if the tokenizer has no template for pairs."""
    if pair.size or not single.size:
        return pair
    _, of_first, _, of_second, _ = pair.types
    return _Frame(single.before, single.after, single.after, (of_first, of_first, of_first, of_second, of_second))


def _count_subwords(word_ids: Sequence[int | None], most: int) -> Iterator[int]:
    """Yield the number of sub-words of each word; a word that does not fit into a window counts as several."""
    for _, group in groupby(word_ids):
        size = len(list(group))
        yield from [most] * (size // most)
        if size % most:
            yield size % most


def _build_window(number: int, frame: _Frame, opening: _Part | None, last: _Part, marks: Sequence[int]) -> TextWindow:
    head = frame.before if opening is None else [*frame.before, *opening.ids, *frame.between]
    of_before, of_first, of_between, of_second, of_after = frame.types
    types = [of_before] * len(frame.before)
    if opening is not None:
        types += [of_first] * len(opening.ids) + [of_between] * len(frame.between)
    types += [of_first if opening is None else of_second] * len(last.ids) + [of_after] * len(frame.after)
    positions = tuple(_find_position(last.offsets, character, len(head)) for character in marks)
    return TextWindow(
        text=number,
        ids=[*head, *last.ids, *frame.after],
        types=types,
        begin=len(head),
        offsets=last.offsets,
        marks=positions,
    )


def _find_position(offsets: Sequence[Offset], character: int, begin: int) -> int:
    """Return the position of the sub-word that holds the character, or 0 (the first token)."""
    return next((begin + at for at, (start, end) in enumerate(offsets) if start <= character < end), 0)
