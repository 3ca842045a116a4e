"""Limits on the length of a line and of a document, so that no file takes all memory.

The limit is the number of megabytes in the environment variable `LINNET_MAX_DOCUMENT_MB`, or 64.
"""

import io
import os
import sys
from collections.abc import Iterator

from linnet.errors import BadFile, BadSetting

__all__ = [
    "LimitedLines",
    "LimitedSize",
    "LineTooLong",
    "find_long_line",
    "longest_document",
    "refuse_long",
    "split_lines",
]

VARIABLE = "LINNET_MAX_DOCUMENT_MB"
USUAL = 64
MEGABYTE = 1_000_000
BLOCK = 1 << 16  # bytes that are read at once


class LineTooLong(Exception):
    """A line has more bytes than the limit."""


def longest_document() -> int:
    """Return how many bytes a line or a document may have.

    Raises:
        BadSetting: if the environment variable is not a number of megabytes.
    """
    given = os.environ.get(VARIABLE, "")
    if not given:
        return USUAL * MEGABYTE
    if not (given.isascii() and given.isdecimal() and len(given) < 10 and int(given)):
        raise BadSetting(
            f"{VARIABLE} is {given!r}, expected a whole number of megabytes from 1 on", f"e.g. {VARIABLE}={USUAL}"
        )
    return int(given) * MEGABYTE


def refuse_long(place: str, what: str) -> BadFile:
    """Return the error for a line, a document or a file at this place that is longer than the limit."""
    limit = longest_document() // MEGABYTE
    return BadFile(
        f"{place}: {what} is longer than {limit:,} MB",
        f"check the file; if this is right, allow more, e.g. `export {VARIABLE}={10 * limit}`",
    )


class LimitedSize:
    """Counts the size of a document while it is read, and refuses it above the limit."""

    def __init__(self, name: str) -> None:
        self._name, self._limit, self._size = name, longest_document(), 0

    def add(self, size: int) -> None:
        """Count what was read of the document.

        Raises:
            BadFile: if the document is longer than the limit.
        """
        self._size += size
        if self._size > self._limit:
            raise refuse_long(self._name, "a document")

    def restart(self) -> None:
        """Begin to count the next document."""
        self._size = 0


def split_lines(file: io.BufferedReader) -> Iterator[bytes | None]:
    """Yield the lines of a file with their ends; None stands for a line that is longer than the limit."""
    limit = longest_document()
    while line := file.readline(limit + 1):
        is_long = len(line) - line.endswith(b"\n") > limit
        while is_long and line and not line.endswith(b"\n"):
            line = file.readline(BLOCK)
        yield None if is_long else line


def find_long_line(file: io.BufferedReader) -> int:
    """Return the number of the first line that is longer than the limit, or 0."""
    return next((number for number, line in enumerate(split_lines(file), 1) if line is None), 0)


class LimitedLines(io.BufferedIOBase):
    """A file for `TextIOWrapper` that refuses a line above the limit before it is in memory.

    Closing this object leaves the file open.
    """

    def __init__(self, file: io.BufferedReader, limit: int | None) -> None:
        self._file, self._limit = file, sys.maxsize if limit is None else limit
        self._n_open = 0  # bytes after the last line end

    def readable(self) -> bool:
        """Return that this can be read."""
        return True

    def read1(self, size: int = -1, /) -> bytes:
        """Return the next block, whatever size is asked for, since the wrapper takes all.

        Raises:
            LineTooLong: if a line is longer than the limit.
        """
        block = self._file.read1(BLOCK)
        end = block.rfind(b"\n")
        self._n_open = len(block) - end - 1 if end >= 0 else self._n_open + len(block)
        if self._n_open > self._limit:
            raise LineTooLong
        return block

    def read(self, size: int | None = -1, /) -> bytes:
        """Return all that is left; the wrapper asks for nothing else."""
        return b"".join(iter(self.read1, b""))
