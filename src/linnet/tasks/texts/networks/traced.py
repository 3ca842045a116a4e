"""The network of a model about texts as a function of tensors, which torch can trace."""

from torch import Tensor, nn

from linnet.tasks.texts.networks.network import TextNetwork

__all__ = ["TextScores"]


class TextScores(nn.Module):
    """The scores of windows from ids, mask, types of tokens and marks."""

    def __init__(self, network: TextNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor, marks: Tensor) -> Tensor:
        """Return what is predicted for each window, (windows, ...)."""
        return self.network.read(input_ids, attention_mask, token_type_ids, marks)
