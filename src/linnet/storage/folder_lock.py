"""Locks a folder, so that one process at a time works in it, or a file, so that one at a time replaces it.

The folder or file itself is locked (flock): no lock file is left behind, and the lock of a killed process is released.
On systems without such locks (Windows, some network drives) other processes are not kept out.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from linnet.errors import BadFile

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ["lock_at_once", "lock_file", "lock_folder"]


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


@contextmanager
def lock_file(path: Path, *, create: bool) -> Iterator[None]:
    """Wait until no other process has locked the file, and lock it while the block runs; the block may replace it.

    Args:
        path: of the file.
        create: create an empty file if there is none.

    Raises:
        FileNotFoundError: if there is no file and none is to be created.
    """
    if fcntl is None:
        yield
        return
    descriptor = _open_locked(path, os.O_RDONLY | (os.O_CREAT if create else 0))
    try:
        yield
    finally:
        os.close(descriptor)


def lock_at_once(descriptor: int) -> bool:
    """Lock an open file until it is closed; return False if another process has locked it."""
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass  # a drive without locks
    return True


def _open_locked(path: Path, flags: int) -> int:
    """Return the locked file of this name, which another process may replace or remove while we wait for its lock."""
    while True:
        descriptor = os.open(path, flags, 0o666)
        try:
            with suppress(OSError):  # a drive without locks
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            if _is_same(path, descriptor):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _lock_error(folder: Path) -> BadFile:
    return BadFile(f"{folder}: another process is at work in this folder", "wait for it to end, or name another folder")


def _is_same(path: Path, descriptor: int) -> bool:
    """Is it still the folder or file that was opened? A lock on a removed one keeps nobody out."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
