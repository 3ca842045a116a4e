"""The folder of a run: claims and locks it for one training, and writes its files."""

import json
import os
import platform
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from safetensors import SafetensorError

from linnet import __version__
from linnet.corpora.places import is_known_name
from linnet.errors import BadFile, BadSetting, LinnetError
from linnet.models.model_folder import ModelFacts, read_facts
from linnet.settings.base import Settings
from linnet.settings.differences import flatten
from linnet.settings.files import load_settings, short_name, to_toml
from linnet.storage.durable import is_part, make_folder, remove_parts, sync
from linnet.storage.files import check_path, new_file, new_folder, resolve_path, writing
from linnet.storage.folder_lock import lock_folder
from linnet.storage.json_keys import load_json
from linnet.storage.removal import remove_folder
from linnet.storage.run_folders import RECIPE, is_run

__all__ = ["CHECKPOINTS", "HISTORY", "MAIN_SPLITS", "METRICS", "Run", "claim_folder", "data_note", "data_options",
           "is_finished", "open_run", "remove_checkpoints", "repeat_command",
           "versions", "write_history", "write_json", "write_model"]  # fmt: skip

METRICS, HISTORY, CHECKPOINTS = "metrics.json", "history.jsonl", "checkpoints"
DEMO = "demo"  # the corpus that comes with Linnet
MAIN_SPLITS = ("test", "devel")  # the first that exists gives the scores of the run


@dataclass(frozen=True)
class Run:
    """A finished run."""

    folder: Path
    metrics: dict[str, Any]
    facts: ModelFacts


def open_run(folder: Path) -> Run:
    """Return a finished run; the facts of a cross-validation are those of the first fold, with the folders of all."""
    try:
        metrics = load_json((folder / METRICS).read_text(encoding="utf-8"))
        if not isinstance(metrics, dict):
            raise ValueError("it is no JSON object")
    except OSError as error:
        raise BadFile(
            f"{folder}: holds no finished run ({error.strerror})", "train it, or go on with `--resume`"
        ) from None
    except ValueError as error:
        raise BadFile(f"{folder / METRICS}: is broken ({error})", "train it again (`--overwrite`)") from None
    return Run(folder, metrics, read_facts(folder, of_folds=True))


def is_finished(
    settings: Settings, output: Path, marker: str, sources: Iterable[str], *, resume: bool, overwrite: bool
) -> bool:
    """Return whether the folder holds the finished run; refuse what would mix two runs or cannot be written.

    Args:
        settings: of the new run.
        output: the run folder.
        marker: the file that is written last.
        sources: paths (or other names) that the run reads, which must not be removed with an older run.
        resume: whether the folder may hold an interrupted run with the same settings.
        overwrite: whether the content of the folder may be removed.
    """
    if resume and overwrite:
        raise BadSetting("a run is resumed (`--resume`) or replaced (`--overwrite`), not both", "give one of the two")
    check_path(output)
    if output.is_file():
        raise BadFile(f"{output}: is a file", "name a folder for the run")
    if not output.is_dir() or all(is_part(entry.name) for entry in output.iterdir()):
        _check_writable(output)
        return False
    recipe = output / RECIPE
    if overwrite and is_run(output):
        _check_apart(output, sources)
        _check_writable(output)
        return False  # the content is removed when everything else is checked
    if overwrite:
        raise BadFile(
            f"{output}: holds files, but no run that could be replaced: {_why_no_run(recipe)}",
            "name another folder (`--output`), or remove this one yourself",
        )
    if not recipe.is_file():
        raise BadFile(f"{output}: holds files, and no run", "name a new folder (`--output`)")
    if not resume:
        raise BadFile(
            f"{output}: holds a run already",
            "go on with it (`--resume`), replace it (`--overwrite`), or name another folder (`--output`)",
        )
    _check_recipe(settings, output)
    return (output / marker).is_file()


@contextmanager
def claim_folder(output: Path, settings: Settings, *, overwrite: bool) -> Iterator[None]:
    """Lock the folder for the run and write its recipe into it; empty it first with `overwrite`.

    Temporary files that a killed run has left there are removed.

    Raises:
        BadFile: where another process holds it, or has begun another run there since it was checked.
    """
    with writing(output):
        make_folder(output)
    with lock_folder(output) as is_alone:
        if overwrite:
            _empty(output)
        elif (output / RECIPE).is_file():
            _check_recipe(settings, output)
        if is_alone:
            remove_parts(output, below=[CHECKPOINTS])
        with new_file(output / RECIPE) as file:
            file.write(to_toml(settings))
        yield


def remove_checkpoints(output: Path) -> None:
    """Remove the checkpoints of a finished run.

    Raises:
        BadFile: where they cannot be removed; the run is complete then.
    """
    folder = output / CHECKPOINTS
    try:
        remove_folder(folder)
    except OSError as error:
        raise BadFile(
            f"{folder}: cannot be removed ({error.strerror or error}); the run is complete and does not need it",
            "remove the folder by hand, or mend that and run the command again with `--resume`",
        ) from None


