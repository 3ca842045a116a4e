"""How does a packed sequence become what the network reads, with its masks and the order of its halves?

For sentence-order prediction (ALBERT; Lan et al. 2020) a sequence is split at the sentence start nearest to its middle,
and the halves are exchanged with probability one half. Some have no order to guess and are read as one piece: those
without a sentence start inside, since two documents have no order and are not split from each other, and those that
begin inside a sentence, which would tell the first half from the second by one sub-word.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer

from linnet.losses.cost_sensitive import IGNORED
from linnet.pretraining.learning.masking import Masked, Subwords, mask, subwords_of
from linnet.settings.pretraining import MaskingSettings

__all__ = ["CORPUS", "Arranged", "Frame", "Maker", "MaskedExample", "TextSequence", "arrange", "collate", "frame_of"]

CORPUS = "text"  # there is one corpus, and the trainer wants a name
IN_ORDER, EXCHANGED = 0, 1  # as transformers numbers them for ALBERT

Numbers = NDArray[np.int64]


class TextSequence(Protocol):
    """A packed sequence."""

    @property
    def ids(self) -> Numbers:
        """Its sub-words, without special ones."""
        ...

    @property
    def sentence_starts(self) -> tuple[int, ...]:
        """Where sentences begin in it."""
        ...

    @property
    def document_starts(self) -> tuple[int, ...]:
        """Where documents begin in it."""
        ...


@dataclass(frozen=True)
class Frame:
    """The special sub-words around one text and around two, with their segment types."""

    before: tuple[int, ...]
    between: tuple[int, ...]
    after: tuple[int, ...]  # of two
    after_one: tuple[int, ...]
    types: tuple[int, int, int, int, int]  # of before, the first, between, the second, after


@dataclass(frozen=True)
class Arranged:
    """A sequence with its special sub-words."""

    ids: Numbers
    types: Numbers
    order: int  # IN_ORDER, EXCHANGED, or IGNORED where there is nothing to guess


@dataclass(frozen=True)
class MaskedExample:
    """What the network reads, and what it is to guess."""

    masked: Masked
    types: Numbers
    order: int

    def __len__(self) -> int:
        return len(self.masked.ids)


@dataclass(frozen=True)
class Maker:
    """Makes examples of sequences; the same numbers make the same example."""

    subwords: Subwords
    frame: Frame
    settings: MaskingSettings
    seed: int

    @classmethod
    def of(cls, tokenizer: Tokenizer, settings: MaskingSettings, seed: int) -> "Maker":
        """Return the maker for a tokenizer."""
        return cls(subwords_of(tokenizer), frame_of(tokenizer), settings, seed)

    @property
    def n_special(self) -> int:
        """How many special sub-words are added to a sequence."""
        frame = self.frame
        if self.settings.sentence_order:
            return len(frame.before) + len(frame.between) + len(frame.after)
        return len(frame.before) + len(frame.after_one)

    def make(self, sequence: TextSequence, *numbers: int) -> MaskedExample:
        """Return the example of a sequence, drawn from the seed and these numbers alone."""
        generator = np.random.default_rng((self.seed, *numbers))
        if self.settings.sentence_order:
            arranged = arrange(sequence, self.frame, generator)
        else:
            arranged = _as_one(sequence.ids, self.frame)
        masked = mask(arranged.ids, self.subwords, self.settings, generator)
        return MaskedExample(masked, arranged.types, arranged.order)


def frame_of(tokenizer: Tokenizer) -> Frame:
    """Return what the tokenizer puts around texts, as it shows when it reads two short ones."""
    plain = Tokenizer.from_str(tokenizer.to_str())
    plain.no_padding()
    plain.no_truncation()
    two, one = plain.encode("a", "b"), plain.encode("a")
    owners = list(two.sequence_ids)
    first, second = (_stretch(owners, number) for number in (0, 1))
    ids, types = two.ids, two.type_ids
    end_of_one = _stretch(list(one.sequence_ids), 0)[1]
    kinds = [_type_at(types, at) for at in (0, first[0], first[1], second[0], second[1])]
    return Frame(
        tuple(ids[: first[0]]),
        tuple(ids[first[1] : second[0]]),
        tuple(ids[second[1] :]),
        tuple(one.ids[end_of_one:]),
        (kinds[0], kinds[1], kinds[2], kinds[3], kinds[4]),
    )


def arrange(sequence: TextSequence, frame: Frame, generator: np.random.Generator) -> Arranged:
    """Return the sequence as two pieces, exchanged or not; as one where there is no order to guess."""
    ids, inside = sequence.ids, splits_of(sequence)
    if not inside:
        return _as_one(ids, frame)
    split = min(inside, key=lambda start: (abs(2 * start - len(ids)), start))
    is_exchanged = bool(generator.random() < 0.5)
    halves = (ids[split:], ids[:split]) if is_exchanged else (ids[:split], ids[split:])
    parts = [np.array(frame.before), halves[0], np.array(frame.between), halves[1], np.array(frame.after)]
    types = np.repeat(frame.types, [len(part) for part in parts])
    order = EXCHANGED if is_exchanged else IN_ORDER
    return Arranged(np.concatenate(parts).astype(np.int64), types.astype(np.int64), order)


def splits_of(sequence: TextSequence) -> list[int]:
    """Return where a sequence can be cut so that the order of its halves can be told: between sentences of a document.

    There is no such place in one that begins inside a sentence.
    """
    starts, size = sequence.sentence_starts, len(sequence.ids)
    if not len(starts) or starts[0] != 0:
        return []
    return [start for start in starts if 0 < start < size and start not in sequence.document_starts]


def collate(examples: Sequence[MaskedExample], pad_id: int) -> dict[str, Any]:
    """Return a padded batch.

    `input_ids`, `attention_mask` and `token_type_ids` are (sequences, tokens); `places` (masked,) counts through all
    rows end to end; `labels` (masked,) are what is right there; `order` is (sequences,).
    """
    width = max(len(example) for example in examples)
    ids = np.full((len(examples), width), pad_id, dtype=np.int64)
    attention, types = np.zeros_like(ids), np.zeros_like(ids)
    for row, example in enumerate(examples):
        size = len(example)
        ids[row, :size], attention[row, :size], types[row, :size] = example.masked.ids, 1, example.types
    places = [example.masked.places + row * width for row, example in enumerate(examples)]
    return {
        "input_ids": torch.from_numpy(ids),
        "attention_mask": torch.from_numpy(attention),
        "token_type_ids": torch.from_numpy(types),
        "places": torch.from_numpy(np.concatenate(places)),
        "labels": torch.from_numpy(np.concatenate([example.masked.targets for example in examples])),
        "order": torch.tensor([example.order for example in examples]),
        "corpus": CORPUS,
    }


def _as_one(ids: Numbers, frame: Frame) -> Arranged:
    whole = np.concatenate([np.array(frame.before), ids, np.array(frame.after_one)]).astype(np.int64)
    return Arranged(whole, np.full(len(whole), frame.types[1], dtype=np.int64), IGNORED)


def _stretch(owners: list[int | None], number: int) -> tuple[int, int]:
    """Return where a text's own sub-words begin and end."""
    places = [place for place, owner in enumerate(owners) if owner == number]
    return places[0], places[-1] + 1


def _type_at(types: list[int], place: int) -> int:
    return types[min(place, len(types) - 1)]
