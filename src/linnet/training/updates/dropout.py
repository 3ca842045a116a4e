"""Fast dropout on CPUs, drawn from random bits.

PyTorch draws one random number for every value that may be dropped, one after the other; at the sizes of small
encoders that is a twentieth of a training step. Sixteen random bits for each value are enough, and four values share
one draw. The rate is exact to 1/65536, and the scale follows the rate that is used, so expectations stay as they are.
"""

import torch
from torch import Tensor, nn

__all__ = ["BitDropout", "draw_dropout_from_bits", "keep_mask"]

LEVELS = 1 << 16
LOWEST = -(1 << 15)  # of sixteen bits with a sign
VALUES_PER_DRAW = 4


class BitDropout(nn.Dropout):
    """Dropout whose masks come from random bits; off the CPU it is PyTorch's own."""

    def forward(self, input: Tensor) -> Tensor:
        """Return the values with some of them dropped while training, and the rest scaled up."""
        if not self.training or self.p == 0 or input.device.type != "cpu":
            return super().forward(input)
        return input * keep_mask(input.shape, self.p).to(input.dtype)


def keep_mask(shape: torch.Size, rate: float) -> Tensor:
    """Return a factor for each value: 0 where it is dropped, else one over the share of those that stay."""
    n_dropped = min(round(rate * LEVELS), LEVELS - 1)
    n_values = shape.numel()
    draws = torch.empty(-(-n_values // VALUES_PER_DRAW), dtype=torch.int64).random_(-(1 << 63), None)
    levels = draws.view(torch.int16)[:n_values].float()
    # the n_dropped lowest levels become 0 or less, all others 1 or more
    return levels.add_(1 - LOWEST - n_dropped).clamp_(0, 1).mul_(LEVELS / (LEVELS - n_dropped)).view(shape)


def draw_dropout_from_bits(network: nn.Module) -> None:
    """Replace the network's own dropout by this one, wherever it stands."""
    for module in network.modules():
        for name, child in module.named_children():
            if type(child) is nn.Dropout:
                setattr(module, name, BitDropout(child.p))
