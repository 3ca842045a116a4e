"""Checks whether an output may be written: an existing one is replaced only on request (`--overwrite`)."""

from pathlib import Path

from linnet.errors import BadFile
from linnet.storage.files import writing
from linnet.storage.leftovers import remove_leftovers

__all__ = ["refuse_existing"]


def refuse_existing(*paths: Path | None, overwrite: bool) -> None:
    """Refuse to replace a file, or a folder that is not empty, without being asked to.

    Temporary files that killed commands have left beside the outputs are removed. Call it before the work is done, so
    that a refusal costs no time. Paths that are None are skipped.

    Raises:
        BadFile: where one of them exists.
    """
    for path in paths:
        if path is not None and not overwrite and _is_there(path):
            raise BadFile(f"{path}: exists already", "replace it with `--overwrite`, or name another output")
    for path in paths:
        if path is not None:
            remove_leftovers(path)


def _is_there(path: Path) -> bool:
    with writing(path):
        return path.is_file() or (path.is_dir() and any(path.iterdir()))
