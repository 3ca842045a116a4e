"""Multi-task network: one encoder with several heads, one for each label set, routed by name.

The heads stand where a token-classification network has its classifier, so that every family works as it is. A batch
belongs to one corpus and goes through that corpus's head alone; a single head is the ordinary case. What a CRF learns
about neighbouring tags, its field, belongs to a head and is kept with it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from linnet.errors import BadFile
from linnet.models.encoders import Encoder
from linnet.models.families import TAG_HEAD
from linnet.models.heads import is_tagger, saved_head, two_layer_head
from linnet.models.named_heads import Heads, heads_of
from linnet.storage.json_keys import load_json

__all__ = [
    "build_heads",
    "kept_heads",
    "take_kept_heads",
    "untaken_heads",
    "with_one_head",
    "write_heads",
]

WEIGHTS = "heads.safetensors"
FIELD = "crf."  # what the names of a field's tensors begin with
NO_FIELDS: Mapping[str, nn.Module] = {}


def build_heads(
    network: Any, sizes: Mapping[str, int], *, target: str, kind: str = "linear", is_learned: bool = True
) -> None:
    """Put heads of these sizes into the network, the target's with the classifier's own weights if they are its kind.

    Args:
        network: a token-classification network, whose classifier was made for the target.
        sizes: number of tags by name of the head.
        target: the head that is evaluated and kept.
        kind: `linear`, or `two-layer`: a hidden layer of the encoder's width with ReLU before it.
        is_learned: may the classifier's weights be used? Not where it learned other tags.
    """
    plain = getattr(network, TAG_HEAD)
    width = plain.in_features
    heads: dict[str, nn.Module] = {}
    # what a linear head has learned is of no use behind a new hidden layer
    is_usable = is_learned and not (kind == "two-layer" and is_tagger(network.config))
    for name, size in sizes.items():
        last = plain if name == target and is_usable else _fresh(width, size, network)
        heads[name] = two_layer_head(_fresh(width, width, network), last) if kind == "two-layer" else last
    if kind == "two-layer" and is_learned:  # transformers has left it in the file
        _take(heads[target], saved_head(Path(network.name_or_path)))
    setattr(network, TAG_HEAD, Heads(heads, target))


def with_one_head(network: Any) -> dict[str, nn.Module]:
    """Make the network an ordinary one with the target's head, and return all heads by name."""
    heads = heads_of(network)
    setattr(network, TAG_HEAD, heads[heads.target])
    return {name: heads[name] for name in heads.names}


def write_heads(
    folder: Path,
    heads: Mapping[str, nn.Module],
    tags: Mapping[str, Sequence[str]],
    fields: Mapping[str, nn.Module] = NO_FIELDS,
) -> None:
    """Keep heads beside a model, so that a later training can begin with them.

    Args:
        folder: of the model.
        heads: by name.
        tags: of each head, by name.
        fields: of those heads that a CRF has learned with, by name.
    """
    tensors = {
        f"{number}.{key}": tensor.detach().cpu().clone()  # the target's stands in the model, too
        for number, (name, head) in enumerate(heads.items())
        for key, tensor in {**head.state_dict(), **_field_state(fields.get(name))}.items()
    }
    try:
        save_file(tensors, folder / WEIGHTS, metadata={"heads": json.dumps({name: list(tags[name]) for name in heads})})
    except (OSError, SafetensorError) as error:
        raise BadFile(
            f"{folder / WEIGHTS}: cannot be written ({error})", "check the space left, then go on with `--resume`"
        ) from None


def kept_heads(source: str) -> dict[str, list[str]]:
    """Return the tags of the heads that were kept beside a model, by name; an encoder that is no folder has none."""
    return {name: tags for name, (tags, _) in _read_kept_heads(source).items()}


def take_kept_heads(
    network: Any, source: str, tags: Mapping[str, Sequence[str]], fields: Mapping[str, nn.Module] = NO_FIELDS
) -> list[str]:
    """Give heads the weights of kept ones of the same name, tags and kind; return which.

    Args:
        network: with its heads.
        source: folder of the encoder.
        tags: of each head, by name.
        fields: of those heads that learn with a CRF, by name; one that was kept goes with its head.
    """
    kept = kept_heads(source)
    if not kept:
        return []
    tensors = load_file(Path(source) / WEIGHTS)
    heads, taken = heads_of(network), []
    for number, (name, names) in enumerate(kept.items()):
        if name in heads.names and list(tags[name]) == names:
            own = _below(f"{number}.", tensors)
            field = _below(FIELD, own)
            is_taken = _take(heads[name], {key: each for key, each in own.items() if not key.startswith(FIELD)})
            if is_taken and field and name in fields:
                _take(fields[name], field)
            taken += [name] * is_taken
    return taken


def untaken_heads(encoder: Encoder, tags: Mapping[str, Sequence[str]], kind: str) -> Iterator[str]:
    """Yield, for each kept head that `take_kept_heads` leaves out, a sentence that says why.

    Args:
        encoder: beside which heads may have been kept.
        tags: of each head of the training, by name.
        kind: of all of these heads.
    """
    for name, (names, kept_kind) in _read_kept_heads(encoder.source).items():
        if name not in tags:
            yield (
                f"the head {name!r} of {encoder.name} was not used: the heads of this training are {', '.join(tags)}; "
                f"a corpus has it by `head = {json.dumps(name)}`, or by that name (`--data {name}=FOLDER`)"
            )
        elif list(tags[name]) != names:
            yield f"the head {name!r} began anew: that of {encoder.name} has other tags"
        elif kept_kind != kind:
            yield f"the head {name!r} began anew: that of {encoder.name} is {kept_kind}, not {kind}"


def _read_kept_heads(source: str) -> dict[str, tuple[list[str], str]]:
    """Return tags and kind of the kept heads, by name."""
    path = Path(source) / WEIGHTS
    if not path.is_file():
        return {}
    try:
        with safe_open(path, framework="pt") as file:
            tags: dict[str, list[str]] = load_json(file.metadata()["heads"])
            keys = set(file.keys())
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise BadFile(f"{path}: holds no heads ({error})", "remove it; the heads then begin anew") from None
    kinds = ["linear" if f"{number}.weight" in keys else "two-layer" for number in range(len(tags))]
    return {name: (tags[name], kind) for name, kind in zip(tags, kinds, strict=True)}


def _field_state(field: nn.Module | None) -> dict[str, Tensor]:
    return {f"{FIELD}{key}": tensor for key, tensor in field.state_dict().items()} if field is not None else {}


def _below(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the tensors whose names begin so, without the beginning."""
    return {key.removeprefix(prefix): each for key, each in tensors.items() if key.startswith(prefix)}


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
