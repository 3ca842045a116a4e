"""Keeps the checks of exported models in the cache, so that none is computed twice.

A check is found again by everything that it depends on: the files of the exported model, the weights of the original,
the corpus, and the versions of the programs. An entry that cannot be read, or that was changed, is ignored.
"""

import hashlib
import json
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from linnet import __version__
from linnet.contracts import Exportable, Parity
from linnet.errors import LinnetError
from linnet.models.model_folder import file_fingerprint, read_facts
from linnet.storage.files import cache_folder, new_file

__all__ = ["describe_check", "keep_check", "read_check"]

ENGINES = ("torch", "onnxruntime")  # other versions may compute other scores


def describe_check(exported: Path, *, task: str, corpus: str) -> dict[str, str]:
    """Return everything that a check depends on, by name.

    Args:
        exported: folder of the exported model.
        task: of the model.
        corpus: digest of the texts and gold that it is checked on.
    """
    facts = read_facts(exported).onnx
    files = {f"file {path.name}": file_fingerprint(path) for path in sorted(exported.iterdir())}
    versions = {f"version of {name}": _find_version(name) for name in ENGINES}
    model = "" if facts is None else facts.model_fingerprint
    return {"task": task, "model": model, "corpus": corpus, "linnet": __version__, **versions, **files}


def read_check(described: Mapping[str, str], original: Exportable) -> Parity | None:
    """Return the check that was kept, or None where there is none, or a damaged one."""
    try:
        entry = json.loads(_find_place(described).read_text(encoding="utf-8"))
        if entry["check"] != dict(described) or entry["digest"] != _compute_digest(entry["parity"]):
            return None
        return original.restore(entry["parity"])
    except (OSError, ValueError, TypeError, KeyError, RecursionError, LinnetError):  # LinnetError: there is no cache
        return None


def keep_check(described: Mapping[str, str], parity: Parity) -> None:
    """Keep a check; where the cache cannot be written it is computed again next time."""
    record = parity.as_record()
    entry = {"check": dict(described), "parity": record, "digest": _compute_digest(record)}
    try:
        place = _find_place(described)
        with new_file(place) as file:
            json.dump(entry, file, indent=2)
    except LinnetError:
        return


def _find_place(described: Mapping[str, str]) -> Path:
    return cache_folder() / "checks" / f"{_compute_digest(dict(described))}.json"


def _compute_digest(values: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode("ascii")).hexdigest()


def _find_version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
