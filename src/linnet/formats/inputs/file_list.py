"""Lists the files of a folder in the order of names, also millions of them, without keeping them in memory.

Up to 20,000 names of a folder are sorted in memory. More are sorted in parts, which are kept on disk and merged.
"""

import heapq
import json
import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from tempfile import SpooledTemporaryFile, TemporaryFile, gettempdir
from typing import IO, Generic, NamedTuple, TypeVar

from linnet.contracts import Notes
from linnet.storage.files import writing

__all__ = ["NO_REGULAR_FILE", "Spooled", "files_below", "opening_problem", "sorted_names"]

T = TypeVar("T")
NO_REGULAR_FILE = "is not a regular file"
MOST_NAMES = 20_000  # sorted at once
MOST_BYTES = 1 << 20  # of a list in memory
BLOCK = 1 << 14  # bytes read at once of each sorted part


class _Kind(NamedTuple):
    """What an entry of a folder is, behind a link too; the problem is why it cannot be read."""

    is_link: bool
    is_folder: bool = False
    problem: str = ""


class Spooled(Generic[T]):
    """A list of records that is kept on disk if it is long; it can be read several times."""

    def __init__(self, records: Iterable[T], *, to_row: Callable[[T], object], from_row: Callable[..., T]) -> None:
        self._file = SpooledTemporaryFile(MOST_BYTES)  # noqa: SIM115 — closed with the list
        self._from_row, self._size = from_row, 0
        for record in records:
            with writing(Path(gettempdir())):
                self._file.write(_encode(to_row(record)))
            self._size += 1

    def __del__(self) -> None:
        self._file.close()

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[T]:
        at = 0
        while True:
            self._file.seek(at)  # somebody else may read the list too
            lines = self._file.readlines(BLOCK)
            at = self._file.tell()
            if not lines:
                return
            for line in lines:
                yield self._from_row(*json.loads(line))


def files_below(folder: Path, notes: Notes, leaving_out: Collection[Path]) -> Iterator[tuple[Path, str]]:
    """Yield the files of a folder and its folders in the order of names, without hidden ones; with their problems."""
    names_left_out = {each.name for each in leaving_out}
    for name in sorted_names(folder):
        if name.startswith("."):
            continue
        entry = folder / name
        kind = _look_at(entry)
        if (name in names_left_out or kind.is_link) and _resolve(entry) in leaving_out:
            continue
        if kind.problem or not kind.is_folder:
            yield entry, kind.problem
        elif kind.is_link:  # it may lead to a loop
            notes.add("links to folders left aside", str(entry))
        else:
            yield from files_below(entry, notes, leaving_out)


def opening_problem(path: Path) -> str:
    """Return why a file cannot be opened; what is no regular file, such as a pipe, is not tried."""
    try:
        if stat.S_ISREG(path.stat().st_mode):
            path.open("rb").close()
    except OSError as error:
        return f"{path}: cannot be read ({error.strerror})"
    return ""


def sorted_names(folder: Path) -> Iterator[str]:
    """Yield the names in a folder in order."""
    with ExitStack() as files:
        parts: list[Iterable[str]] = []
        file: IO[bytes] | None = None
        with os.scandir(folder) as entries:
            names = (entry.name for entry in entries)
            while found := sorted(islice(names, MOST_NAMES)):
                if not parts and len(found) < MOST_NAMES:
                    parts.append(found)
                    break
                file = file or files.enter_context(TemporaryFile())
                parts.append(_read_part(file, *_write_part(found, file)))
        yield from heapq.merge(*parts)


def _resolve(path: Path) -> Path | None:
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # a link to itself
        return None


def _look_at(path: Path) -> _Kind:
    """Return what stands under this name; a file is opened later."""
    is_link = False
    try:
        mode = path.lstat().st_mode
        if is_link := stat.S_ISLNK(mode):
            mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            os.scandir(path).close()
            return _Kind(is_link, is_folder=True)
    except OSError as error:
        return _Kind(is_link, problem=f"{path}: cannot be read ({error.strerror})")
    return _Kind(is_link, problem="" if stat.S_ISREG(mode) else f"{path}: {NO_REGULAR_FILE}")


def _write_part(names: list[str], file: IO[bytes]) -> tuple[int, int]:
    """Append sorted names, and return where they begin and end."""
    start = file.tell()
    with writing(Path(gettempdir())):
        file.writelines(map(_encode, names))
        return start, file.tell()


def _read_part(file: IO[bytes], start: int, end: int) -> Iterator[str]:
    rest = b""
    while start < end:
        file.seek(start)
        block = file.read(min(BLOCK, end - start))
        start += len(block)
        *lines, rest = (rest + block).split(b"\n")
        yield from map(json.loads, lines)


def _encode(row: object) -> bytes:
    """Return a line of ASCII, which holds any name: also one with line ends, or that is not UTF-8."""
    return json.dumps(row).encode("ascii") + b"\n"
