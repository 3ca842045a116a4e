"""How is a folder kept from being worked in by two processes at once?

The folder itself is locked: nothing is left behind, and a process that was killed holds nothing. Where the system has
no such locks (Windows, some network drives) nobody is kept out.
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
    """Hold a folder, which must be there, for as long as the work in it lasts, and say whether others are kept out.

    Raises:
        BadFile: where another process holds it, or has just ended its work and removed it.
    """
    if fcntl is None:
        yield False
        return
    is_locked = True
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except FileNotFoundError:
        raise _at_work(folder) from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _at_work(folder) from None
        except OSError:
            is_locked = False  # a drive without locks
        if not _is_there(folder, descriptor):
            raise _at_work(folder)
        yield is_locked
    finally:
        os.close(descriptor)


def _at_work(folder: Path) -> BadFile:
    return BadFile(f"{folder}: another process is at work in this folder", "wait for it to end, or name another folder")


def _is_there(folder: Path, descriptor: int) -> bool:
    """Is it still the folder that was opened? A lock on one that was removed since keeps nobody out."""
    try:
        return os.path.samestat(os.fstat(descriptor), folder.stat())
    except FileNotFoundError:
        return False
