"""How are the files of a run folder written, whatever the run was about?"""

import json
import platform
from collections.abc import Callable, Mapping
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from safetensors import SafetensorError

from linnet.errors import BadFile
from linnet.files import new_file, new_folder
from linnet.models.encoders import quietly
from linnet.training.history import History

__all__ = ["HISTORY", "MAIN_SPLITS", "METRICS", "versions", "write_history", "write_json", "write_model"]

METRICS, HISTORY = "metrics.json", "history.jsonl"
MAIN_SPLITS = ("test", "devel")  # the first that exists gives the run's own figures


def write_model(output: Path, save: Callable[[Path], None]) -> None:
    """Write the files of a model into the run folder, all of them or none.

    Args:
        output: the run folder.
        save: writes the files into the folder that it is given.
    """
    try:
        # a run that was killed while moving its files has left some
        with new_folder(output / ".model", overwrite=True) as part, quietly():
            save(part)
    except SafetensorError as error:
        raise BadFile(
            f"{output}: the model cannot be written ({error})", "check the space left, then go on with `--resume`"
        ) from None
    for file in (output / ".model").iterdir():
        file.chmod(0o644)  # some of the writers make theirs private
        file.replace(output / file.name)
    (output / ".model").rmdir()


def write_history(path: Path, history: History) -> None:
    """Write the rows of steps and epochs, one object on each line."""
    with new_file(path) as file:
        for step in history.steps:
            file.write(json.dumps(asdict(step)) + "\n")
        for epoch in history.epochs:
            file.write(json.dumps(asdict(epoch)) + "\n")


def write_json(path: Path, found: Mapping[str, Any]) -> None:
    """Write one object as people can read it."""
    with new_file(path) as file:
        json.dump(found, file, indent=2)
        file.write("\n")


def versions() -> dict[str, str]:
    """Return the versions of whatever the result depends on."""
    packages = {name: version(name) for name in ("linnet", "torch", "transformers", "tokenizers", "numpy")}
    return {"python": platform.python_version(), **packages}
