"""The network of a tagger as a function of tensors, which torch can trace."""

from typing import Any

from torch import Tensor, nn

__all__ = ["TagScores"]


class TagScores(nn.Module):
    """The scores of tags from ids and mask."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Return the scores (windows, tokens, tags)."""
        output: Any = self.network(input_ids=input_ids, attention_mask=attention_mask)
        scores: Tensor = output.logits
        return scores
