"""Splits lines and cells of delimited vocabulary files, with errors that name file and line."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from linnet.errors import BadFile
from linnet.storage.files import read_lines

__all__ = ["filled_lines", "read_header", "refuse_second_column", "rows_with_header", "split_list"]


def filled_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines of a file that are not blank."""
    for number, line in read_lines(path):
        if line.strip():
            yield number, line


def split_list(cell: str) -> tuple[str, ...]:
    """Return the parts of a cell that are separated by `|`, without empty ones and the `-` that stands for nothing."""
    return tuple(part.strip() for part in cell.split("|") if part.strip() not in ("", "-"))


def read_header(head: str) -> list[str]:
    """Return the names of the columns in the first line that is not blank, in small letters."""
    first = next((line for line in head.split("\n") if line.strip()), "")
    return [cell.strip().lower() for cell in first.split("\t")]


def rows_with_header(path: Path) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Yield each row of a table with tabs and a header as cells by column, with its line.

    Raises:
        BadFile: where two columns have one name, or a row has more cells than the header.
    """
    columns: list[str] = []
    for number, line in filled_lines(path):
        cells = line.split("\t")
        if not columns:
            columns = read_header(line)
            refuse_second_column(columns, f"{path}:{number}")
        elif len(cells) > len(columns):
            raise BadFile(
                f"{path}:{number}: has {len(cells)} cells, the header has {len(columns)}",
                "separate cells with one tab, and have no tab inside a cell",
            )
        else:
            yield number, dict(zip(columns, [*cells, *[""] * (len(columns) - len(cells))], strict=True))


def refuse_second_column(columns: Sequence[str], place: str) -> None:
    """Refuse a header in which two columns have one name: one of them would be dropped."""
    for column in filter(None, columns):
        if columns.count(column) > 1:
            raise BadFile(f"{place}: the column {column!r} stands twice in the header", "rename one, or join the two")
