"""Checks the window of a model and its overlap, in sub-words, against what its encoder can read."""

from collections.abc import Mapping
from pathlib import Path

from linnet.errors import BadFile
from linnet.models.families import encoder_type, usable_positions

__all__ = ["check_capacity", "check_window"]


def check_window(max_length: int, overlap: int | None, config: Mapping[str, object], place: Path) -> None:
    """Refuse a window that is longer than what the encoder can read, and an overlap of more than half of it.

    Args:
        max_length: sub-words in a window.
        overlap: sub-words that two windows share.
        config: what `config.json` says.
        place: the file that says the window.
    """
    most = usable_positions(
        encoder_type(config), positions=config.get("max_position_embeddings"), padding=config.get("pad_token_id")
    )
    if most is not None and max_length > most:
        raise BadFile(
            f"{place}: 'max_length' is {max_length:,}, but the encoder reads at most {most:,} sub-words (config.json)",
            f"set it to {most:,} or less, as it was when the model was trained",
        )
    if overlap is not None and overlap > max_length // 2:
        raise BadFile(
            f"{place}: 'overlap' is {overlap:g}, which is more than half of 'max_length' ({max_length:,})",
            "set it as it was when the model was trained",
        )


def check_capacity(max_length: int, n_special: int, place: Path, *, least: int = 1) -> None:
    """Refuse a window in which no text fits beside the special tokens.

    Args:
        max_length: sub-words in a window.
        n_special: how many of them are special tokens.
        place: the file that says the window.
        least: how many others have to fit.
    """
    if max_length - n_special < least:
        raise BadFile(
            f"{place}: 'max_length' is {max_length}, but the tokenizer adds {n_special} special tokens to each window",
            "set it as it was when the model was trained",
        )
