"""Predictions that finished runs keep for their test split, checked to be about the same gold."""

from collections.abc import Sequence
from pathlib import Path

from linnet.errors import BadFile

__all__ = ["check_same_gold", "predictions_of"]


def predictions_of(folder: Path, name: str) -> Path:
    """Return the file in which a run keeps what it predicted on the test split."""
    path = folder / name
    if not path.is_file():
        raise BadFile(f"{path}: there is no such file", "compare on corpora that have a test split")
    return path


def check_same_gold(folders: Sequence[Path], gold: Sequence[Sequence[object]]) -> None:
    """Refuse runs at one place that were scored against something else than the first."""
    for folder, each in zip(folders[1:], gold[1:], strict=True):
        if each != gold[0]:
            raise BadFile(
                f"{folder}: was scored on other sentences than {folders[0]}",
                "runs at one place must share their test split and their label; remove the run to make it anew",
            )
