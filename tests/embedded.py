"""A tiny stand-in for an embedded model, and a root for it."""

import json
from pathlib import Path
from typing import Any

import pytest

from linnet.export.release import write_release
from tests.export.exported import copied, exported

SCORES = [
    {"corpus": "tiny", "split": "test", "role": "in-domain", "label": "all", "f1": 0.9, "f1_low": 0.85, "f1_high": 0.93,
     "units": "documents", "n_units": 8},
]  # fmt: skip
RELEASE: dict[str, Any] = {
    "name": "bio", "version": "0.9.1", "licence": "Apache-2.0", "description": "A stand-in.", "scores": SCORES,
    "words_per_second": 6500.0,
}  # fmt: skip


def without_models(patch: pytest.MonkeyPatch, root: Path) -> Path:
    """Let Linnet look for embedded models in an empty folder."""
    root.mkdir(exist_ok=True)
    patch.setattr("linnet.models.embedded.ROOT", root)
    return root


def stand_in(patch: pytest.MonkeyPatch, root: Path, *, name: str = "bio") -> Path:
    """Return the folder of a tiny embedded model, in a root of its own."""
    folder = copied(without_models(patch, root) / name, source=exported(int8=True))
    write_release(folder, {**RELEASE, "name": name})
    return folder


def damage(path: Path) -> None:
    """Change one byte of a file."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))


def infons(path: Path) -> dict[str, str]:
    """Return the infons of the first document of a jsonl file."""
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8").splitlines()[0])["infons"]
    return found
