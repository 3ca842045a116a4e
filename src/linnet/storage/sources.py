"""Opens files, pipes and standard input for reading, and reports the bytes that are read."""

import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, cast

from linnet.errors import BadFile
from linnet.storage.pipes import open_file

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

__all__ = ["STANDARD_INPUT", "open_source", "peek_standard_input", "read_stored", "watching_bytes"]

STANDARD_INPUT = Path("standard input")  # compared by identity, because a file may have this name
BYTES_WATCHER: ContextVar[Callable[[int], None] | None] = ContextVar("bytes_watcher", default=None)
WATCHED_BLOCK = 1 << 16  # bytes


@contextmanager
def open_source(path: Path) -> Iterator[io.BufferedReader]:
    """Open a file, a pipe or `STANDARD_INPUT` for reading the bytes as they are stored.

    Raises:
        BadFile: at the end, if the file was shortened while it was open.
        OSError: if it cannot be opened or read.
    """
    with _open(path) as file:
        size = _size(file)
        yield file
        if _size(file) < size:
            raise BadFile(f"{path}: was shortened while it was read", "wait until it is complete, then start again")


def peek_standard_input() -> str:
    """Return the beginning of standard input, as far as it is there at once, and leave all of it to be read."""
    peek = getattr(sys.stdin.buffer, "peek", None)
    return peek(WATCHED_BLOCK).decode("utf-8-sig", "replace") if peek else ""


def read_stored(path: Path) -> bytes:
    """Return all bytes of a file or pipe as they are stored."""
    with open_source(path) as file:
        return file.read()


@contextmanager
def watching_bytes(watcher: Callable[[int], None] | None) -> Iterator[None]:
    """Report every read of the files that are opened meanwhile: `watcher` gets the number of bytes."""
    token = BYTES_WATCHER.set(watcher)
    try:
        yield
    finally:
        BYTES_WATCHER.reset(token)


def _open(path: Path) -> io.BufferedReader:
    if path is STANDARD_INPUT:
        return io.BufferedReader(_Borrowed())
    watcher = BYTES_WATCHER.get()
    if watcher is None:
        return io.BufferedReader(open_file(path))
    return io.BufferedReader(_Watched(open_file(path), watcher), WATCHED_BLOCK)


def _size(file: io.BufferedReader) -> int:
    """Return the size of a file on disk; 0 for everything else."""
    try:
        found = os.fstat(file.fileno())
    except OSError:  # standard input or a pipe
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0


class _Watched(io.RawIOBase):
    """A file that reports how many bytes are read from it."""

    def __init__(self, file: io.RawIOBase, watcher: Callable[[int], None]) -> None:
        self.file, self.watcher = file, watcher

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.file.fileno()

    def readinto(self, buffer: "WriteableBuffer") -> int:
        n_bytes = self.file.readinto(buffer) or 0
        self.watcher(n_bytes)
        return n_bytes

    def close(self) -> None:
        self.file.close()
        super().close()


class _Borrowed(io.RawIOBase):
    """Standard input, which stays open when this object is closed."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        return cast("io.BufferedReader", sys.stdin.buffer).readinto1(buffer)
