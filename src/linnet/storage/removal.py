"""Removes folders, also where few files may be open, and tells what could not be removed."""

import os
import shutil
from contextlib import suppress
from errno import EMFILE, ENFILE
from pathlib import Path

__all__ = ["remove_folder", "remove_remains"]


def remove_folder(folder: Path) -> None:
    """Remove a folder with all that is in it, if it is there.

    Raises:
        OSError: where something in it cannot be removed.
    """
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        if folder.is_dir():
            raise
    except OSError as error:  # `rmtree` keeps a file open for each level of folders
        if error.errno not in (EMFILE, ENFILE):
            raise
        _remove_with_one_open_file(folder)


def remove_remains(folder: Path) -> None:
    """Remove a temporary folder; what cannot be removed stays until the next start, which tries it again."""
    with suppress(OSError):
        remove_folder(folder)


def _remove_with_one_open_file(folder: Path) -> None:
    with os.scandir(folder) as entries:
        found = [(Path(entry.path), entry.is_dir(follow_symlinks=False)) for entry in entries]
    for path, is_folder in found:
        if is_folder:
            _remove_with_one_open_file(path)
        else:
            path.unlink()
    folder.rmdir()
