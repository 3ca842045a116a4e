"""A loss of one's own: the Brier score, the squared distance of the probabilities from the truth."""

from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn import functional

from linnet.contracts import losses
from linnet.labels.label_set import LabelSet
from linnet.losses.cost_sensitive import IGNORED, TokenLoss, build_loss, weight_tensor


def brier_loss(logits: Tensor, targets: Tensor, weights: Tensor) -> Tensor:
    """Return the weighted mean over the tokens that count; zero, with a graph, where none does."""
    counts = targets != IGNORED
    logits, targets = logits[counts], targets[counts]
    truth = functional.one_hot(targets, logits.shape[-1]).to(logits.dtype)
    distances = (logits.softmax(dim=-1) - truth).square().sum(dim=-1)
    chosen = weights.to(logits.device)[targets]
    return (distances * chosen).sum() / chosen.sum().clamp_min(1e-12)


@losses.register("brier")
def brier(label_set: LabelSet, weights: Mapping[str, float] | None) -> TokenLoss:
    """Squared distance of the probabilities from the truth."""
    return TokenLoss(brier_loss, weight_tensor(weights, label_set))


if __name__ == "__main__":
    loss = build_loss("brier", LabelSet(("O", "B-Disease")), {"O": 1.0, "B-Disease": 3.0})
    logits = torch.tensor([[[2.0, 0.0], [0.0, 0.0], [0.0, 1.0]]])
    print(round(float(loss(logits, torch.tensor([[0, 1, IGNORED]]))), 4))
