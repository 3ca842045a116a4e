"""Trains only the word embeddings of sub-words that occur in the training examples.

The other rows of the table never get a gradient. A small encoder has as many weights in its table as in its layers, and
clearing, measuring and updating rows that never change would cost a tenth of every step. So these rows are set apart
during the training and keep their pretrained values to the last bit (an optimiser that sees them would shrink them by
its weight decay, although nothing was learned about them).
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

__all__ = ["SeenEmbedding", "restore_embeddings", "train_only_seen"]

WORTH_IT = 0.8  # share of the table above which nothing is saved


class SeenEmbedding(nn.Module):
    """A table of embeddings of which only some rows are trained."""

    all_rows: Tensor
    place: Tensor

    def __init__(self, table: nn.Embedding, seen: Tensor) -> None:
        super().__init__()
        self.weight = nn.Parameter(table.weight.detach()[seen].clone())
        # not persistent: they follow from the encoder and the examples, so checkpoints do not need them
        self.register_buffer("all_rows", table.weight.detach(), persistent=False)
        place = torch.full((table.num_embeddings,), -1)
        place[seen] = torch.arange(len(seen))
        self.register_buffer("place", place, persistent=False)
        self.padding_idx = table.padding_idx
        self.padding_place = None if table.padding_idx is None else int(place[table.padding_idx])

    def forward(self, ids: Tensor) -> Tensor:
        """Return the row of each sub-word; only in evaluation may there be sub-words that were not trained."""
        places = self.place[ids]
        if self.training:
            return functional.embedding(places, self.weight, self.padding_place)
        trained = functional.embedding(places.clamp_min(0), self.weight)
        return torch.where((places >= 0).unsqueeze(-1), trained, functional.embedding(ids, self.all_rows))

    def whole(self) -> nn.Embedding:
        """Return the table with all rows."""
        rows = self.all_rows.clone()
        rows[self.place >= 0] = self.weight.detach()
        return nn.Embedding(len(rows), rows.shape[1], padding_idx=self.padding_idx, _weight=rows)


def train_only_seen(network: Any, ids: Iterable[int]) -> None:  # Any: a transformers model, or peft's wrapper
    """Let the network train only the embeddings of these sub-words, where its table is trained at all.

    Args:
        network: is changed.
        ids: all sub-words that a batch may hold, that of padding included.
    """
    table = network.get_input_embeddings()
    if type(table) is not nn.Embedding or not table.weight.requires_grad:
        return
    wanted = {*ids} if table.padding_idx is None else {*ids, table.padding_idx}
    if len(wanted) < WORTH_IT * table.num_embeddings:
        network.set_input_embeddings(SeenEmbedding(table, torch.tensor(sorted(wanted))))


def restore_embeddings(network: Any) -> None:
    """Give the network its full table of embeddings again, with the trained rows in it."""
    table = network.get_input_embeddings()
    if isinstance(table, SeenEmbedding):
        network.set_input_embeddings(table.whole())
