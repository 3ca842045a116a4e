"""The traced tagger gives the logits of its network."""

from types import SimpleNamespace

import torch
from torch import Tensor, nn

from linnet.tasks.ner.traced import TagScores


class Network(nn.Module):
    """A network with an output like that of transformers."""

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> SimpleNamespace:
        return SimpleNamespace(logits=(input_ids * attention_mask).unsqueeze(-1))


def test_scores_are_the_logits_alone() -> None:
    ids, mask = torch.tensor([[5, 6]]), torch.tensor([[1, 0]])

    assert TagScores(Network())(ids, mask).tolist() == [[[5], [0]]]
