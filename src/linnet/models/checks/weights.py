"""Checks the weights of a model folder: their sizes against `config.json` before a network is built, and their values.

Only the headers of the safetensors files are read for the sizes. What stands in no table here is compared by
transformers, when it loads the weights.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from torch import nn
from transformers import PretrainedConfig
from transformers.activations import ACT2FN

from linnet.errors import BadFile
from linnet.models.checks.guard import refuse_unusable
from linnet.models.families import OTHER, family_of_config
from linnet.models.heads import open_config

__all__ = ["check_finite", "check_sizes", "open_checked_config"]

AGAIN = "train or copy the model again"
WIDTH = ("embedding_size", "hidden_size")
# settings in `config.json` that give rows and columns of a weight; the first that the family has counts
SETTINGS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "embeddings.word_embeddings.weight": (("vocab_size",), WIDTH),
    "embeddings.position_embeddings.weight": (("max_position_embeddings",), WIDTH),
    "embeddings.token_type_embeddings.weight": (("type_vocab_size",), WIDTH),
    "embeddings.tok_embeddings.weight": (("vocab_size",), ("hidden_size",)),
    "intermediate.dense.weight": (("intermediate_size",), ("hidden_size",)),
    "ffn.lin1.weight": (("hidden_dim",), ("hidden_size",)),
}
NOT_NUMBERS = ("I", "U", "BOOL")  # what the types of tensors that cannot be weights begin with
LEARNED = (".weight", ".bias")

Shape = tuple[int, ...]


def open_checked_config(folder: Path) -> PretrainedConfig:
    """Return the configuration of a model folder, whose sizes are those of the weights.

    Raises:
        BadFile: with file and field.
    """
    place = folder / "config.json"
    with refuse_unusable(place, "cannot be used as the configuration of an encoder"):
        config = open_config(folder)
    activation = getattr(config, "hidden_act", None)
    if isinstance(activation, str) and activation not in ACT2FN:
        raise BadFile(f"{place}: 'hidden_act' is {activation!r}, which is no activation", AGAIN)
    check_sizes(folder, config)
    return config


def check_sizes(folder: Path, config: PretrainedConfig) -> None:
    """Refuse a configuration with other sizes, or another number of layers, than the weights."""
    shapes = dict(_read_shapes(folder))
    family = family_of_config(config)
    if family is OTHER or not shapes:
        return
    place = folder / "config.json"
    for name, shape in shapes.items():
        settings = next((each for suffix, each in SETTINGS.items() if f".{name}".endswith(f".{suffix}")), ())
        for choices, size in zip(settings, shape, strict=False):
            _check_size(config, choices, size, name, place)
    numbers = {layer for name in shapes if (layer := family.layer_of(name)) is not None}
    setting = "num_hidden_groups" if hasattr(config, "num_hidden_groups") else "num_hidden_layers"
    n_layers = getattr(config, setting, None)
    if numbers and n_layers != max(numbers) + 1:
        raise BadFile(f"{place}: {setting!r} is {n_layers!r}, but the weights have {max(numbers) + 1} of them", AGAIN)
    width, n_heads = getattr(config, "hidden_size", None), getattr(config, "num_attention_heads", None)
    if isinstance(width, int) and isinstance(n_heads, int) and (n_heads < 1 or width % n_heads):
        raise BadFile(f"{place}: 'num_attention_heads' is {n_heads}, which does not divide the width {width}", AGAIN)


def check_finite(network: nn.Module, folder: Path) -> None:
    """Refuse a network with weights that are not finite numbers.

    Its scores do not show them all: PyTorch's attention takes scores that are not numbers for masked ones.
    """
    broken = [
        name
        for name, weight in network.named_parameters()
        # the sum is quick, and finite where all weights are, unless they are so large that it overflows
        if not bool(weight.sum().isfinite()) and not bool(weight.isfinite().all())
    ]
    if broken:
        raise BadFile(f"{folder}: {len(broken):,} weights hold numbers that are not finite, e.g. {broken[0]}", AGAIN)


def _check_size(config: Any, choices: tuple[str, ...], size: int, name: str, place: Path) -> None:
    found = [(each, getattr(config, each)) for each in choices if getattr(config, each, None) is not None]
    if found and found[0][1] != size:
        setting, value = found[0]
        raise BadFile(f"{place}: {setting!r} is {value!r}, but the weights have {size:,} ({name})", AGAIN)


def _read_shapes(folder: Path) -> Iterator[tuple[str, Shape]]:
    """Yield the names and shapes of the weights, from the headers of their files."""
    whole = folder / "model.safetensors"
    for path in [whole] if whole.is_file() else sorted(folder.glob("model-*.safetensors")):
        try:
            with safe_open(path, framework="np") as file:
                for name in file.keys():  # noqa: SIM118 — not a mapping
                    header = file.get_slice(name)
                    if header.get_dtype().startswith(NOT_NUMBERS) and name.endswith(LEARNED):
                        raise BadFile(f"{path}: {name} is of the type {header.get_dtype()}, which no weight is", AGAIN)
                    yield name, tuple(header.get_shape())
        except (SafetensorError, OSError) as error:
            raise BadFile(f"{path}: cannot be opened as weights ({error})", AGAIN) from None
