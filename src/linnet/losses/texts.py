"""What do wrong answers about whole texts cost?

Of several labels each is a question of its own, to be answered with yes or no; all losses for tags serve for it. A
number costs the square of its error. A stretch of text costs what its first and its last place cost, which are chosen
among the places of the window.
"""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from linnet.contracts import Loss
from linnet.losses.cost_sensitive import IGNORED

__all__ = ["MultiLabelLoss", "RegressionLoss", "SpanLoss", "name_answers"]

NOT = "not "


def name_answers(label: str) -> tuple[str, str]:
    """Return the two answers to whether a text has the label, as weights name them.

    >>> name_answers("apoptosis")
    ('not apoptosis', 'apoptosis')
    """
    return f"{NOT}{label}", label


class MultiLabelLoss(nn.Module):
    """The mean over labels of what their answers cost."""

    def __init__(self, losses: Mapping[str, Loss], labels: Sequence[str]) -> None:
        super().__init__()
        self.losses = [losses[label] for label in labels]
        self.parts = nn.ModuleList([each for each in self.losses if isinstance(each, nn.Module)])

    def forward(self, logits: Tensor, targets: Tensor) -> Tensor:
        """Return the cost of logits (texts, labels, answers) for targets (texts, labels), 1 where a label is right."""
        costs = [
            loss(logits[:, number].unsqueeze(0), targets[:, number].unsqueeze(0))
            for number, loss in enumerate(self.losses)
        ]
        return torch.stack(costs).mean()


class RegressionLoss(nn.Module):
    """The mean square of the error."""

    def forward(self, logits: Tensor, targets: Tensor) -> Tensor:
        """Return the cost of numbers (texts, 1, 1) for targets (texts, 1)."""
        return functional.mse_loss(logits.squeeze(-1), targets)


class SpanLoss(nn.Module):
    """The cross-entropy of a stretch's first and last place."""

    def forward(self, logits: Tensor, targets: Tensor) -> Tensor:
        """Return the cost of logits (windows, 2, tokens) for targets (windows, 2), -100 where nothing is learned."""
        cost = functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=IGNORED, reduction="sum")
        n_targets = (targets != IGNORED).sum()
        return cost / n_targets.clamp_min(1)
