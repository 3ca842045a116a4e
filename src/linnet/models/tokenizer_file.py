"""Reads the tokenizer and the CRF transitions of a model folder. Needs no torch."""

from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file
from tokenizers import Tokenizer, pre_tokenizers

from linnet.errors import BadFile

__all__ = ["TOKENIZER", "TRANSITIONS", "begin_words_with_a_space", "open_tokenizer", "read_transitions"]

TOKENIZER = "tokenizer.json"
TRANSITIONS = "crf.safetensors"
FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


def open_tokenizer(folder: Path) -> Tokenizer:
    """Return the tokenizer that was saved with a model."""
    path = folder / TOKENIZER
    if not path.is_file():
        raise BadFile(f"{path}: there is no such file", "save the model with its fast tokenizer")
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing narrower
        raise BadFile(f"{path}: broken ({error})", "train or copy the model again") from None
    begin_words_with_a_space(tokenizer)
    return tokenizer


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
    try:
        return load_file(path)
    except (SafetensorError, OSError) as error:
        raise BadFile(f"{path}: broken ({error})", "train or copy the model again") from None
