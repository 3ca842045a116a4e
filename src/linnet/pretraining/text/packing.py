"""Packing of tokenised text into full sequences.

A document is cut after every `capacity` sub-words, so only its last sequence is shorter; with `cross_documents` the
next document continues in it. A sequence may begin inside a sentence, unless sentences stay whole, as in ALBERT (Lan et
al. 2020): then a sequence holds as many sentences as fit, and only a sentence longer than `capacity` is cut; the next
sentences follow its last piece. Leftovers shorter than `LEAST` sub-words are dropped and counted: they would cost a
sequence of padding and teach next to nothing. Nothing is copied before a sequence is read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from linnet.pretraining.text.shards import IntArray, TokenisedText

__all__ = ["LEAST", "PackedSequence", "PackedText"]

LEAST = 8
BoolArray = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


@dataclass(frozen=True, slots=True)
class PackedSequence:
    """A sequence of sub-word ids, without special ones."""

    ids: IntArray
    sentence_starts: tuple[int, ...]  # indices of `ids` where sentences begin; 0 only if one begins there
    document_starts: tuple[int, ...]  # likewise; several only with `cross_documents`

    def __len__(self) -> int:
        """Number of sub-words."""
        return len(self.ids)


class PackedText(Sequence[PackedSequence]):
    """The packed sequences of some documents of a tokenised text, in order.

    Args:
        text: tokenised.
        capacity: sub-words of a full sequence, without special ones.
        documents: numbers of the documents to use; all if not given.
        cross_documents: let the next document fill up a sequence.
        whole_sentences: end sequences where sentences end.
        least: shorter leftovers are dropped.
    """

    def __init__(
        self,
        text: TokenisedText,
        *,
        capacity: int,
        documents: IntArray | None = None,
        cross_documents: bool = False,
        whole_sentences: bool = False,
        least: int = LEAST,
    ) -> None:
        self.text, self.capacity = text, capacity
        starts, ends = text.document_starts, text.document_ends
        if documents is not None:
            starts, ends = starts[documents], ends[documents]
        has_tokens = ends > starts
        self._document_starts = np.ascontiguousarray(starts[has_tokens])  # in the text
        lengths = ends[has_tokens] - self._document_starts
        # offsets below count the sub-words of the chosen documents only, end to end
        self._document_ends = np.cumsum(lengths)
        blocks = lengths if not cross_documents else np.array([lengths.sum()] if len(lengths) else [], np.int64)
        if whole_sentences:
            first, length = _cut_between_sentences(self._sentence_lengths(), blocks, capacity)
        else:
            first, length = _cut_into_pieces(blocks, capacity)
        is_kept = length >= min(least, capacity)
        self.n_documents = len(lengths)
        self.n_left_over = int(length[~is_kept].sum())  # sub-words
        self._starts: IntArray = first[is_kept]
        self.lengths: IntArray = length[is_kept]  # sub-words of each sequence

    @property
    def n_tokens(self) -> int:
        """Sub-words in all sequences."""
        return int(self.lengths.sum())

    def __len__(self) -> int:
        """Number of sequences."""
        return len(self.lengths)

    @overload
    def __getitem__(self, index: int) -> PackedSequence: ...

    @overload
    def __getitem__(self, index: slice) -> list[PackedSequence]: ...

    def __getitem__(self, index: int | slice) -> PackedSequence | list[PackedSequence]:
        """Return one sequence, or those of a slice."""
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = range(len(self))[index]  # raises IndexError if it is out of range
        return self._read_sequence(int(self._starts[number]), int(self._starts[number] + self.lengths[number]))

    def _sentence_lengths(self) -> IntArray:
        """Return how many sub-words each sentence of the chosen documents has, in order."""
        lengths = np.diff(self._document_ends, prepend=0)
        bounds = np.searchsorted(self.text.sentence_starts, [self._document_starts, self._document_starts + lengths])
        n_sentences = bounds[1] - bounds[0]
        owner = np.repeat(np.arange(len(lengths)), n_sentences)
        sentences = bounds[0][owner] + _number_members(n_sentences)
        shifts = self._document_starts - (self._document_ends - lengths)
        starts = self.text.sentence_starts[sentences] - shifts[owner]
        sentence_lengths: IntArray = np.diff(starts, append=lengths.sum())
        return sentence_lengths

    def _read_sequence(self, start: int, end: int) -> PackedSequence:
        ids: list[IntArray] = []
        sentences: list[int] = []
        documents: list[int] = []
        document = int(np.searchsorted(self._document_ends, start, side="right"))
        offset = start
        while offset < end:
            stop = min(end, int(self._document_ends[document]))
            shift = self._shift(document)
            ids.append(self.text.tokens[offset + shift : stop + shift].astype(np.int64))
            sentences += [int(first) - shift - start for first in self._sentence_starts(offset + shift, stop + shift)]
            if offset + shift == self._document_starts[document]:
                documents.append(offset - start)
            offset, document = stop, document + 1
        return PackedSequence(ids[0] if len(ids) == 1 else np.concatenate(ids), tuple(sentences), tuple(documents))

    def _shift(self, document: int) -> int:
        """Return the difference between the document's offsets in the text and those counted here."""
        before = int(self._document_ends[document - 1]) if document else 0
        return int(self._document_starts[document]) - before

    def _sentence_starts(self, start: int, end: int) -> IntArray:
        first, last = np.searchsorted(self.text.sentence_starts, (start, end))
        return self.text.sentence_starts[first:last]


def _cut_into_pieces(blocks: IntArray, capacity: int) -> tuple[IntArray, IntArray]:
    """Return start and length of the pieces of blocks that lie end to end."""
    n_pieces = -(-blocks // capacity)
    owner, number = np.repeat(np.arange(len(blocks)), n_pieces), _number_members(n_pieces)
    before = np.cumsum(blocks) - blocks
    length = np.minimum(capacity, blocks[owner] - number * capacity)
    return before[owner] + number * capacity, length


def _cut_between_sentences(sentences: IntArray, blocks: IntArray, capacity: int) -> tuple[IntArray, IntArray]:
    """Return what `_cut_into_pieces` returns, for pieces that hold as many whole sentences as fit."""
    first, length = _cut_into_pieces(sentences, capacity)  # only sentences that are too long become several
    block_ends = np.cumsum(blocks)
    limit = np.minimum(first + capacity, block_ends[np.searchsorted(block_ends, first, side="right")])
    # for each piece: the first piece of the next sequence, if a sequence begins here
    following = np.searchsorted(first + length, limit, side="right")
    chosen, number = [], 0
    while number < len(first):
        chosen.append(number)
        number = int(following[number])
    starts = first[np.array(chosen, np.int64)]
    return starts, np.diff(starts, append=blocks.sum())


def _number_members(sizes: IntArray) -> IntArray:
    """Return 0, 1, 2, ... for the members of each group, with the groups end to end."""
    numbers: IntArray = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return numbers
