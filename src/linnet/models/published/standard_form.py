"""Brings a published model into the form that Linnet opens: safetensors, a complete config.json, a tokenizer.json.

Folders that have this form are used as they are. Of others a converted copy is kept in Linnet's cache, under the hash
of all files it was made from, so that the same files always give the same copy, online or offline. `source.json` in the
copy says where it comes from and what was done.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linnet import __version__
from linnet.errors import BadFile
from linnet.models.checks.fields import CONFIG, check_fields
from linnet.models.heads import GERBERA_HEADS
from linnet.models.model_folder import file_fingerprint
from linnet.models.published.conversion import convert, has_old_names
from linnet.models.published.hub import OTHER_WEIGHTS, Located
from linnet.models.published.relabelling import Relabelling
from linnet.models.published.weight_files import weight_files, weight_names, weights_form
from linnet.storage.files import cache_folder, new_folder
from linnet.storage.json_keys import load_json

__all__ = ["StandardForm", "bring_into_standard_form", "read_config", "read_notes"]

SOURCE = "source.json"
OWN = "linnet.json"  # a folder with it was written by Linnet
FORM = 1  # of the conversion; another number makes new copies
TOKENIZER = "tokenizer.json"
MADE = (SOURCE, "model.safetensors", "config.json", TOKENIZER)
VOCABULARIES = ("vocab.txt", "vocab.json", "merges.txt", "spiece.model", "spm.model", "sentencepiece.bpe.model")
SMALL = ("config.json", TOKENIZER, "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json")


@dataclass(frozen=True)
class StandardForm:
    """A folder that can be opened, and what was done to make it so."""

    folder: Path
    notes: tuple[str, ...] = ()


def bring_into_standard_form(located: Located, relabelling: Relabelling | None = None) -> StandardForm:
    """Return the folder itself where it has the standard form, otherwise a converted copy from the cache.

    Args:
        located: the folder, with its hub name and revision if it has one.
        relabelling: names for the outputs of a tagger that has none.

    Raises:
        BadFile: where the files cannot be opened, do not fit together, or cannot be copied.
    """
    folder = located.folder
    config = read_config(folder)
    _check_files(folder)
    if not relabelling and not any(_lacks(folder, config)):
        return StandardForm(folder)
    hashes = _hashes(folder)
    target = _place(located, hashes, relabelling)
    if not all((target / name).is_file() for name in MADE):  # none yet, or a damaged one
        try:
            with new_folder(target, overwrite=True) as part:
                notes = convert(folder, part, config=config, relabelling=relabelling)
                _write_source(part, located, hashes, notes)
        except BadFile as error:
            if str(target) not in error.problem:
                raise
            raise BadFile(error.problem, f"{error.remedy}, or name another cache with LINNET_CACHE") from None
    return StandardForm(target, read_notes(target / SOURCE))


def read_config(folder: Path) -> dict[str, Any]:
    """Return what `config.json` of a folder says."""
    path = folder / "config.json"
    if not path.is_file():
        inner = sorted(each.parent.name for each in folder.glob("*/config.json"))
        raise BadFile(
            f"{folder}: this is no model folder (there is no config.json)",
            f"give the folder inside it: {folder / inner[0]}"
            if inner
            else "give a folder with config.json, weights and a tokenizer",
        )
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BadFile(f"{path}: this folder cannot be opened as an encoder ({error})", "copy the file again") from None
    if not isinstance(found, dict):
        raise BadFile(
            f"{path}: this folder cannot be opened as an encoder (found {type(found).__name__}, expected an object)",
            "copy the file again",
        )
    try:
        check_fields(found, CONFIG, path)
    except BadFile as error:
        problem = f"{error.problem}, so this folder cannot be opened as an encoder"
        raise BadFile(problem, "copy the file again") from None
    return found


def _check_files(folder: Path) -> None:
    """Refuse a folder without weights that can be opened, or without a tokenizer."""
    if weights_form(folder) is None:
        others = sorted(each.name for pattern in OTHER_WEIGHTS for each in folder.glob(pattern))
        found = f"; it has {', '.join(others)}, which Linnet does not open" if others else ""
        raise BadFile(
            f"{folder}: this folder cannot be opened as an encoder (no model.safetensors or pytorch_model.bin{found})",
            "give a folder with one of them; TensorFlow 1 checkpoints are converted by `linnet import-checkpoint`",
        )
    if not any((folder / name).is_file() for name in (TOKENIZER, "tokenizer_config.json", *VOCABULARIES)):
        raise BadFile(
            f"{folder}: this folder cannot be opened as an encoder (it has no tokenizer)",
            f"put the tokenizer's files beside the weights: {TOKENIZER}, or one of {', '.join(VOCABULARIES)}",
        )


def _lacks(folder: Path, config: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the folder lacks of the standard form."""
    if weights_form(folder) != "safetensors":
        yield "safetensors"
        return
    if not config.get("model_type"):
        yield "model_type"
    if not (folder / TOKENIZER).is_file() and _has_vocabulary(folder):
        yield TOKENIZER
    names = set() if (folder / OWN).is_file() else set(weight_names(folder))
    if names >= GERBERA_HEADS or has_old_names(names):
        yield "names that transformers knows"


def _has_vocabulary(folder: Path) -> bool:
    """Return whether the folder has a vocabulary file; tokenizers that read bytes or letters have none."""
    return any((folder / name).is_file() for name in VOCABULARIES)


def _hashes(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file that the copy is made from, by name."""
    small = [folder / name for name in (*SMALL, *VOCABULARIES)]
    return {path.name: file_fingerprint(path) for path in (*small, *weight_files(folder)) if path.is_file()}


def _place(located: Located, hashes: Mapping[str, str], relabelling: Relabelling | None) -> Path:
    inputs = [FORM, sorted(hashes.items()), relabelling and (relabelling.tags, relabelling.label)]
    digest = hashlib.sha256(json.dumps(inputs).encode()).hexdigest()
    name = re.sub(r"[^\w.-]+", "--", located.hub_name or located.folder.resolve().name)
    return cache_folder() / "models" / f"{name}-{digest[:16]}"


def _write_source(part: Path, located: Located, hashes: Mapping[str, str], notes: list[str]) -> None:
    source = {
        "name": located.hub_name or located.folder.resolve().name,
        "revision": located.revision,
        "files": dict(hashes),
        "notes": notes,
        "linnet": __version__,
    }
    (part / SOURCE).write_text(json.dumps(source, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read_notes(path: Path) -> tuple[str, ...]:
    """Return what the `source.json` of a converted copy says was done."""
    try:
        return tuple(map(str, load_json(path.read_text(encoding="utf-8"))["notes"]))
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise BadFile(f"{path}: cannot be read ({error})", f"remove {path.parent}; it is made again") from None
