"""Computes a large batch in parts, so that the memory of a training does not follow its longest sentences.

What a network keeps of a batch until its gradient is known grows with the sub-words in it. Batches are sorted by
length, so a few hold only long sentences: with an encoder of 109 million weights these need several times the memory of
the others, and the process does not give it back. Parts of a batch add up to the same gradient, but for rounding.

Several processes must make the same number of passes, and a GPU has memory of its own: there batches stay whole.
"""

from collections.abc import Mapping
from typing import Any

from torch import Tensor, nn

__all__ = ["in_parts", "part_size"]

LARGE_ENCODER = 50_000_000  # weights; smaller encoders need less for a whole batch than their process needs anyway
PART = 1024  # sub-words of a part; a CPU is no slower with so many
TAGGED = {"input_ids", "attention_mask", "labels", "corpus"}  # of a batch of windows, whose rows can be divided


def part_size(network: nn.Module, setting: int | None) -> int | None:
    """Return how many sub-words are computed at once: as the setting says, or by the encoder's size; None for all."""
    if setting is not None:
        return setting
    return PART if sum(each.numel() for each in network.parameters()) > LARGE_ENCODER else None


def in_parts(inputs: Mapping[str, Any], most_tokens: int | None) -> list[dict[str, Any]]:
    """Return a batch as parts of at most so many padded sub-words, each at least one window.

    Args:
        inputs: of the network; rows of windows are divided, anything else stays whole.
        most_tokens: padded sub-words of a part; None leaves the batch whole.
    """
    if most_tokens is None or set(inputs) != TAGGED:
        return [dict(inputs)]
    n_rows, width = inputs["input_ids"].shape
    size = max(1, most_tokens // width)
    return [
        {key: each[start : start + size] if isinstance(each, Tensor) else each for key, each in inputs.items()}
        for start in range(0, n_rows, size)
    ]
