"""Which heads turn the encoder's output into tags, and how is one opened again that transformers does not know?

The linear head is that of every token-classification network. The two-layer head has a hidden layer of the encoder's
width with ReLU before it (the one of GERBERA, Yin et al., 2024); a model with it opens with Linnet only.
"""

from pathlib import Path
from typing import Any

from safetensors import safe_open
from torch import Tensor, nn
from transformers import PretrainedConfig

__all__ = ["HIDDEN_LAYER", "is_tagger", "open_two_layer_head", "saved_head", "two_layer_head"]

PREFIX = "classifier."
HIDDEN_LAYER = f"{PREFIX}0.weight"  # what tells a file with a two-layer head from others


def is_tagger(config: PretrainedConfig) -> bool:
    """Does a network of this configuration come with a head that has learned to tag words?"""
    return any(str(name).endswith("ForTokenClassification") for name in config.architectures or ())


def two_layer_head(hidden: nn.Linear, last: nn.Linear) -> nn.Sequential:
    """Return the head of a hidden layer and a last one."""
    return nn.Sequential(hidden, nn.ReLU(), last)


def open_two_layer_head(network: Any, folder: Path) -> None:  # Any: every family has its own class
    """Put the two-layer head that was saved in the folder into the network's place for it."""
    plain: nn.Linear = network.classifier
    hidden = nn.Linear(plain.in_features, plain.in_features)
    head = two_layer_head(hidden, nn.Linear(plain.in_features, plain.out_features))
    head.load_state_dict(saved_head(folder))
    network.classifier = head


def saved_head(folder: Path) -> dict[str, Tensor]:
    """Return the weights of the head that a model folder holds, of whatever kind."""
    found: dict[str, Tensor] = {}
    for path in sorted(folder.glob("model*.safetensors")):
        with safe_open(path, framework="pt") as file:
            names = [name for name in file.keys() if name.startswith(PREFIX)]  # noqa: SIM118 — not a mapping
            found |= {name.removeprefix(PREFIX): file.get_tensor(name) for name in names}
    return found
