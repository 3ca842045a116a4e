"""Token-classification heads: linear, and two-layer, which transformers does not know.

The linear head is that of every token-classification network. The two-layer head has a hidden layer of the encoder's
width with ReLU before it (the one of GERBERA, Yin et al., 2024). A model with it opens with Linnet only: its
`config.json` names a model type of its own, so that transformers refuses it instead of adding a random head.
"""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from safetensors import safe_open
from torch import Tensor, nn
from transformers import AutoConfig, PretrainedConfig
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from linnet.models.families import ENCODER_TYPE, PRETRAINING_HEADS, TAG_HEAD
from linnet.storage.files import new_file

__all__ = [
    "GERBERA_HEADS",
    "HEAD_PREFIX",
    "HIDDEN_LAYER",
    "TWO_LAYER_CLASS",
    "has_two_layers",
    "is_tagger",
    "mark_two_layer",
    "merge_gerbera_heads",
    "open_config",
    "open_two_layer_head",
    "read_model_type",
    "saved_head",
    "two_layer_head",
    "unused_heads",
]

HEAD_PREFIX = f"{TAG_HEAD}."  # of the names of its weights
HIDDEN_LAYER = f"{HEAD_PREFIX}0.weight"  # what tells a file with a two-layer head from others
TWO_LAYER_TYPE = "linnet-two-layer-tagger"  # `model_type` of a folder with such a head
TWO_LAYER_CLASS = "LinnetTwoLayerForTokenClassification"
GERBERA_HEADS = frozenset(
    f"{name}.{part}"
    for name in ("bio_classifier", "bio_classifier_2", "gener_classifier", "gener_classifier_2")
    for part in ("weight", "bias")
)  # as its published models have them
NEVER_A_HEAD = ("pooler.", "position_ids")  # wherever in a name


def open_config(folder: str | Path, **options: Any) -> PretrainedConfig:
    """Return the configuration of a model folder; one with a two-layer head has that of its encoder."""
    values = json.loads((Path(folder) / "config.json").read_text(encoding="utf-8"))
    found: PretrainedConfig
    if isinstance(values, dict) and values.get("model_type") == TWO_LAYER_TYPE:
        values["model_type"] = values.pop(ENCODER_TYPE)
        found = CONFIG_MAPPING[values["model_type"]].from_dict(values, **options)
        return found
    found = AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False, **options)
    return found


def read_model_type(folder: str | Path) -> str | None:
    """Return the model type that `config.json` names, which transformers would look up."""
    found = json.loads((Path(folder) / "config.json").read_text(encoding="utf-8"))
    return str(found["model_type"]) if "model_type" in found else None


def mark_two_layer(folder: Path) -> None:
    """Say in `config.json` that the model has a two-layer head, so that transformers does not open it with another."""
    path = folder / "config.json"
    values = json.loads(path.read_text(encoding="utf-8"))
    values |= {ENCODER_TYPE: values["model_type"], "model_type": TWO_LAYER_TYPE, "architectures": [TWO_LAYER_CLASS]}
    with new_file(path) as file:
        file.write(json.dumps(values, indent=2, sort_keys=True) + "\n")


def merge_gerbera_heads(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return weights in which the heads of a GERBERA model are one two-layer head, with the scores of its evaluation.

    Its evaluation adds the scores of both heads. The general head gets only zeros there, so its scores are the same for
    every word: they are added to the last bias. The plain `classifier` that such files also hold was never trained.
    """
    others = {
        name: each for name, each in weights.items() if name not in GERBERA_HEADS and not name.startswith(HEAD_PREFIX)
    }
    hidden = weights["gener_classifier_2.bias"].relu()
    constant = weights["gener_classifier.weight"] @ hidden + weights["gener_classifier.bias"]
    return {
        **others,
        f"{HEAD_PREFIX}0.weight": weights["bio_classifier_2.weight"],
        f"{HEAD_PREFIX}0.bias": weights["bio_classifier_2.bias"],
        f"{HEAD_PREFIX}2.weight": weights["bio_classifier.weight"],
        f"{HEAD_PREFIX}2.bias": weights["bio_classifier.bias"] + constant,
    }


def unused_heads(unexpected: Collection[str], encoder_prefix: str) -> list[str]:
    """Return the names of weights that transformers did not load and that look like parts of a tagger's head.

    Args:
        unexpected: names of the weights that were not loaded.
        encoder_prefix: what the names of the encoder's own weights begin with.
    """
    used_elsewhere = (encoder_prefix, *(f"{head}." for head in PRETRAINING_HEADS))
    return sorted(
        name
        for name in unexpected
        if not name.startswith(used_elsewhere) and not any(part in name for part in NEVER_A_HEAD)
    )


def is_tagger(config: PretrainedConfig) -> bool:
    """Return whether a network of this configuration comes with a trained token-classification head."""
    return any(str(name).endswith("ForTokenClassification") for name in config.architectures or ())


def two_layer_head(hidden: nn.Linear, last: nn.Linear) -> nn.Sequential:
    """Return a head of two linear layers with ReLU between them."""
    return nn.Sequential(hidden, nn.ReLU(), last)


def open_two_layer_head(network: Any, folder: Path) -> None:  # Any: every family has its own class
    """Replace the linear head of a network by the two-layer head that was saved in the folder."""
    plain: nn.Linear = getattr(network, TAG_HEAD)
    hidden = nn.Linear(plain.in_features, plain.in_features)
    head = two_layer_head(hidden, nn.Linear(plain.in_features, plain.out_features))
    head.load_state_dict(saved_head(folder))
    setattr(network, TAG_HEAD, head)


def has_two_layers(folder: Path) -> bool:
    """Return whether a model folder holds a two-layer head."""
    return HIDDEN_LAYER.removeprefix(HEAD_PREFIX) in saved_head(folder)


def saved_head(folder: Path) -> dict[str, Tensor]:
    """Return the weights of the head in a model folder, linear or two-layer."""
    found: dict[str, Tensor] = {}
    for path in sorted(folder.glob("model*.safetensors")):
        with safe_open(path, framework="pt") as file:
            names = [name for name in file.keys() if name.startswith(HEAD_PREFIX)]  # noqa: SIM118 — not a mapping
            found |= {name.removeprefix(HEAD_PREFIX): file.get_tensor(name) for name in names}
    return found
