"""Training examples of masked language modelling and sentence-order prediction, and their batches.

For sentence-order prediction (ALBERT; Lan et al. 2020) a sequence is split at the sentence start nearest to its middle,
and the halves are swapped with probability one half. Some sequences have no order to predict and are read as one text:
those without a sentence start inside (two documents have no order, so they are not split from each other), and those
that begin inside a sentence, whose first sub-word would give the order away.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer

from linnet.losses.cost_sensitive import IGNORED
from linnet.pretraining.learning.masking import MaskedSequence, Subwords, inspect_subwords, mask
from linnet.settings.pretraining import MaskingSettings

__all__ = [
    "CORPUS",
    "ArrangedSequence",
    "ExampleMaker",
    "Frame",
    "MaskedExample",
    "TextSequence",
    "arrange",
    "collate",
    "find_frame",
]

CORPUS = "text"  # name of the only corpus, for the trainer
IN_ORDER, SWAPPED = 0, 1  # labels of ALBERT in transformers

Numbers = NDArray[np.int64]


class TextSequence(Protocol):
    """A packed sequence, as `PackedText` gives it."""

    @property
    def ids(self) -> Numbers:
        """Sub-word ids, without special ones."""
        ...

    @property
    def sentence_starts(self) -> tuple[int, ...]:
        """Indices at which sentences begin."""
        ...

    @property
    def document_starts(self) -> tuple[int, ...]:
        """Indices at which documents begin."""
        ...


@dataclass(frozen=True)
class Frame:
    """The special sub-words around one text and around a pair of texts, with their segment types."""

    before: tuple[int, ...]
    between: tuple[int, ...]
    after: tuple[int, ...]  # a pair
    after_one: tuple[int, ...]  # a single text
    types: tuple[int, int, int, int, int]  # before, first text, between, second text, after


@dataclass(frozen=True)
class ArrangedSequence:
    """A sequence with its special sub-words."""

    ids: Numbers
    types: Numbers
    order: int  # IN_ORDER, SWAPPED, or IGNORED if there is no order to predict


@dataclass(frozen=True)
class MaskedExample:
    """Input of the network with the masked positions and the order to predict."""

    masked: MaskedSequence
    types: Numbers
    order: int

    def __len__(self) -> int:
        return len(self.masked.ids)


@dataclass(frozen=True)
class ExampleMaker:
    """Makes masked examples of sequences; the same seed and numbers make the same example."""

    subwords: Subwords
    frame: Frame
    settings: MaskingSettings
    seed: int

    @classmethod
    def for_tokenizer(cls, tokenizer: Tokenizer, settings: MaskingSettings, seed: int) -> "ExampleMaker":
        """Return the maker that uses the special sub-words of a tokenizer."""
        return cls(inspect_subwords(tokenizer), find_frame(tokenizer), settings, seed)

    @property
    def n_special(self) -> int:
        """Number of special sub-words that are added to a sequence."""
        frame = self.frame
        if self.settings.sentence_order:
            return len(frame.before) + len(frame.between) + len(frame.after)
        return len(frame.before) + len(frame.after_one)

    def make(self, sequence: TextSequence, *numbers: int) -> MaskedExample:
        """Return the example of a sequence; it depends on the seed and these numbers alone."""
        generator = np.random.default_rng((self.seed, *numbers))
        if self.settings.sentence_order:
            arranged = arrange(sequence, self.frame, generator)
        else:
            arranged = _frame_one_text(sequence.ids, self.frame)
        masked = mask(arranged.ids, self.subwords, self.settings, generator)
        return MaskedExample(masked, arranged.types, arranged.order)


def find_frame(tokenizer: Tokenizer) -> Frame:
    """Return the special sub-words that a tokenizer puts around texts, found by encoding two short ones."""
    plain = Tokenizer.from_str(tokenizer.to_str())
    plain.no_padding()
    plain.no_truncation()
    two, one = plain.encode("a", "b"), plain.encode("a")
    owners = list(two.sequence_ids)
    first, second = (_find_text(owners, number) for number in (0, 1))
    ids, types = two.ids, two.type_ids
    end_of_one = _find_text(list(one.sequence_ids), 0)[1]
    kinds = [_type_at(types, index) for index in (0, first[0], first[1], second[0], second[1])]
    return Frame(
        before=tuple(ids[: first[0]]),
        between=tuple(ids[first[1] : second[0]]),
        after=tuple(ids[second[1] :]),
        after_one=tuple(one.ids[end_of_one:]),
        types=(kinds[0], kinds[1], kinds[2], kinds[3], kinds[4]),
    )


def arrange(sequence: TextSequence, frame: Frame, generator: np.random.Generator) -> ArrangedSequence:
    """Return the sequence as two texts, swapped or not; as one text if there is no order to predict."""
    ids, split_points = sequence.ids, find_split_points(sequence)
    if not split_points:
        return _frame_one_text(ids, frame)
    split = min(split_points, key=lambda start: (abs(2 * start - len(ids)), start))
    is_swapped = bool(generator.random() < 0.5)
    halves = (ids[split:], ids[:split]) if is_swapped else (ids[:split], ids[split:])
    parts = [np.array(frame.before), halves[0], np.array(frame.between), halves[1], np.array(frame.after)]
    types = np.repeat(frame.types, [len(part) for part in parts])
    order = SWAPPED if is_swapped else IN_ORDER
    return ArrangedSequence(np.concatenate(parts).astype(np.int64), types.astype(np.int64), order)


def find_split_points(sequence: TextSequence) -> list[int]:
    """Return where a sequence can be split for sentence-order prediction: between sentences of one document.

    A sequence that begins inside a sentence has no such index.
    """
    starts, size = sequence.sentence_starts, len(sequence.ids)
    if not len(starts) or starts[0] != 0:
        return []
    return [start for start in starts if 0 < start < size and start not in sequence.document_starts]


def collate(examples: Sequence[MaskedExample], pad_id: int) -> dict[str, Any]:
    """Return a padded batch.

    `input_ids`, `attention_mask` and `token_type_ids` are (sequences, tokens); `positions` (masked,) are indices of all
    rows end to end; `labels` (masked,) are the original ids there; `order` is (sequences,).
    """
    width = max(len(example) for example in examples)
    ids = np.full((len(examples), width), pad_id, dtype=np.int64)
    attention, types = np.zeros_like(ids), np.zeros_like(ids)
    for row, example in enumerate(examples):
        size = len(example)
        ids[row, :size], attention[row, :size], types[row, :size] = example.masked.ids, 1, example.types
    positions = [example.masked.positions + row * width for row, example in enumerate(examples)]
    return {
        "input_ids": torch.from_numpy(ids),
        "attention_mask": torch.from_numpy(attention),
        "token_type_ids": torch.from_numpy(types),
        "positions": torch.from_numpy(np.concatenate(positions)),
        "labels": torch.from_numpy(np.concatenate([example.masked.targets for example in examples])),
        "order": torch.tensor([example.order for example in examples]),
        "corpus": CORPUS,
    }


def _frame_one_text(ids: Numbers, frame: Frame) -> ArrangedSequence:
    whole = np.concatenate([np.array(frame.before), ids, np.array(frame.after_one)]).astype(np.int64)
    return ArrangedSequence(whole, np.full(len(whole), frame.types[1], dtype=np.int64), IGNORED)


def _find_text(owners: list[int | None], number: int) -> tuple[int, int]:
    """Return where the sub-words of a text begin and end."""
    indices = [index for index, owner in enumerate(owners) if owner == number]
    return indices[0], indices[-1] + 1


def _type_at(types: list[int], index: int) -> int:
    return types[min(index, len(types) - 1)]