def write_model(output: Path, save: Callable[[Path], None]) -> None:
    """Write the files of a model into the run folder, all of them or none.

    Args:
        output: the run folder.
        save: writes the files into the folder that it is given.
    """
    from linnet.models.quiet import quietly  # imports transformers, which a task without a network does not need

    try:
        # a run that was killed while moving its files may have left some
        with new_folder(output / ".model", overwrite=True) as part, quietly():
            save(part)
    except SafetensorError as error:
        raise BadFile(
            f"{output}: the model cannot be written ({error})", "check the space left, then go on with `--resume`"
        ) from None
    for file in (output / ".model").iterdir():
        file.chmod(0o644)  # some of the writers make theirs private
        file.replace(output / file.name)  # its content is on the disk since `.model` got its name
    (output / ".model").rmdir()
    with writing(output):
        sync(output)


def write_history(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write the rows of steps and epochs, one object on each line."""
    with new_file(path) as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def write_json(path: Path, found: Mapping[str, Any]) -> None:
    """Write one object as indented JSON."""
    with new_file(path) as file:
        json.dump(found, file, indent=2)
        file.write("\n")


def repeat_command(output: Path, settings: Settings) -> str:
    """Return the commands that repeat a run in another folder; they work in any folder of this machine.

    The paths in the recipe of a run are those that its user gave, relative to the working directory.
    """
    again = output.with_name(f"{output.name}-again")
    data = data_options(settings.model_dump())
    train = shlex.join(["linnet", "train", str(output / RECIPE), "--output", str(again), *data])
    return f"cd {shlex.quote(str(Path.cwd()))}\n{train}"


def data_options(recipe: Mapping[str, Any]) -> list[str]:
    """Return the option that names the corpora of a recipe that lie in folders; nothing for corpora known by name."""
    if corpora := recipe.get("corpora"):
        paths = [f"{each['name']}={each['data']}" for each in corpora if _is_path(each["data"])]
    else:
        paths = [data for data in [recipe["data"]] if _is_path(data)]
    return ["--data", "+".join(paths)] if paths else []


def data_note(settings: Settings) -> str:
    """Return a sentence for cards: which data a run read, and how to name it where it lies elsewhere."""
    values = settings.model_dump()
    corpora = values.get("corpora") or ()
    places = ", ".join(f"`{each}`" for each in [corpus["data"] for corpus in corpora] or [values["data"]])
    if not data_options(values):
        return f"The run read the data {places}, which Linnet knows by name (`linnet corpus list`)."
    other = "NAME=FOLDER` (several are joined by `+`)" if corpora else "FOLDER`"
    return f"The run read the data {places}. Where that lies elsewhere, name it with `--data {other}."


def _is_path(data: str) -> bool:
    return not is_known_name(data) and (data != DEMO or Path(data).exists())


def versions(*packages: str) -> dict[str, str]:
    """Return the versions of Python, Linnet and the packages that a result depends on; a network's if not given."""
    named = packages or ("torch", "transformers", "tokenizers", "numpy")
    own = {"python": platform.python_version(), "linnet": __version__}
    return own | {name: _package_version(name) for name in named}


@cache
def _package_version(name: str) -> str:
    """Return the version of an installed package; its metadata, with all of its description, is parsed once."""
    return version(name)


def _check_writable(output: Path) -> None:
    """Refuse a folder that cannot be written to, before hours of training."""
    place = output
    while not place.exists() and not place.is_symlink():
        place = place.parent
    if not place.is_dir() or not os.access(place, os.W_OK | os.X_OK):
        what = "is no folder" if not place.is_dir() else "cannot be written to"
        raise BadFile(f"{output}: {place} {what}", "name another folder for the run (`--output`)")


def _check_apart(output: Path, sources: Iterable[str]) -> None:
    """Refuse to replace a run that the new run starts from."""
    for source in sources:
        check_path(Path(source))
        if Path(source).exists() and resolve_path(Path(source)).is_relative_to(resolve_path(output)):
            raise BadSetting(
                f"{source} is read by the run, and would be removed with {output}",
                "name another folder (`--output`)",
            )


def _check_recipe(settings: Settings, output: Path) -> None:
    differing = _differences(settings, output / RECIPE)
    if differing:
        raise BadFile(
            f"{output}: holds a run with other settings: {'; '.join(differing)}",
            "resume with the settings it was started with, or name another folder (`--output`)",
        )


def _empty(folder: Path) -> None:
    try:
        for entry in folder.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                remove_folder(entry)
            else:
                entry.unlink()
    except OSError as error:
        raise BadFile(f"{folder}: cannot be emptied ({error})", "check the folder's permissions") from None


def _why_no_run(recipe: Path) -> str:
    if not recipe.is_file():
        return f"there is no {recipe.name}"
    return f"{recipe.name} is of a run in another folder, or you are working in this one"


def _differences(settings: Settings, recipe: Path) -> list[str]:
    """Return where a recipe has other settings. Threads do not matter, nor defaults that were added since."""
    try:
        before = flatten(load_settings(type(settings), recipe).model_dump())
    except LinnetError:
        return [f"{recipe} cannot be read as settings of this task"]
    now = flatten(settings.model_dump())
    names = [name for name in {**before, **now} if name != "threads" and before.get(name) != now.get(name)]
    return [f"{short_name(name)} was {before.get(name)!r}, is {now.get(name)!r}" for name in names]
