"""Locks a folder so that one process at a time works in it.

The folder itself is locked (flock): no lock file is left behind, and the lock of a killed process is released. On
systems without such locks (Windows, some network drives) other processes are not kept out.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from linnet.errors import BadFile

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ["lock_folder"]


@contextmanager
def lock_folder(folder: Path) -> Iterator[bool]:
    """Lock an existing folder while the block runs, and yield whether other processes are kept out.

    Raises:
        BadFile: if another process has locked the folder, or has just removed it.
    """
    if fcntl is None:
        yield False
        return
    is_locked = True
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except FileNotFoundError:
        raise _lock_error(folder) from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _lock_error(folder) from None
        except OSError:
            is_locked = False  # a drive without locks
        if not _is_same(folder, descriptor):
            raise _lock_error(folder)
        yield is_locked
    finally:
        os.close(descriptor)


def _lock_error(folder: Path) -> BadFile:
    return BadFile(f"{folder}: another process is at work in this folder", "wait for it to end, or name another folder")


def _is_same(folder: Path, descriptor: int) -> bool:
    """Is it still the folder that was opened? A lock on a removed folder keeps nobody out."""
    try:
        return os.path.samestat(os.fstat(descriptor), folder.stat())
    except FileNotFoundError:
        return False
