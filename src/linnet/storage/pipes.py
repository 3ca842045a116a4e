"""Opens files, and pipes so that they can be read again from the start.

A pipe (a process substitution, a named pipe, `/dev/stdin`) gives its bytes only once, but its format is found by
reading its beginning. What is read from a pipe is therefore kept, in memory first and then in a temporary file, until
the process ends. Every reader of the same pipe begins at its start.
"""

import atexit
import io
import os
import stat
import tempfile
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from linnet.errors import BadFile

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

__all__ = ["is_pipe", "open_file"]

KEPT_IN_MEMORY = 1 << 20  # bytes; more are kept in a temporary file


def is_pipe(path: Path) -> bool:
    """Is this a pipe or a device, which can be read only once?"""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def open_file(path: Path) -> io.RawIOBase:
    """Open a file, or a pipe from its start, without a buffer.

    Raises:
        OSError: if it cannot be opened.
    """
    found = path.stat()
    if stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode):
        return path.open("rb", buffering=0)
    return _PipeReader(PIPES.find(path, found))


class _Pipe:
    """A pipe, and all that has been read from it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = Lock()
        self._file = path.open("rb", buffering=0)
        self._kept = tempfile.SpooledTemporaryFile(KEPT_IN_MEMORY)  # noqa: SIM115 (closed by `close`)
        atexit.register(self.close)
        self._n_kept = 0
        self._ended: os.stat_result | None = None  # the pipe when all its writers had closed it

    def is_of(self, found: os.stat_result) -> bool:
        """Has nothing been written to the pipe since its end was read?"""
        return self._ended is None or self._ended.st_mtime_ns == found.st_mtime_ns

    def read(self, position: int, size: int) -> bytes:
        """Return up to `size` bytes from a position that is kept or the next one."""
        with self._lock:
            if position == self._n_kept:
                return self._read_more(size)
            self._kept.seek(position)
            return self._kept.read(size)

    def close(self) -> None:
        """Forget what was read."""
        atexit.unregister(self.close)
        self._file.close()
        self._kept.close()

    def _read_more(self, size: int) -> bytes:
        if self._ended:
            return b""
        more = self._file.read(size) or b""
        if not more:
            self._ended = os.fstat(self._file.fileno())
            self._file.close()
            return b""
        try:
            self._kept.seek(self._n_kept)
            self._kept.write(more)
        except OSError as error:
            raise BadFile(
                f"{self.path}: this is a pipe, and a temporary copy of it cannot be written ({error.strerror})",
                "name a folder with more space in TMPDIR, or write the pipe to a file first",
            ) from None
        self._n_kept += len(more)
        return more


class _PipeReader(io.RawIOBase):
    """Reads a pipe from its start."""

    def __init__(self, pipe: _Pipe) -> None:
        self._pipe, self._position = pipe, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        room = memoryview(buffer)
        content = self._pipe.read(self._position, len(room))
        room[: len(content)] = content
        self._position += len(content)
        return len(content)


class _Pipes:
    """All pipes that this process has opened, by device and number."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pipe_by_key: dict[tuple[int, int], _Pipe] = {}

    def find(self, path: Path, found: os.stat_result) -> _Pipe:
        key = found.st_dev, found.st_ino
        with self._lock:
            pipe = self._pipe_by_key.get(key)
            if pipe is not None and not pipe.is_of(found):
                pipe.close()
                pipe = None
            if pipe is None:
                pipe = self._pipe_by_key[key] = _Pipe(path)
            return pipe


PIPES = _Pipes()  # of the whole process, because a pipe can be read only once in it
