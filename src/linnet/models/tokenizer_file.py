"""What of a model folder is read without its network: the tokenizer, and what a CRF learned? Needs no torch."""

from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from linnet.errors import BadFile

__all__ = ["TOKENIZER", "TRANSITIONS", "open_tokenizer", "read_transitions"]

TOKENIZER = "tokenizer.json"
TRANSITIONS = "crf.safetensors"
FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


def open_tokenizer(folder: Path) -> Tokenizer:
    """Return the tokenizer that was saved with a model."""
    path = folder / TOKENIZER
    if not path.is_file():
        raise BadFile(f"{path}: there is no such file", "save the model with its fast tokenizer")
    try:
        return Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing narrower
        raise BadFile(f"{path}: broken ({error})", "train or copy the model again") from None


def read_transitions(folder: Path) -> dict[str, FloatArray] | None:
    """Return what a CRF learned about neighbouring tags, where the model has one."""
    path = folder / TRANSITIONS
    if not path.is_file():
        return None
    try:
        return load_file(path)
    except (SafetensorError, OSError) as error:
        raise BadFile(f"{path}: broken ({error})", "train or copy the model again") from None
