"""Files of finished blocks: a line about the block, then a row for each document or prediction.

A file that is not as it was written is refused. Its block is computed again when the file is removed and the job
resumed.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, TypeVar

from linnet.errors import BadFile
from linnet.storage.files import new_file
from linnet.storage.json_keys import load_json

__all__ = ["count_rows", "read_block_file", "read_block_header", "write_block_file"]

H = TypeVar("H")
T = TypeVar("T")
Json = Mapping[str, Any]  # what JSON can hold
ROWS = "rows"  # how many follow the first line, so that a file that is cut off at the end of a line is recognised
encode = json.JSONEncoder(ensure_ascii=False).encode


def write_block_file(path: Path, about: Json, rows: Sequence[Json]) -> None:
    """Write a finished block; the file appears when it is complete."""
    with new_file(path) as file:
        file.write(json.dumps({**about, ROWS: len(rows)}) + "\n")  # in ASCII: a broken character may be what failed
        file.writelines(encode(row) + "\n" for row in rows)


def read_block_header(path: Path, parse_header: Callable[[Any], H]) -> H:
    """Return what the first line of a file says about its block.

    Raises:
        BadFile: where it is damaged.
    """
    with _open(path) as file:
        return parse_header(load_json(file.readline()))


def count_rows(path: Path) -> int:
    """Return how many rows the first line of a file announces."""
    return read_block_header(path, lambda about: int(about[ROWS]))


def read_block_file(
    path: Path, parse_header: Callable[[Any], H], parse_row: Callable[[Any, str], T]
) -> tuple[H, list[T]]:
    """Return what the first line of a file says about its block, and the rows.

    Args:
        path: of the file.
        parse_header: returns what the first line says; it may raise what a damaged line lets it raise.
        parse_row: returns what a row holds; it gets the row and its place for messages, and may raise likewise.

    Raises:
        BadFile: where it is damaged.
    """
    with _open(path) as file:
        about = load_json(file.readline())
        header = parse_header(about)
        rows = [parse_row(load_json(line), f"{path}:{number}") for number, line in enumerate(file, 2)]
        expected = about.get(ROWS, len(rows))  # blocks of older versions do not say it
        if len(rows) != expected:
            raise ValueError(f"it has {len(rows)} rows, expected {expected}")
    return header, rows


@contextmanager
def _open(path: Path) -> Iterator[TextIO]:
    """Open a file of a block; whatever its content lets Python raise becomes `BadFile`."""
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            yield file
    except BadFile as error:
        raise _damage_error(path, error.problem) from None
    except OSError as error:
        raise _damage_error(path, error.strerror or error) from None
    except (AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise _damage_error(path, f"{type(error).__name__}: {error}") from None


def _damage_error(path: Path, reason: object) -> BadFile:
    return BadFile(
        f"{path}: is not as it was written ({reason})",
        "remove this file and go on with `--resume`, which computes its block again",
    )
