"""Checks that a tokenizer can be used with its encoder: fast, with sub-words, and each with an embedding."""

from typing import Any

from transformers import PretrainedConfig

from linnet.errors import BadFile, BadSetting

__all__ = ["check_tokenizer"]

ITS_OWN = "put the tokenizer beside the encoder that it was pretrained with (tokenizer.json)"


def check_tokenizer(tokenizer: Any, config: PretrainedConfig, *, name: str, place: str) -> None:
    """Refuse a tokenizer that the encoder cannot be used with.

    Args:
        tokenizer: as transformers has opened it; its class differs by family.
        config: of the encoder.
        name: of the encoder, as the user wrote it.
        place: its hub name or folder.
    """
    if not getattr(tokenizer, "is_fast", False):
        raise BadSetting(
            f"encoder {name!r} has no fast tokenizer ({type(tokenizer).__name__})",
            "Linnet needs word positions, which slow tokenizers do not give; "
            "convert it once with `AutoTokenizer.from_pretrained(..., use_fast=True).save_pretrained(FOLDER)`",
        )
    numbers = tokenizer.get_vocab()
    if not numbers.keys() - set(tokenizer.all_special_tokens):
        raise BadFile(f"{place}: the tokenizer has no sub-words, only special ones: all text would be unknown", ITS_OWN)
    highest, n_rows = max(numbers.values()), getattr(config, "vocab_size", None)
    if isinstance(n_rows, int) and highest >= n_rows:
        raise BadFile(
            f"{place}: the tokenizer has sub-words up to number {highest:,}, but the encoder has embeddings for "
            f"{n_rows:,} only",
            ITS_OWN,
        )
