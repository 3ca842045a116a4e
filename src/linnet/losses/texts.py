"""Losses of multi-label classification, regression and answer spans.

In multi-label classification each label is a binary question, for which all losses for tags can be used. Regression
uses the squared error. An answer span uses the cross-entropy of its first and its last token among those of the window.
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
    """Return the names of the two answers to whether a text has the label, as class weights use them.

    >>> name_answers("apoptosis")
    ('not apoptosis', 'apoptosis')
    """
    return f"{NOT}{label}", label


class MultiLabelLoss(nn.Module):
    """The mean over labels of the loss of each binary answer."""

    def __init__(self, losses: Mapping[str, Loss], labels: Sequence[str]) -> None:
        super().__init__()
        self.losses = [losses[label] for label in labels]
        self.parts = nn.ModuleList([loss for loss in self.losses if isinstance(loss, nn.Module)])

    def forward(self, logits: Tensor, targets: Tensor) -> Tensor:
        """Return the loss of logits (texts, labels, answers) for targets (texts, labels), 1 if a text has the label."""
        parts = [
            loss(logits[:, number].unsqueeze(0), targets[:, number].unsqueeze(0))
            for number, loss in enumerate(self.losses)
        ]
        return torch.stack(parts).mean()


class RegressionLoss(nn.Module):
    """The mean squared error."""

    def forward(self, logits: Tensor, targets: Tensor) -> Tensor:
        """Return the loss of numbers (texts, 1, 1) for targets (texts, 1)."""
        return functional.mse_loss(logits.squeeze(-1), targets)


class SpanLoss(nn.Module):
    """The mean cross-entropy of the first and the last token of an answer span."""

    def forward(self, logits: Tensor, targets: Tensor) -> Tensor:
        """Return the loss of logits (windows, 2, tokens) for targets (windows, 2), -100 for ignored targets."""
        total = functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=IGNORED, reduction="sum")
        n_targets = (targets != IGNORED).sum()
        return total / n_targets.clamp_min(1)
