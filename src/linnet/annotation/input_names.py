"""Keeps the names of the files of a job's input, to tell which file is gone or new when the job is resumed."""

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from linnet.annotation.counted_inputs import Files
from linnet.formats.inputs.file_list import Spooled
from linnet.storage.files import new_file

__all__ = ["NAMES", "describe_changes", "keep_names"]

NAMES = "files.jsonl"  # in the folder of the job, one name on each line


def keep_names(folder: Path, files: Files) -> None:
    """Write the names of the files of an input folder into the folder of a job, unless they are there."""
    path = folder / NAMES
    if isinstance(files, Spooled) and not path.exists():
        with new_file(path) as file:
            file.writelines(json.dumps(str(each.path)) + "\n" for each in files)


def describe_changes(folder: Path, files: Files) -> str:
    """Return which files are gone or new since the job was begun; empty if none is, or the names were not kept."""
    path = folder / NAMES
    if not isinstance(files, Spooled) or not path.is_file():
        return ""
    with path.open(encoding="ascii") as kept:
        changes = list(_compare(map(json.loads, kept), (str(each.path) for each in files)))
    sentences = (_describe([name for name, how in changes if how == what], what) for what in ("gone", "new"))
    return ", ".join(filter(None, sentences))


def _describe(names: list[str], what: str) -> str:
    if not names:
        return ""
    others = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
    return f"{names[0]}{others} {'are' if others else 'is'} {what} since the job was begun"


def _compare(before: Iterator[str], now: Iterator[str]) -> Iterator[tuple[str, str]]:
    """Yield each name that is only in one of the two, which are in the same order, without keeping all of them."""
    old, new = next(before, None), next(now, None)
    while old is not None and new is not None:
        if old == new:
            old, new = next(before, None), next(now, None)
        elif Path(old).parts < Path(new).parts:
            yield old, "gone"
            old = next(before, None)
        else:
            yield new, "new"
            new = next(now, None)
    yield from ((name, "gone") for name in chain([old] if old is not None else [], before))
    yield from ((name, "new") for name in chain([new] if new is not None else [], now))
