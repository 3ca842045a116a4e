"""How does one encoder learn several sets of labels? One head for each, routed by name.

The heads stand where a token-classification network has its classifier, so that every family works as it is. A batch
belongs to one corpus and goes through that corpus's head alone; a single head is the ordinary case.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from linnet.errors import BadFile, BadSetting
from linnet.models.heads import saved_head, two_layer_head

__all__ = [
    "Heads",
    "build_heads",
    "heads_of",
    "kept_heads",
    "take_kept_heads",
    "use_head",
    "with_one_head",
    "write_heads",
]

WEIGHTS = "heads.safetensors"


class Heads(nn.Module):
    """Named heads, of which one is in use."""

    def __init__(self, heads: Mapping[str, nn.Module], target: str) -> None:
        super().__init__()
        # listed, because a head may have a name that a module must not have
        self.heads = nn.ModuleList(heads.values())
        self.names = tuple(heads)
        self.target = self.in_use = target

    def __getitem__(self, name: str) -> nn.Module:
        return self.heads[self.names.index(name)]

    def use(self, name: str) -> None:
        """Send what comes through this head."""
        if name not in self.names:
            raise BadSetting(f"there is no head {name!r}", f"there are {', '.join(self.names)}")
        self.in_use = name

    def forward(self, hidden: Tensor) -> Tensor:
        """Return the scores (windows, tokens, tags of the head in use); what is evaluated is the target's."""
        scores: Tensor = self[self.in_use if self.training else self.target](hidden)
        return scores


def build_heads(
    network: Any, sizes: Mapping[str, int], *, target: str, kind: str = "linear", is_learned: bool = True
) -> None:
    """Put heads of these sizes into the network, the target's with the classifier's own weights.

    Args:
        network: a token-classification network, whose classifier was made for the target.
        sizes: number of tags by name of the head.
        target: the head that is evaluated and kept.
        kind: `linear`, or `two-layer`: a hidden layer of the encoder's width with ReLU before it.
        is_learned: may the classifier's weights be used? Not where it learned other tags.
    """
    plain = network.classifier
    width = plain.in_features
    heads: dict[str, nn.Module] = {}
    for name, size in sizes.items():
        last = plain if name == target and is_learned else _fresh(width, size, network)
        heads[name] = two_layer_head(_fresh(width, width, network), last) if kind == "two-layer" else last
    if kind == "two-layer" and is_learned:  # transformers has left it in the file
        _take(heads[target], saved_head(Path(network.name_or_path)))
    network.classifier = Heads(heads, target)


def use_head(network: Any, name: str) -> None:
    """Send what comes through this head of the network; one without named heads has no choice."""
    if isinstance(getattr(network, "classifier", None), nn.Module):
        heads_of(network).use(name)


def heads_of(network: Any) -> Heads:
    """Return the heads of a network, which peft may have wrapped."""
    found = network.classifier
    if hasattr(found, "modules_to_save"):
        found = found.modules_to_save["default"]
    assert isinstance(found, Heads)
    return found


def with_one_head(network: Any) -> dict[str, nn.Module]:
    """Make the network an ordinary one with the target's head, and return all heads by name."""
    heads = heads_of(network)
    network.classifier = heads[heads.target]
    return {name: heads[name] for name in heads.names}


def write_heads(folder: Path, heads: Mapping[str, nn.Module], tags: Mapping[str, Sequence[str]]) -> None:
    """Keep heads beside a model, so that a later training can begin with them."""
    tensors = {
        f"{number}.{key}": tensor.detach().cpu().clone()  # the target's stands in the model, too
        for number, head in enumerate(heads.values())
        for key, tensor in head.state_dict().items()
    }
    try:
        save_file(tensors, folder / WEIGHTS, metadata={"heads": json.dumps({name: list(tags[name]) for name in heads})})
    except (OSError, SafetensorError) as error:
        raise BadFile(
            f"{folder / WEIGHTS}: cannot be written ({error})", "check the space left, then go on with `--resume`"
        ) from None


def kept_heads(source: str) -> dict[str, list[str]]:
    """Return the tags of the heads that were kept beside a model, by name; an encoder that is no folder has none."""
    path = Path(source) / WEIGHTS
    if not path.is_file():
        return {}
    try:
        with safe_open(path, framework="pt") as file:
            found: dict[str, list[str]] = json.loads(file.metadata()["heads"])
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise BadFile(f"{path}: holds no heads ({error})", "remove it; the heads then begin anew") from None
    return found


def take_kept_heads(network: Any, source: str, tags: Mapping[str, Sequence[str]]) -> list[str]:
    """Give heads the weights of kept ones of the same name, tags and kind; return which.

    Args:
        network: with its heads.
        source: folder of the encoder.
        tags: of each head, by name.
    """
    kept = kept_heads(source)
    if not kept:
        return []
    tensors = load_file(Path(source) / WEIGHTS)
    heads, taken = heads_of(network), []
    for number, (name, names) in enumerate(kept.items()):
        if name in heads.names and list(tags[name]) == names:
            own = {key.partition(".")[2]: each for key, each in tensors.items() if key.partition(".")[0] == str(number)}
            taken += [name] * _take(heads[name], own)
    return taken


def _take(head: nn.Module, weights: Mapping[str, Tensor]) -> bool:
    """Give the head these weights, where they are of its kind and size; return whether they were."""
    is_alike = {key: each.shape for key, each in weights.items()} == {
        key: each.shape for key, each in head.state_dict().items()
    }
    if is_alike:
        head.load_state_dict(weights)
    return is_alike


def _fresh(width: int, size: int, network: Any) -> nn.Linear:
    """Return a layer as transformers would initialise it."""
    layer = nn.Linear(width, size)
    with torch.no_grad():
        layer.weight.normal_(std=getattr(network.config, "initializer_range", 0.02))
        layer.bias.zero_()
    return layer
