"""Encoding of words as windows of sub-word ids, and padding to batches.

Words are given to the tokenizer one by one, so no sub-word spans two words and every prediction belongs to a whole
word. A word without sub-words (control characters) is encoded as the unknown token, so it also gets a prediction.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from tokenizers import Encoding, Tokenizer

from linnet.batches.windows import plan_windows

__all__ = ["Batch", "EncodedWindow", "IntArray", "WordEncoder", "collate", "find_token_id"]

IntArray = np.ndarray[tuple[int, ...], np.dtype[np.int64]]

TOGETHER = 1000  # sentences that the tokenizer gets at once


@dataclass(frozen=True, slots=True)
class EncodedWindow:
    """A window of one sentence as sub-word ids."""

    sentence: int  # the index of the sentence
    own_first: int  # the first word that is predicted here
    ids: list[int]
    starts: list[int]  # the position in `ids` of the first sub-word of each owned word
    ends: list[int]

    @property
    def own_end(self) -> int:
        """The word after the last one that is predicted here."""
        return self.own_first + len(self.starts)


@dataclass(frozen=True, slots=True)
class Batch:
    """Padded windows: ids and mask are (windows, tokens)."""

    windows: list[EncodedWindow]
    ids: IntArray
    mask: IntArray


class WordEncoder:
    """Encodes sentences of words into windows of at most `max_length` sub-words."""

    def __init__(self, tokenizer: Tokenizer, *, max_length: int, overlap: int | None = None) -> None:
        self.tokenizer = Tokenizer.from_str(tokenizer.to_str())  # a copy, without truncation and padding
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        self.prefix, self.suffix = _find_special_ids(self.tokenizer)
        self.capacity = max_length - len(self.prefix) - len(self.suffix)
        self.overlap = self.capacity // 4 if overlap is None else min(overlap, self.capacity // 2)
        self.pad_id = find_token_id(self.tokenizer, ("[PAD]", "<pad>"), 0)
        self.unknown_id = find_token_id(self.tokenizer, ("[UNK]", "<unk>"), self.suffix[0] if self.suffix else 0)

    def encode(self, sentences: Sequence[Sequence[str]]) -> Iterator[EncodedWindow]:
        """Yield the windows of all sentences, in order; every word is owned by exactly one."""
        for index, (words, encoding) in enumerate(zip(sentences, self._encode_some(sentences), strict=True)):
            pieces = self._group_by_word(len(words), encoding.ids, encoding.word_ids)
            for window in plan_windows([len(piece) for piece in pieces], capacity=self.capacity, overlap=self.overlap):
                ids, starts, ends = list(self.prefix), [], []
                for word in range(window.first, window.end):
                    if window.own_first <= word < window.own_end:
                        starts.append(len(ids))
                        ends.append(len(ids) + min(len(pieces[word]), self.capacity))
                    ids += pieces[word][: self.capacity]
                yield EncodedWindow(
                    sentence=index, own_first=window.own_first, ids=ids + self.suffix, starts=starts, ends=ends
                )

    def _encode_some(self, sentences: Sequence[Sequence[str]]) -> Iterator[Encoding]:
        """Yield the sub-words of all sentences, some sentences at a time, so that a caller can stop in between."""
        for first in range(0, len(sentences), TOGETHER):
            words = [list(each) for each in sentences[first : first + TOGETHER]]
            yield from self.tokenizer.encode_batch(words, is_pretokenized=True, add_special_tokens=False)

    def _group_by_word(self, n_words: int, ids: list[int], word_ids: list[int | None]) -> list[list[int]]:
        pieces: list[list[int]] = [[] for _ in range(n_words)]
        for piece, word in zip(ids, word_ids, strict=True):
            if word is not None:
                pieces[word].append(piece)
        return [piece or [self.unknown_id] for piece in pieces]


def collate(windows: Sequence[EncodedWindow], pad_id: int) -> Batch:
    """Return the windows as one batch, padded to the longest."""
    width = max(len(window.ids) for window in windows)
    ids = np.full((len(windows), width), pad_id, dtype=np.int64)
    mask = np.zeros((len(windows), width), dtype=np.int64)
    for row, window in enumerate(windows):
        ids[row, : len(window.ids)] = window.ids
        mask[row, : len(window.ids)] = 1
    return Batch(list(windows), ids, mask)


def _find_special_ids(tokenizer: Tokenizer) -> tuple[list[int], list[int]]:
    """Return the special tokens that the tokenizer adds before and after a text."""
    bare = tokenizer.encode(["a"], is_pretokenized=True, add_special_tokens=False).ids
    whole = tokenizer.encode(["a"], is_pretokenized=True, add_special_tokens=True).ids
    for start in range(len(whole) - len(bare) + 1):
        if whole[start : start + len(bare)] == bare:
            return whole[:start], whole[start + len(bare) :]
    return [], []


def find_token_id(tokenizer: Tokenizer, names: Sequence[str], default: int) -> int:
    """Return the id of the first of these sub-words that the tokenizer has, or the default."""
    return next((token for name in names if (token := tokenizer.token_to_id(name)) is not None), default)
