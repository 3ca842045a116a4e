"""Chooses how attention is computed where a network learns in mixed bfloat16 on a CPU.

Torch's fused attention (`sdpa`) is slow backwards in bfloat16 on CPUs, at every length of text that was measured (20 to
512 sub-words). Plain products (`eager`) compute the same, so an update takes a quarter less time; in float32 both are
equally fast, and the fused one needs less memory.
"""

from torch import nn
from transformers import PreTrainedModel

__all__ = ["use_plain_attention"]

FUSED, PLAIN = "sdpa", "eager"


def use_plain_attention(model: nn.Module) -> None:
    """Let the networks of a model compute attention by plain products where they use torch's fused one."""
    for network in model.modules():
        if isinstance(network, PreTrainedModel) and network.config._attn_implementation == FUSED:
            network.set_attn_implementation(PLAIN)
