"""Reads the tokenizer and the CRF transitions of a model folder. Needs no torch."""

from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer, pre_tokenizers

from linnet.errors import BadFile
from linnet.models.checks.guard import refuse_unusable

__all__ = [
    "TOKENIZER",
    "TRANSITIONS",
    "begin_words_with_a_space",
    "check_numbers",
    "open_tokenizer",
    "read_transitions",
]

TOKENIZER = "tokenizer.json"
TRANSITIONS = "crf.safetensors"
FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


def open_tokenizer(folder: Path) -> Tokenizer:
    """Return the tokenizer that was saved with a model."""
    path = folder / TOKENIZER
    if not path.is_file():
        raise BadFile(f"{path}: there is no such file", "save the model with its fast tokenizer")
    with refuse_unusable(path, "broken"):
        tokenizer = Tokenizer.from_file(str(path))
        begin_words_with_a_space(tokenizer)
    return tokenizer


def check_numbers(tokenizer: Tokenizer, n_rows: object, folder: Path) -> None:
    """Refuse a tokenizer with sub-words that the network has no embedding for.

    Args:
        tokenizer: of the model.
        n_rows: how many embeddings there are; not checked where it is no number.
        folder: of the model.
    """
    if not isinstance(n_rows, int):
        return
    highest = max(tokenizer.get_vocab().values(), default=-1)
    if highest >= n_rows:
        raise BadFile(
            f"{folder / TOKENIZER}: the tokenizer has more sub-words than the network has embeddings ({n_rows:,}), "
            f"up to number {highest:,}",
            "put the tokenizer beside the model that it was trained with",
        )


def begin_words_with_a_space(tokenizer: Tokenizer) -> None:
    """Let a byte-level tokenizer read each word as it does inside a text; not all its classes have an option."""
    first = tokenizer.pre_tokenizer
    if isinstance(first, pre_tokenizers.Sequence):
        first = first[0]
    if isinstance(first, pre_tokenizers.ByteLevel):
        first.add_prefix_space = True


def read_transitions(folder: Path) -> dict[str, FloatArray] | None:
    """Return the transition scores of a CRF by name; None for a model without one."""
    path = folder / TRANSITIONS
    if not path.is_file():
        return None
    with refuse_unusable(path, "broken"):
        return load_file(path)
