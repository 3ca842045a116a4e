"""Names of TensorFlow variables, and the tensors of transformers that they become."""

import re
from dataclasses import dataclass
from typing import Any

from linnet.pretraining.tensorflow.layouts import PROJECTION, layout_of

__all__ = ["OPTIONAL_PARTS", "Target", "find_targets", "is_optimiser_variable", "strip_hub_prefix"]

OPTIONAL_PARTS = ("pooler", "predictions", "seq_relationship")  # each is complete or absent
# by kind: suffixes of the variable after its scope and of the tensor after its module, and whether it is transposed:
# TensorFlow multiplies from the right, so its kernels are (inputs, outputs) and those of torch (outputs, inputs)
KINDS = {
    "dense": (("/kernel", ".weight", True), ("/bias", ".bias", False)),
    "norm": (("/gamma", ".weight", False), ("/beta", ".bias", False)),
    "table": (("", ".weight", False),),
    "classifier": (("/output_weights", ".weight", False), ("/output_bias", ".bias", False)),
    "bias": (("/output_bias", ".bias", False),),
}
OPTIMISER = re.compile(
    r"(?:.*/)?(?:adam_[mv]|lamb_[mv]|Adam(?:_1)?|Lamb(?:_1)?|LAMB(?:_1)?|\w*Optimizer(?:_1)?)"
    r"|(?:.*/)?(?:global_step|beta[12]_power)"
)
HUB_PREFIX = "module/"  # of variables saved from a TF-Hub module


@dataclass(frozen=True, slots=True)
class Target:
    """The tensor that a variable becomes."""

    name: str  # of the tensor in transformers
    is_transposed: bool


def find_targets(config: Any) -> dict[str, dict[str, Target]]:  # Any: a BertConfig or an AlbertConfig
    """Return the variables of a checkpoint of this configuration by part, each with its tensor."""
    layout = layout_of(config)
    numbers = layout.list_layers(config)
    return {
        part: {
            name: target
            for scope, module, kind in rows
            for layer in (numbers if "{" in scope else [{}])
            for name, target in _fill_row(scope, module, kind, layer)
        }
        for part, rows in layout.rows.items()
        if part != PROJECTION or config.embedding_size != config.hidden_size  # else there is no projection
    }


def strip_hub_prefix(name: str) -> str:
    """Return a variable's name as it is in the tables."""
    return name.removeprefix(HUB_PREFIX)


def is_optimiser_variable(name: str) -> bool:
    """Does the variable belong to the optimiser (moments, step counters) and not to the model?"""
    return OPTIMISER.fullmatch(name) is not None


def _fill_row(scope: str, module: str, kind: str, numbers: dict[str, int]) -> list[tuple[str, Target]]:
    scope, module = scope.format(**numbers), module.format(**numbers)
    return [(scope + variable, Target(module + tensor, transposed)) for variable, tensor, transposed in KINDS[kind]]
