"""How is tokenised text cut into sequences that are full?

The sub-words of a document are cut behind every `capacity` of them, so that only its last sequence is shorter; where
documents may be crossed, the next document goes on in it. A sequence may begin in the middle of a sentence, unless
sentences are to stay whole, as in ALBERT (Lan et al. 2020): then it holds as many as fit, and only a sentence that is
longer than `capacity` is cut; the sentences behind it go on in the sequence of its rest. What is left of a document and
shorter than `LEAST` sub-words is left out and counted: it would cost a sequence of padding to learn next to nothing.
Nothing is copied until a sequence is asked for.
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
    """A stretch of text, as numbers without special sub-words."""

    ids: IntArray
    sentence_starts: tuple[int, ...]  # places in `ids` where sentences begin; 0 only if one begins there
    document_starts: tuple[int, ...]  # likewise; more than the first only where documents are crossed

    def __len__(self) -> int:
        """How many sub-words there are."""
        return len(self.ids)


class PackedText(Sequence[PackedSequence]):
    """The sequences of some documents of a tokenised text, in order.

    Args:
        text: tokenised.
        capacity: sub-words of a full sequence, special ones not counted.
        documents: which of the text's documents, by number; all if not given.
        cross_documents: fill sequences up with the next document.
        whole_sentences: end sequences where sentences end.
        least: shorter leftovers are left out.
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
        # places count the chosen documents' sub-words only, as if nothing stood between them
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
        """How many sequences there are."""
        return len(self.lengths)

    @overload
    def __getitem__(self, index: int) -> PackedSequence: ...

    @overload
    def __getitem__(self, index: slice) -> list[PackedSequence]: ...

    def __getitem__(self, index: int | slice) -> PackedSequence | list[PackedSequence]:
        """Return one sequence, or some of them."""
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        place = range(len(self))[index]  # refuses what is out of range
        return self._sequence(int(self._starts[place]), int(self._starts[place] + self.lengths[place]))

    def _sentence_lengths(self) -> IntArray:
        """Return how many sub-words each sentence of the chosen documents has, in order."""
        lengths = np.diff(self._document_ends, prepend=0)
        bounds = np.searchsorted(self.text.sentence_starts, [self._document_starts, self._document_starts + lengths])
        n_sentences = bounds[1] - bounds[0]
        owner = np.repeat(np.arange(len(lengths)), n_sentences)
        sentences = bounds[0][owner] + _number_members(n_sentences)
        shifts = self._document_starts - (self._document_ends - lengths)
        starts = self.text.sentence_starts[sentences] - shifts[owner]
        found: IntArray = np.diff(starts, append=lengths.sum())
        return found

    def _sequence(self, start: int, end: int) -> PackedSequence:
        ids: list[IntArray] = []
        sentences: list[int] = []
        documents: list[int] = []
        document = int(np.searchsorted(self._document_ends, start, side="right"))
        place = start
        while place < end:
            stop = min(end, int(self._document_ends[document]))
            shift = self._shift(document)
            ids.append(self.text.tokens[place + shift : stop + shift].astype(np.int64))
            sentences += [int(each) - shift - start for each in self._sentence_starts(place + shift, stop + shift)]
            if place + shift == self._document_starts[document]:
                documents.append(place - start)
            place, document = stop, document + 1
        return PackedSequence(ids[0] if len(ids) == 1 else np.concatenate(ids), tuple(sentences), tuple(documents))

    def _shift(self, document: int) -> int:
        """Return how far the document's places in the text are behind those counted here."""
        before = int(self._document_ends[document - 1]) if document else 0
        return int(self._document_starts[document]) - before

    def _sentence_starts(self, start: int, end: int) -> IntArray:
        first, last = np.searchsorted(self.text.sentence_starts, (start, end))
        return self.text.sentence_starts[first:last]


def _cut_into_pieces(blocks: IntArray, capacity: int) -> tuple[IntArray, IntArray]:
    """Return where the pieces of blocks that stand end to end begin, and how long they are."""
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
    # the one with which the next sequence begins, if one begins here
    following = np.searchsorted(first + length, limit, side="right")
    chosen, number = [], 0
    while number < len(first):
        chosen.append(number)
        number = int(following[number])
    starts = first[np.array(chosen, np.int64)]
    return starts, np.diff(starts, append=blocks.sum())


def _number_members(sizes: IntArray) -> IntArray:
    """Return 0, 1, 2, ... for the members of each group, groups end to end."""
    numbers: IntArray = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return numbers
