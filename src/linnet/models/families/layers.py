"""Keeps some of the layers of an encoder: a shallow copy of it, to distil into."""

from collections.abc import Sequence
from typing import Any

from torch import nn
from transformers import PretrainedConfig

from linnet.errors import BadSetting
from linnet.models.families.lookup import family_of_config

__all__ = ["check_kept_layers", "keep_layers"]

SHARED, ALTERNATING = "num_hidden_groups", "layer_types"  # settings of families whose layers depend on their places


def check_kept_layers(config: PretrainedConfig, numbers: Sequence[int], *, encoder: str) -> None:
    """Refuse numbers of layers that the encoder does not have, or layers that cannot be taken out."""
    n_layers = getattr(config, "num_hidden_layers", 0)
    if not numbers:
        return
    if hasattr(config, SHARED) or hasattr(config, ALTERNATING):
        raise BadSetting(
            f"keep_layers: the layers of the encoder {encoder!r} ({config.model_type}) share weights or alternate, so "
            "none can be left out",
            "leave `keep_layers` out, or choose an encoder of another family",
        )
    if list(numbers) != sorted(set(numbers)) or not 1 <= numbers[0] <= numbers[-1] <= n_layers:
        raise BadSetting(
            f"keep_layers is {list(numbers)}, the encoder {encoder!r} has the layers 1 to {n_layers}",
            f"give numbers from 1 to {n_layers} in ascending order, each once",
        )


def keep_layers(network: Any, numbers: Sequence[int]) -> None:  # Any: every family has its own class
    """Take all other layers out of a network; nothing changes where no number is given.

    Args:
        network: of `transformers`; its configuration counts the layers that are left.
        numbers: of the layers that stay, from 1, checked.
    """
    if not numbers:
        return
    n_layers = network.config.num_hidden_layers
    names = family_of_config(network.config).layers
    for name, layers in network.base_model.named_modules():
        if name.rpartition(".")[2] in names and isinstance(layers, nn.ModuleList) and len(layers) == n_layers:
            parent = network.base_model.get_submodule(name.rpartition(".")[0])
            setattr(parent, name.rpartition(".")[2], nn.ModuleList(layers[number - 1] for number in numbers))
            break
    else:
        raise BadSetting(
            f"keep_layers: where {type(network).__name__} has its layers is not known",
            "leave `keep_layers` out, or choose an encoder of another family",
        )
    network.config.num_hidden_layers = len(numbers)
