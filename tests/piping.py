"""Pipes for tests: a path that gives its bytes only once, as a process substitution does."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

__all__ = ["piped", "through_fifo"]


@contextmanager
def piped(content: bytes) -> Iterator[Path]:
    """Yield the path of a pipe (`/dev/fd/N`) that a thread writes the content to."""
    reading, writing = os.pipe()
    writer = Thread(target=_write, args=(writing, content), daemon=True)
    writer.start()
    try:
        yield Path(f"/dev/fd/{reading}")
    finally:
        os.close(reading)


@contextmanager
def through_fifo(path: Path, content: bytes) -> Iterator[Path]:
    """Yield the path of a named pipe that a thread writes the content to once."""
    if not path.exists():
        os.mkfifo(path)
    writer = Thread(target=lambda: _write(os.open(path, os.O_WRONLY), content), daemon=True)
    writer.start()
    yield path


def _write(descriptor: int, content: bytes) -> None:
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
    except BrokenPipeError:
        pass  # the reader has stopped
