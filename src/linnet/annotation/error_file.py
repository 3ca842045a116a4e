"""Records failures in errors.jsonl, the file that all jobs of a folder share.

A job replaces the rows of its own output and keeps all other lines. Only one job at a time does so. Rows are written as
they come, so their number is not limited by memory.
"""

import filecmp
import json
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path

from linnet.annotation.blocks import Failure
from linnet.storage.durable import rename_durably
from linnet.storage.files import new_binary_file, writing
from linnet.storage.folder_lock import lock_file

__all__ = ["replace_failures", "write_failures"]


def write_failures(path: Path, failures: Iterable[Failure], *, output: str) -> None:
    """Write a file of failures, if there are any; `output` is the name that each row has."""
    rows = _format_rows(failures, output)
    if first := list(islice(rows, 1)):
        _write_lines(path, chain(first, rows))


def replace_failures(path: Path, failures: Iterable[Failure], *, output: str, part: Path) -> None:
    """Replace the failures that an earlier job recorded for this output.

    Args:
        path: of the file, which is removed if nothing is left in it.
        failures: of the job.
        output: name of the output that the job has written.
        part: where the new content is written, on the same drive.
    """
    rows = _format_rows(failures, output)
    first = list(islice(rows, 1))
    with writing(path):
        try:
            with lock_file(path, create=bool(first)):
                _replace_rows(path, chain(first, rows), output, part)
        except FileNotFoundError:
            if first:
                raise


def _replace_rows(path: Path, rows: Iterable[bytes], output: str, part: Path) -> None:
    n_changes = 0

    def lines() -> Iterator[bytes]:
        nonlocal n_changes
        for line in _read_lines(path):
            if _is_row_of(line, output):
                n_changes += 1
            else:
                yield line
        for row in rows:
            n_changes += 1
            yield row

    n_lines = _write_lines(part, lines())
    if n_changes and not n_lines:
        path.unlink()
    elif n_changes and not (path.exists() and filecmp.cmp(path, part, shallow=False)):
        rename_durably(part, path)
    part.unlink(missing_ok=True)


def _read_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of the file without their ends; none where it is missing, as on systems without locks."""
    if path.exists():
        with path.open("rb") as file:
            for line in file:
                yield line.removesuffix(b"\n")


def _format_rows(failures: Iterable[Failure], output: str) -> Iterator[bytes]:
    for each in failures:
        row = {"output": output, "document": each.document, "reason": each.reason}
        row |= {"id": each.id} if each.id else {}
        # a lone surrogate, which UTF-8 cannot hold, becomes its JSON escape
        yield json.dumps(row, ensure_ascii=False).encode("utf-8", "backslashreplace")


def _is_row_of(line: bytes, output: str) -> bool:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):  # not a line of ours
        return False
    return isinstance(row, dict) and row.get("output") == output


def _write_lines(path: Path, lines: Iterable[bytes]) -> int:
    n_lines = 0
    with new_binary_file(path) as file:
        for line in lines:
            file.write(line + b"\n")
            n_lines += 1
    return n_lines
