"""Splits lines and cells of delimited vocabulary files, with errors that name file and line."""

import csv
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from linnet.errors import BadFile
from linnet.storage.files import read_lines

__all__ = [
    "SEPARATORS",
    "filled_lines",
    "find_separator",
    "read_header",
    "refuse_second_column",
    "rows_with_header",
    "split_list",
]

TAB = "\t"
QUOTATION_MARKS = "close every quotation mark, and double those inside of a cell"
SEPARATORS = {  # of cells, with what to do about a row that has too many
    TAB: "separate cells with one tab, and have no tab inside a cell",
    ",": "put cells with a comma inside in quotation marks",
    ";": "put cells with a semicolon inside in quotation marks",
}


def filled_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines of a file that are not blank."""
    for number, line in read_lines(path):
        if line.strip():
            yield number, line


def split_list(cell: str) -> tuple[str, ...]:
    """Return the parts of a cell that are separated by `|`, without empty ones and the `-` that stands for nothing."""
    return tuple(part.strip() for part in cell.split("|") if part.strip() not in ("", "-"))


def read_header(head: str, separator: str = TAB) -> list[str]:
    """Return the names of the columns in the first line that is not blank, in small letters."""
    first = next((line for line in head.split("\n") if line.strip()), "")
    try:
        cells = first.split(TAB) if separator == TAB else next(csv.reader([first], delimiter=separator), [])
    except csv.Error:  # of a file that is no text
        return []
    return _name_columns(cells)


def find_separator(head: str, columns: Collection[str]) -> str:
    """Return what stands between the cells of a table whose header has these columns; a tab if nothing else does."""
    return next((each for each in SEPARATORS if set(columns) <= set(read_header(head, each))), TAB)


def rows_with_header(path: Path, separator: str = TAB) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Yield each row of a table with a header as cells by column, with its line.

    Args:
        path: of the table.
        separator: what stands between the cells; beside a comma or a semicolon, cells may have quotation marks.

    Raises:
        BadFile: where two columns have one name, a row has more cells than the header, or a quotation mark is wrong.
    """
    columns: list[str] = []
    for number, cells in _split_rows(path, separator):
        if not columns:
            columns = _name_columns(cells)
            refuse_second_column(columns, f"{path}:{number}")
        elif len(cells) > len(columns):
            raise BadFile(
                f"{path}:{number}: has {len(cells)} cells, the header has {len(columns)}", SEPARATORS[separator]
            )
        else:
            yield number, dict(zip(columns, [*cells, *[""] * (len(columns) - len(cells))], strict=True))


def refuse_second_column(columns: Sequence[str], place: str) -> None:
    """Refuse a header in which two columns have one name: one of them would be dropped."""
    for column in filter(None, columns):
        if columns.count(column) > 1:
            raise BadFile(f"{place}: the column {column!r} stands twice in the header", "rename one, or join the two")


def _name_columns(cells: Sequence[str]) -> list[str]:
    return [cell.strip().lower() for cell in cells]


def _split_rows(path: Path, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row that is not blank, with its line."""
    if separator == TAB:
        return ((number, line.split(TAB)) for number, line in filled_lines(path))
    return _split_quoted(path, separator)


def _split_quoted(path: Path, separator: str) -> Iterator[tuple[int, list[str]]]:
    rows = csv.reader((f"{line}\n" for _, line in read_lines(path)), delimiter=separator, strict=True)
    number = 1
    while True:
        try:
            cells = next(rows, None)
        except csv.Error as error:
            raise BadFile(f"{path}:{number}: the cells cannot be told apart ({error})", QUOTATION_MARKS) from None
        if cells is None:
            return
        if any("\n" in cell for cell in cells):
            raise BadFile(f"{path}:{number}: a cell has a line break", "write the cell on one line")
        if any(cell.strip() for cell in cells):
            yield number, cells
        number = rows.line_num + 1
