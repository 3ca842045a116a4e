"""Texts and pairs of texts as windows of sub-words, with their targets and with the network's scores."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linnet.batches.text_windows import TextEncoder, TextWindow
from linnet.documents.texts import TextExample

__all__ = ["FloatArray", "LabelledText", "ReadText", "ScoredText", "read_texts"]

FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


@dataclass(frozen=True)
class ReadText:
    """An example as windows; `sides` says which text of a pair each is of, where they are read apart."""

    windows: list[TextWindow]
    sides: list[int]

    def __len__(self) -> int:
        return sum(map(len, self.windows))


@dataclass(frozen=True)
class LabelledText:
    """An example as windows, with its targets as numbers."""

    read: ReadText
    target: list[int] | list[float]

    def __len__(self) -> int:
        return len(self.read)


ScoredText = tuple[TextExample, ReadText, list[FloatArray]]  # with the network's scores of its windows


def read_texts(
    encoder: TextEncoder, examples: Sequence[TextExample], *, method: str = "cross", pooling: str = "cls"
) -> list[ReadText]:
    """Return the examples as windows.

    Args:
        encoder: makes windows of texts.
        examples: texts or pairs.
        method: `bi` reads the two texts of a pair apart.
        pooling: with `markers` the places of the marked mentions are kept.
    """
    if method == "bi":
        firsts = encoder.encode([(example.first, None) for example in examples])
        seconds = encoder.encode([(example.second or "", None) for example in examples])
        return [ReadText([*a, *b], [0] * len(a) + [1] * len(b)) for a, b in zip(firsts, seconds, strict=True)]
    marks = [[start for start, _ in example.spans] for example in examples] if pooling == "markers" else None
    windows = encoder.encode([(example.first, example.second) for example in examples], marks)
    return [ReadText(each, [0] * len(each)) for each in windows]
