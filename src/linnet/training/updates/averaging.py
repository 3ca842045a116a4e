"""Running average of a network's weights (EMA): steadier than the weights after the last update.

After each update the average moves a little towards the weights. It is what devel is scored with, and what is kept;
training itself goes on with the weights. In the first updates it moves faster, so that it forgets where it began.
Source: Polyak and Juditsky, 1992, for averages; the growing decay is that of TensorFlow's ExponentialMovingAverage.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from linnet.errors import BadFile

__all__ = ["RunningAverage"]


class RunningAverage:
    """The average of all parameters that are trained.

    Args:
        model: whose parameters they are.
        decay: how much of the average stays at each update, once it has found its pace.
    """

    def __init__(self, model: nn.Module, decay: float) -> None:
        self.decay = decay
        self.parameters = {name: each for name, each in model.named_parameters() if each.requires_grad}
        self.averages = {name: each.detach().clone() for name, each in self.parameters.items()}

    def update(self, step: int) -> None:
        """Move the average towards the weights after this update, counted from 1."""
        decay = min(self.decay, (1 + step) / (10 + step))
        weights = [each.detach() for each in self.parameters.values()]
        torch._foreach_lerp_(list(self.averages.values()), weights, 1 - decay)

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Let the network have the average until the context is left."""
        self._swap()
        try:
            yield
        finally:
            self._swap()

    def tensors(self) -> Mapping[str, Tensor]:
        """Return what a checkpoint must hold."""
        return self.averages

    def read(self, kept: Mapping[str, Tensor]) -> None:
        """Take the average of a checkpoint."""
        if kept.keys() != self.averages.keys():
            raise BadFile("the checkpoint holds another network's average", "remove the checkpoints and start again")
        for name, average in self.averages.items():
            average.copy_(kept[name])

    def _swap(self) -> None:
        for name, parameter in self.parameters.items():
            parameter.data, self.averages[name] = self.averages[name], parameter.data
