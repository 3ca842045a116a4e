"""Computes a batch without padding (packed).

The sub-words of all windows form one row, and each window counts its positions from the start. Only attention looks at
more than one sub-word: it is computed for each run of windows of the same length, so that nothing has to be masked.
Batches that are sorted by length still have some padding (7 % on ncbi-disease), and a CPU takes as long for it as for
words.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention
from transformers import AttentionInterface

from linnet.batches.encoding import EncodedWindow, IntArray
from linnet.models.families import family_of_config

__all__ = ["pack", "packed_scores"]

ATTENTION = "linnet_packed"


def pack(network: Any) -> bool:  # Any: every family has its own class
    """Let a network compute packed batches; return False, and change nothing, where its family cannot."""
    if not family_of_config(network.config).can_unpad:
        return False
    network.set_attn_implementation(ATTENTION)
    return True


def packed_scores(network: Any, windows: Sequence[EncodedWindow]) -> list[Tensor]:
    """Return the scores (sub-words, tags) of each window."""
    lengths = [len(window.ids) for window in windows]
    ids = np.concatenate([window.ids for window in windows])
    positions = np.concatenate([_positions(np.asarray(window.ids), network.config) for window in windows])
    output = network(
        input_ids=torch.from_numpy(ids)[None],
        position_ids=torch.from_numpy(positions)[None],
        token_type_ids=torch.zeros((1, len(ids)), dtype=torch.long),
        stretches=[(length, len(list(same))) for length, same in groupby(lengths)],
    )
    found: tuple[Tensor, ...] = output.logits[0].split(lengths)
    return list(found)


def _positions(ids: IntArray, config: Any) -> IntArray:
    """Return the positions of a window's sub-words, as the network itself counts them."""
    if not family_of_config(config).counts_from_padding:
        return np.arange(len(ids))
    is_word = ids != config.pad_token_id  # a text may hold the word `<pad>`
    positions: IntArray = np.cumsum(is_word) * is_word + config.pad_token_id
    return positions


def _attend(
    _module: object,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    _mask: Tensor | None,
    *,
    stretches: Sequence[tuple[int, int]],
    scaling: float | None = None,
    **_: object,
) -> tuple[Tensor, None]:
    """Return what each sub-word gathers from its own window; all are (1, heads, sub-words, width)."""
    found = []
    start = 0
    for length, number in stretches:
        end = start + length * number
        own_query, own_key, own_value = (
            each[0, :, start:end].reshape(-1, number, length, each.shape[3]).transpose(0, 1)
            for each in (query, key, value)
        )
        gathered = scaled_dot_product_attention(own_query, own_key, own_value, scale=scaling)
        found.append(gathered.transpose(1, 2).flatten(0, 1))
        start = end
    return torch.cat(found)[None], None


AttentionInterface.register(ATTENTION, _attend)
