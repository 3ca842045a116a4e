"""Atomic renames that survive a power cut: content and name reach the disk (fsync).

A file is written under a temporary name, `.NAME.X.part`, and renamed when it is complete. Its content is synced before
that, and its folder after it. Otherwise a power cut may leave an empty file under the final name. Files in a temporary
folder are not synced one by one: the folder is synced as a whole, before it gets its own name.
"""

import errno
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from linnet.storage.folder_lock import lock_file
from linnet.storage.removal import remove_remains

__all__ = ["is_part", "make_folder", "remove_parts", "rename_durably", "replacing", "sync"]

MOST_FILES = 64  # synced one by one; for more of them the whole file system is synced once
FILE_PART = re.compile(r"\..+\.(?:\d+|safetensors)\.part")  # the second from earlier versions
FOLDER_PART = re.compile(r"\..+\.[a-z0-9_]{8}\.part")  # eight random characters
NOT_SYNCED_HERE = {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.EACCES, errno.EPERM, errno.EBADF, errno.EISDIR}
TO_SYNC = os.O_RDWR if os.name == "nt" else os.O_RDONLY


def rename_durably(new: Path, path: Path, *, replace_folder: bool = False) -> None:
    """Give a complete file or folder its final name; both are on the disk when this returns.

    Args:
        new: the complete file or folder.
        path: its final name; a file of that name is replaced.
        replace_folder: also replace a folder with files in it.
    """
    is_promised = not any(map(is_part, path.parent.parts))
    if is_promised:
        _sync_content(new)
    if replace_folder and path.is_dir():
        _replace_folder(new, path)
    else:
        new.replace(path)
    if is_promised:
        sync(path.parent)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path for a file, which is renamed to `path` if no error occurs, and removed otherwise."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        make_folder(path.parent)
        with lock_file(part, create=True):
            yield part
            rename_durably(part, path)
    finally:
        part.unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, and sync the names of the new ones."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for each in reversed(missing):
        sync(each.parent)


def sync(path: Path) -> None:
    """Write a file, or the names in a folder, to the disk, where the file system can do that."""
    try:
        descriptor = os.open(path, TO_SYNC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno not in NOT_SYNCED_HERE:
            raise


def is_part(name: str) -> bool:
    """Is this the name of a temporary file or folder?"""
    return name.startswith(".") and name.endswith(".part")


def remove_parts(folder: Path, *, below: Iterable[str] = ()) -> None:
    """Remove the temporary files and folders that killed processes have left in a folder.

    The caller must have locked the folder, so that no living process owns them.

    Args:
        folder: to look at.
        below: folders in it, which are looked at with all that is in them.
    """
    places = [folder]
    for name in below:
        places += [Path(place) for place, _, _ in os.walk(folder / name)]
    for entry in [entry for place in places for entry in place.iterdir()]:
        if FILE_PART.fullmatch(entry.name) and entry.is_file() and not entry.is_symlink():
            with suppress(OSError):  # it stays until the next start
                entry.unlink()
        elif FOLDER_PART.fullmatch(entry.name) and entry.is_dir() and not entry.is_symlink():
            remove_remains(entry)


def _replace_folder(new: Path, path: Path) -> None:
    """Move the old folder aside, and remove it when the new one has its name: what fails before that loses nothing."""
    if path.is_symlink():
        raise OSError(errno.ENOTDIR, "it is a link to a folder")
    aside = path.with_name(f".{path.name}.{token_hex(4)}.part")
    path.replace(aside)
    try:
        new.replace(path)
    except OSError:
        aside.replace(path)
        raise
    remove_remains(aside)


def _sync_content(new: Path) -> None:
    if not new.is_dir():
        sync(new)
        return
    folders = list(os.walk(new))
    files = [Path(folder, name) for folder, _, names in folders for name in names]
    if len(files) > MOST_FILES and hasattr(os, "sync"):
        os.sync()
        return
    for path in (*files, *(Path(folder) for folder, _, _ in folders)):
        sync(path)
