"""Loss on devel, computed from the same scores as the devel predictions.

It is the loss of the training, class weights included, without dropout. Nothing random is drawn.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from linnet.training.network import NetworkWithLosses

__all__ = ["Batch", "loss_of_batches"]

FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


class Batch(NamedTuple):
    """Scores of the network and gold targets, in the shapes that the loss takes."""

    logits: Tensor
    targets: Tensor


def loss_of_batches(model: NetworkWithLosses, batches: Iterable[Batch]) -> float | None:
    """Return the mean loss over all batches, each weighted by its mass; None where the total mass is zero.

    Args:
        model: the network with its losses; the loss of the target is used.
        batches: of the target's examples.
    """
    device = next(model.parameters()).device
    cost, total = 0.0, 0.0
    with torch.no_grad():
        for batch in batches:
            logits, targets = batch.logits.to(device), batch.targets.to(device)
            mass = float(model.mass(targets))
            if mass > 0:
                cost += mass * float(model.loss(logits, targets))
                total += mass
    return cost / total if total else None
