"""Predictions in the folders of finished runs, for comparisons: their file, and a check for the same gold."""

from collections.abc import Sequence
from pathlib import Path

from linnet.errors import BadFile

__all__ = ["check_same_gold", "predictions_of"]


def predictions_of(folder: Path, split: str, suffix: str) -> Path:
    """Return the file with the predictions of a run on a split."""
    path = folder / f"predictions-{split}.{suffix}"
    if not path.is_file():
        raise BadFile(f"{path}: there is no such file", f"compare runs that were scored on a {split} split")
    return path


def check_same_gold(folders: Sequence[Path], gold: Sequence[Sequence[object]]) -> None:
    """Refuse runs that were scored against other gold than the first."""
    for folder, each in zip(folders[1:], gold[1:], strict=True):
        if each != gold[0]:
            raise BadFile(
                f"{folder}: was scored on other sentences than {folders[0]}",
                "compare runs that share the split and its labels; a grid trains the run again if you remove it",
            )
