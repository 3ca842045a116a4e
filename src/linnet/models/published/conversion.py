"""Converts the files of a published model: weights to safetensors, config.json completed, tokenizer.json made.

What is renamed is only what older training code named differently: LayerNorm's `gamma` and `beta`, the prefix
`module.` of several GPUs, and the heads of GERBERA (Yin et al. 2024). No number changes.
"""

import json
import re
import shutil
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from safetensors.torch import save_file
from torch import Tensor
from transformers import AutoTokenizer
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from linnet.errors import BadFile
from linnet.models.families import family_from_weights
from linnet.models.heads import GERBERA_HEADS, HEAD_PREFIX, HIDDEN_LAYER, TWO_LAYER_CLASS, merge_gerbera_heads
from linnet.models.model_folder import tags_of
from linnet.models.published.casing import case_from_files
from linnet.models.published.relabelling import Relabelling, name_outputs, rename_tags
from linnet.models.published.weight_files import read_weights, weights_form
from linnet.models.quiet import UNUSABLE, quietly

__all__ = ["complete_config", "convert", "has_old_names", "open_published_tokenizer"]

NORM = re.compile(r"(?<=LayerNorm\.)(gamma|beta)$")
NEW_NAMES = {"gamma": "weight", "beta": "bias"}
SEVERAL_GPUS = "module."
KEPT = ("README.md", "LICENSE", "generation_config.json")
OUTPUTS = (f"{HEAD_PREFIX}weight", f"{HEAD_PREFIX}2.weight")  # rows: one for each label


def convert(folder: Path, target: Path, *, config: dict[str, Any], relabelling: Relabelling | None) -> list[str]:
    """Fill a folder with the converted files, and return what was done, in sentences."""
    notes: list[str] = []
    weights = _rename_weights(read_weights(folder), notes)
    if weights_form(folder) == "torch":
        notes.append("pytorch_model.bin was read by PyTorch's restricted loader (tensors only) and kept as safetensors")
    config, family_notes = complete_config(folder, config, weights)
    notes += family_notes
    if HIDDEN_LAYER in weights and TWO_LAYER_CLASS not in str(config.get("architectures")):
        config = {**config, "architectures": [TWO_LAYER_CLASS]}
    if relabelling:
        rows = next((len(weights[name]) for name in OUTPUTS if name in weights), None)
        config = name_outputs(config, rename_tags(tags_of(config), relabelling, n_outputs=rows, folder=folder))
    tokenizer, tokenizer_notes = open_published_tokenizer(folder, config)
    notes += tokenizer_notes
    for name in KEPT:
        if (folder / name).is_file():
            shutil.copyfile(folder / name, target / name)
    save_file(weights, target / "model.safetensors", metadata={"format": "pt"})
    (target / "config.json").write_text(json.dumps(config, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    tokenizer.save_pretrained(target)
    return notes


def complete_config(
    folder: Path, config: dict[str, Any], names: Mapping[str, object]
) -> tuple[dict[str, Any], list[str]]:
    """Return the configuration with its family, found by the names of the weights where it is missing, and notes."""
    if config.get("model_type"):
        return config, []
    family = family_from_weights(names.keys(), config)
    if family is None:
        raise BadFile(
            f"{folder / 'config.json'}: does not say its family (model_type), and the names of the weights do not tell "
            f"it either, e.g. {next(iter(names), '')}",
            'add "model_type" to config.json, e.g. "bert" or "roberta"',
        )
    return {**config, "model_type": family}, [
        f"config.json does not say its family (model_type): {family}, by the names of the weights"
    ]


def open_published_tokenizer(folder: Path, config: Mapping[str, Any]) -> tuple[Any, list[str]]:
    """Return the fast tokenizer of a folder, which keeps capitals where its vocabulary has them, and notes."""
    lower_case, where = case_from_files(folder)
    notes, options = [], {}
    if lower_case is not None and where != "tokenizer_config.json":
        options["do_lower_case"] = lower_case
        kind = "lower-cased" if lower_case else "cased"
        notes.append(f"tokenizer_config.json does not say whether text is lower-cased: {kind}, by {where}")
    with quietly():
        try:
            kind_of_config = CONFIG_MAPPING[str(config["model_type"])]
            opened = AutoTokenizer.from_pretrained(
                folder,
                config=kind_of_config.from_dict(dict(config)),
                add_prefix_space=True,
                local_files_only=True,
                trust_remote_code=False,
                **options,
            )
        except UNUSABLE as error:
            said = " ".join(str(error).split())[:200]
            raise BadFile(
                f"{folder}: this folder cannot be opened as an encoder: its tokenizer cannot be made ({said})",
                "give a folder with tokenizer.json, vocab.txt, vocab.json and merges.txt, or a SentencePiece model",
            ) from None
    return opened, notes


def has_old_names(names: Collection[str]) -> bool:
    """Return whether weights have names of older code, or were saved from several GPUs."""
    return any(NORM.search(name) or name.startswith(SEVERAL_GPUS) for name in names)


def _rename_weights(weights: dict[str, Tensor], notes: list[str]) -> dict[str, Tensor]:
    """Return the weights under the names that transformers has for them, and add to the notes what changed."""
    if all(name.startswith(SEVERAL_GPUS) for name in weights):
        weights = {name.removeprefix(SEVERAL_GPUS): tensor for name, tensor in weights.items()}
        notes.append("the weights were saved from several GPUs: `module.` was taken from their names")
    found = {NORM.sub(lambda match: NEW_NAMES[match[1]], name): tensor for name, tensor in weights.items()}
    if found.keys() != weights.keys():
        notes.append("LayerNorm's gamma and beta are called weight and bias now")
    if found.keys() >= GERBERA_HEADS:
        found = merge_gerbera_heads(found)
        notes.append("GERBERA's two heads were joined as its evaluation does: a two-layer head")
    return found
