"""Splits a large batch into parts (gradient accumulation), so that long sentences do not need more memory.

The activations that are stored for the gradient grow with the sub-words of a batch. Batches are sorted by length, so a
few hold only long sentences: with an encoder of 109 million weights these need several times the memory of the others,
and the process does not give it back. The gradients of the parts add up to that of the batch, but for rounding.

Several processes must make the same number of passes, and a GPU has its own memory: there batches stay whole.
"""

from collections.abc import Mapping
from typing import Any

from torch import Tensor, nn

__all__ = ["in_parts", "part_size"]

LARGE_ENCODER = 50_000_000  # weights; smaller encoders need less for a whole batch than their process needs in any case
PART = 1024  # sub-words of a part; a CPU is no slower with so many
TAGGED = {"input_ids", "attention_mask", "labels", "corpus"}  # keys of a batch of windows, whose rows can be split


def part_size(network: nn.Module, setting: int | None) -> int | None:
    """Return how many sub-words are computed at once: by the setting, or by the encoder's size; None for all."""
    if setting is not None:
        return setting
    return PART if sum(each.numel() for each in network.parameters()) > LARGE_ENCODER else None


def in_parts(inputs: Mapping[str, Any], most_tokens: int | None) -> list[dict[str, Any]]:
    """Return a batch as parts of at most `most_tokens` padded sub-words, at least one window each.

    Args:
        inputs: of the network; a batch of windows is split by rows, any other stays whole.
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
