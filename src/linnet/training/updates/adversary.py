"""Moves the word embeddings to where the loss is higher, so that an update learns from the worse case, too.

The fast gradient method: after the backward pass, the embeddings are moved along their own gradient by a set length,
a second pass adds the gradient of that place, and the embeddings come back to the last bit. An update then costs twice
as much. Source: Miyato et al., 2017, for embeddings of text; ours moves the table, as is common with BERT, and not each
word of a sentence by itself.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn

from linnet.errors import BadSetting

__all__ = ["Adversary"]


class Adversary:
    """The table of word embeddings of a network, and how far it is moved.

    Args:
        model: has the encoder somewhere in it.
        length: of the step (2-norm), as seen over the whole table.

    Raises:
        BadSetting: if the table is not trained, so that it has no gradient.
    """

    def __init__(self, model: nn.Module, length: float) -> None:
        self.table = _find_table(model)
        self.length = length
        if not self.table.requires_grad:
            raise BadSetting(
                "optimiser.adversarial moves the word embeddings, which are not trained here",
                "leave out optimiser.adversarial, or freeze_layers and lora",
            )

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Let the network have the moved table until the context is left."""
        here = self.table.detach().clone()
        gradient = self.table.grad
        norm = torch.zeros(()) if gradient is None else gradient.norm()
        if gradient is not None and bool(torch.isfinite(norm)) and norm > 0:
            self.table.data.add_(gradient, alpha=self.length / float(norm))
        try:
            yield
        finally:
            self.table.data.copy_(here)


def _find_table(model: nn.Module) -> nn.Parameter:
    """Return the weights of the first input embeddings."""
    for module in model.modules():
        found: Any = getattr(module, "get_input_embeddings", None)
        if found is not None:
            weight: nn.Parameter = found().weight
            return weight
    raise BadSetting("optimiser.adversarial needs a network with word embeddings", "leave it out")
