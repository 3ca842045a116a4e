"""LAMB, an optimiser for very large batches (You et al. 2020, algorithm 2).

Each tensor moves by its own norm times the learning rate: Adam's step, weight decay included, is multiplied by the norm
of the tensor over the norm of the step. As in the authors' code, tensors of one dimension (biases and layer norms) are
not scaled, and neither is a tensor if its norm or the norm of its step is zero.
"""

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer

__all__ = ["Lamb"]


class Lamb(Optimizer):
    """LAMB with bias correction and without gradient clipping of its own."""

    def __init__(
        self,
        parameters: Iterable[Any],  # tensors, or groups of them
        lr: float,
        *,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-6,
        weight_decay: float = 0.01,
    ) -> None:
        super().__init__(parameters, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        """Update every tensor that has a gradient."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    self._update(parameter, parameter.grad, group)
        return loss

    def _update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        state = self.state[parameter]
        if not state:
            state["step"] = torch.tensor(0.0)
            state["exp_avg"] = torch.zeros_like(parameter)
            state["exp_avg_sq"] = torch.zeros_like(parameter)
        state["step"] += 1
        first, second = group["betas"]
        n_steps, mean, square = float(state["step"]), state["exp_avg"], state["exp_avg_sq"]
        mean.lerp_(gradient, 1 - first)
        square.mul_(second).addcmul_(gradient, gradient, value=1 - second)
        root = (square / (1 - second**n_steps)).sqrt_().add_(group["eps"])
        change = (mean / (1 - first**n_steps)).div_(root)
        if group["weight_decay"]:
            change.add_(parameter, alpha=group["weight_decay"])
        parameter.add_(change, alpha=-group["lr"] * _compute_trust_ratio(parameter, change))


def _compute_trust_ratio(parameter: Tensor, change: Tensor) -> float:
    """Return the factor on the learning rate of a tensor."""
    if parameter.dim() <= 1:
        return 1.0
    norm, norm_of_change = float(parameter.norm()), float(change.norm())
    return norm / norm_of_change if norm > 0 and norm_of_change > 0 else 1.0
