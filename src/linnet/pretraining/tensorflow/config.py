"""The configuration of a TensorFlow checkpoint, checked and converted for transformers."""

import dataclasses
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from transformers import CONFIG_MAPPING, AutoModelForPreTraining
from transformers.activations import ACT2FN

from linnet.errors import BadFile
from linnet.models.encoders import UNUSABLE
from linnet.pretraining.tensorflow.files import read_config
from linnet.pretraining.tensorflow.layouts import LAYOUTS, layout_of_settings

__all__ = ["Shapes", "compute_shapes", "open_config"]

SIZES = (
    "vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
    "max_position_embeddings", "type_vocab_size",
    *sorted(name for layout in LAYOUTS.values() for name in layout.own_settings),
)  # fmt: skip
CORRECT_IT = "correct the file, or use the one that came with the checkpoint"

Shapes = dict[str, tuple[int, ...]]


def open_config(path: Path) -> tuple[Any, tuple[str, ...]]:
    """Return the configuration for transformers, and the names of settings that transformers does not have.

    Raises:
        BadFile: if it describes no valid network, with all problems.
    """
    values = read_config(path)
    layout = layout_of_settings(values.keys())
    kind: Any = CONFIG_MAPPING[layout.family]
    known = {field.name for field in dataclasses.fields(kind)}
    options = {key: value for key, value in values.items() if key in known}
    if options.get("hidden_act") in tuple(layout.activations):
        options["hidden_act"] = layout.activations[options["hidden_act"]]
    problems = list(_find_problems(options))
    if problems:
        raise BadFile(f"{path}: " + "; ".join(problems), CORRECT_IT)
    try:
        config = kind(**options)
        compute_shapes(config)
    except UNUSABLE as error:
        reason = " ".join(str(error).split())  # it may have several lines
        raise BadFile(f"{path}: this is no configuration of {layout.family.upper()} ({reason})", CORRECT_IT) from None
    return config, tuple(sorted(values.keys() - known))


def compute_shapes(config: Any) -> Shapes:  # Any: a configuration of transformers
    """Return the shapes of all weights of a network with all optional parts."""
    with torch.device("meta"):  # shapes without memory
        network = AutoModelForPreTraining.from_config(config)  # type: ignore[no-untyped-call]  # with all parts
    return {name: tuple(tensor.shape) for name, tensor in network.state_dict().items()}


def _find_problems(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the problems of single settings, with clearer messages than transformers gives."""
    wrong = [name for name in SIZES if name in values and not _is_size(values[name])]
    yield from (f"{name} is {values[name]!r}, expected a whole number from 1 on" for name in wrong)
    size, heads = values.get("hidden_size"), values.get("num_attention_heads")
    if heads is not None and not wrong and size % heads:
        yield f"hidden_size is {size}, which is not divisible by {heads} attention heads (num_attention_heads)"
    activation = values.get("hidden_act", "gelu")
    if not isinstance(activation, str) or activation not in ACT2FN:
        yield f"hidden_act is {activation!r}, expected a function that transformers knows, such as gelu, gelu_new, relu"


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1
