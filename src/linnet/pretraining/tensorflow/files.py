"""The files of a TensorFlow checkpoint in a folder: weights, configuration and vocabulary."""

import json
import re
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import Any

from linnet.errors import BadFile
from linnet.storage.files import check_path, read_text
from linnet.storage.json_keys import load_json

__all__ = ["CheckpointFiles", "find_checkpoint", "read_config"]

INDEX = ".index"
STEP = re.compile(r".*-(\d+)")
VOCABULARIES = ("*.model", "vocab.txt", "*vocab*.txt")  # a SentencePiece model is complete, its `.vocab` is not
WHAT_IS_NEEDED = "give a folder with model.ckpt-*.index and .data-*, *config.json, and vocab.txt or a `.model` file"


@dataclass(frozen=True)
class CheckpointFiles:
    """The files that belong to one checkpoint."""

    prefix: Path  # of the checkpoint's files, without `.index`
    others: tuple[str, ...]  # names of checkpoints that are not used
    config: Path
    vocabulary: Path


def find_checkpoint(folder: Path, name: str | None = None) -> CheckpointFiles:
    """Return the files of a checkpoint; of several checkpoints, the one with the highest number.

    Args:
        folder: where to look.
        name: of a checkpoint, such as model.ckpt-1000000; the newest one if not given.

    Raises:
        BadFile: if a file is missing or ambiguous, with the files of the folder.
    """
    check_path(folder)
    if not folder.is_dir():
        raise BadFile(f"{folder}: this is no folder", WHAT_IS_NEEDED)
    checkpoints = sorted(path.name.removesuffix(INDEX) for path in folder.glob(f"*{INDEX}"))
    if not checkpoints:
        raise BadFile(f"{folder}: there is no checkpoint (*.ckpt*.index); found: {_list_files(folder)}", WHAT_IS_NEEDED)
    chosen = _choose_checkpoint(folder, checkpoints, name)
    if not list(folder.glob(f"{escape(chosen)}.data-*")):
        raise BadFile(
            f"{folder}: {chosen}.index is there, but not its weights, {chosen}.data-*; found: {_list_files(folder)}",
            "copy them into the folder; both belong to a checkpoint",
        )
    configs = [path for path in sorted(folder.glob("*config.json")) if "tokenizer" not in path.name]
    if len(configs) != 1:
        raise BadFile(f"{folder}: expected one *config.json; found: {_list_files(folder)}", WHAT_IS_NEEDED)
    return CheckpointFiles(
        prefix=folder / chosen,
        others=tuple(other for other in checkpoints if other != chosen),
        config=configs[0],
        vocabulary=_find_vocabulary(folder),
    )


def read_config(path: Path) -> dict[str, Any]:
    """Return the settings of a `*config.json`."""
    try:
        values = load_json(read_text(path))
    except json.JSONDecodeError as error:
        raise BadFile(f"{path}:{error.lineno}: this is not JSON ({error.msg})", "correct the file") from None
    except ValueError as error:
        raise BadFile(f"{path}: this cannot be read ({error})", "correct the file") from None
    if not isinstance(values, dict) or "hidden_size" not in values:
        raise BadFile(f"{path}: this is no configuration of BERT or ALBERT (no `hidden_size`)", WHAT_IS_NEEDED)
    return values


def _choose_checkpoint(folder: Path, checkpoints: list[str], name: str | None) -> str:
    if name is not None:
        if name.removesuffix(INDEX) not in checkpoints:
            raise BadFile(f"{folder}: there is no checkpoint {name!r}", f"one of: {', '.join(checkpoints)}")
        return name.removesuffix(INDEX)
    step_by_name = {name: int(match[1]) for name in checkpoints if (match := STEP.fullmatch(name))}
    if step_by_name:
        return max(step_by_name, key=lambda name: step_by_name[name])
    if len(checkpoints) > 1:
        raise BadFile(
            f"{folder}: there are several checkpoints, and no number says which is the newest: "
            f"{', '.join(checkpoints)}",
            "choose one with --checkpoint",
        )
    return checkpoints[0]


def _find_vocabulary(folder: Path) -> Path:
    for pattern in VOCABULARIES:
        paths = sorted(folder.glob(pattern))
        if len(paths) > 1:
            raise BadFile(
                f"{folder}: there are several vocabularies: {', '.join(path.name for path in paths)}",
                "keep only the one with which the checkpoint was trained",
            )
        if paths:
            return paths[0]
    raise BadFile(f"{folder}: there is no vocabulary; found: {_list_files(folder)}", WHAT_IS_NEEDED)


def _list_files(folder: Path, most: int = 20) -> str:
    names = sorted(path.name for path in folder.iterdir())
    return (", ".join(names[:most]) + (", ..." if len(names) > most else "")) or "nothing"
