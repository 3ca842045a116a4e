"""Writes and checks vocabulary folders: arrays as `.npy` files, and `vocabulary.json` with facts and hashes."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from linnet.errors import BadFile
from linnet.storage.files import check_path, new_folder, read_text
from linnet.storage.json_keys import load_json
from linnet.tasks.linking.vocabularies.arrays import Array, save_arrays

__all__ = ["FACTS", "is_vocabulary", "read_facts", "write_folder"]

FACTS = "vocabulary.json"
KIND, FORM = "linnet-vocabulary", 1  # the second changes with the arrays
BUILD_AGAIN = "build it again with `linnet vocabulary build`"


def write_folder(folder: Path, arrays: Mapping[str, Array], facts: Mapping[str, Any], *, overwrite: bool) -> str:
    """Write a vocabulary, which appears when it is complete, and return its hash."""
    with new_folder(folder, overwrite=overwrite) as part:
        save_arrays(part, arrays)
        files = {path.name: _describe(path) for path in sorted(part.iterdir())}
        whole = {"kind": KIND, "form": FORM, **facts, "files": files}
        found = _hash_of(whole)
        text = json.dumps({**whole, "hash": found}, ensure_ascii=False, indent=1)
        (part / FACTS).write_text(f"{text}\n", encoding="utf-8")
    return found


def is_vocabulary(folder: Path) -> bool:
    """Does the folder hold a vocabulary and nothing else?"""
    if not (folder / FACTS).is_file():
        return False
    return all(path.name == FACTS or path.suffix == ".npy" for path in folder.iterdir())


def read_facts(folder: Path) -> dict[str, Any]:
    """Return what `vocabulary.json` holds, after every file was compared with its hash.

    Raises:
        BadFile: if the folder is no vocabulary, or not as it was written.
    """
    check_path(folder)
    path = folder / FACTS
    if not folder.exists():
        raise BadFile(
            f"{folder}: there is no such folder",
            "give the folder of a vocabulary, which `linnet vocabulary build` makes, or `demo`, which is embedded",
        )
    if not path.is_file():
        raise BadFile(f"{folder}: is no vocabulary, it has no {FACTS}", "make one with `linnet vocabulary build`")
    try:
        facts: Any = load_json(read_text(path))  # Any: checked below
    except (ValueError, RecursionError) as error:
        raise BadFile(f"{path}: this is no JSON object ({error})", BUILD_AGAIN) from None
    if not isinstance(facts, dict) or facts.get("kind") != KIND or not isinstance(facts.get("files"), dict):
        raise BadFile(f"{path}: does not describe a vocabulary", BUILD_AGAIN)
    if facts.get("form") != FORM:
        raise BadFile(f"{folder}: was built by another version of Linnet (form {facts.get('form')})", BUILD_AGAIN)
    if facts.get("hash") != _hash_of({key: value for key, value in facts.items() if key != "hash"}):
        raise BadFile(f"{path}: was changed after the vocabulary was built", BUILD_AGAIN)
    for name, expected in facts["files"].items():
        _refuse_changed(folder / name, expected)
    return facts


def _refuse_changed(path: Path, expected: Mapping[str, Any]) -> None:
    if not path.is_file():
        raise BadFile(f"{path}: is missing", BUILD_AGAIN)
    size = path.stat().st_size
    if size != expected["bytes"]:
        how = "cut off" if size < expected["bytes"] else "changed"
        raise BadFile(f"{path}: is {how}, it has {size:,} bytes instead of {expected['bytes']:,}", BUILD_AGAIN)
    if _describe(path) != expected:
        raise BadFile(f"{path}: was changed after the vocabulary was built", BUILD_AGAIN)


def _describe(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return {"bytes": path.stat().st_size, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}


def _hash_of(facts: Mapping[str, Any]) -> str:
    text = json.dumps(facts, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
