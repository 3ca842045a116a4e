"""Writes and reads tables for spreadsheets (.tsv, .csv), and shortens text to fit into a cell.

A spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a formula and computes it, also where white space
or quotation marks stand before that. Such a cell is escaped: an apostrophe is put before it. The same holds for a cell
that would look escaped. Negative numbers stay numbers. `unescape_cell` undoes this, and `read_rows` does so for every
cell.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from linnet.errors import BadFile
from linnet.storage.files import new_file, open_text, read_lines
from linnet.storage.limits import longest_document

__all__ = ["escape_cell", "first_words", "read_csv_lines", "read_rows", "unescape_cell", "write_rows", "write_table"]

NEEDS_QUOTES = re.compile('[",\r\n]')
ENDS_A_CELL = re.compile("\r\n|[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")  # some of them end a line for some readers only


AS_WRITTEN = "give a file as Linnet wrote it, or as a spreadsheet saved it"
LONGEST_FIELD = 2**31 - 1  # of CSV, in which Python else allows 131,072 characters
ESCAPE = "'"
# with the full-width signs, which some spreadsheets take for the others
FORMULA = re.compile("['\"\\s]*[=+\\-@\uff1d\uff0b\uff0d\uff20]|['\"]*[\t\r\n]")
NUMBER = re.compile(r"-[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?")  # as Python writes it


def escape_cell(cell: str) -> str:
    """Return the cell with an apostrophe before it where a spreadsheet would take it for a formula.

    >>> escape_cell("=1+1"), escape_cell("'=1+1"), escape_cell("gout"), escape_cell("-0.5")
    ("'=1+1", "''=1+1", 'gout', '-0.5')
    """
    return f"{ESCAPE}{cell}" if FORMULA.match(cell) and not NUMBER.fullmatch(cell) else cell


def unescape_cell(cell: str) -> str:
    """Return the cell as it was before `escape_cell`."""
    return cell[len(ESCAPE) :] if cell.startswith(ESCAPE) and FORMULA.match(cell) else cell


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[Iterable[str]]) -> None:
    """Write a header and rows, without formulas: with commas and quotes to `.csv`, with tabs to other files.

    Between tabs, cells are not quoted, and tabs and line ends in them become spaces.
    """
    if path.suffix == ".csv":
        write_table(path, columns, rows)
        return
    with new_file(path) as file:
        for row in chain([columns], rows):
            file.write("\t".join(escape_cell(ENDS_A_CELL.sub(" ", cell)) for cell in row) + "\n")


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Iterable[str]]) -> None:
    """Write a header and rows with commas and quotes, without formulas, whatever the file is called."""
    with new_file(path) as file:
        for row in chain([columns], rows):
            line = ",".join(_quote(escape_cell(cell)) for cell in row)
            file.write((line or '""') + "\n")  # one empty cell is no empty line, which readers skip


def _quote(cell: str) -> str:
    """Return a cell of a table with commas; `csv` leaves a single carriage return unquoted, which ends a row."""
    return '"' + cell.replace('"', '""') + '"' if NEEDS_QUOTES.search(cell) else cell


def read_rows(path: Path) -> Iterator[dict[str, str]]:
    """Yield the rows that `write_rows` wrote, each by the names of its columns.

    Raises:
        BadFile: where a row has not as many cells as the header.
    """
    columns: list[str] = []
    for number, row in _read_cells(path):
        cells = [unescape_cell(cell) for cell in row]
        if not columns:
            columns = cells
        elif len(cells) != len(columns):
            raise BadFile(
                f"{path}:{number}: expected {len(columns)} cells, found {len(cells)}",
                AS_WRITTEN,
            )
        else:
            yield dict(zip(columns, cells, strict=True))


def read_csv_lines(path: Path) -> list[tuple[int, list[str]]]:
    """Return the first line number and the values of each row; a row may have several lines.

    Raises:
        BadFile: with file and line where a quote is not closed, or stands where none may be.
    """
    lines: list[tuple[int, list[str]]] = []
    usual = csv.field_size_limit(min(longest_document(), LONGEST_FIELD))  # is the whole process's
    try:
        with open_text(path) as file:
            reader = csv.reader(file, strict=True)
            start = 1  # a row may have several lines
            for values in reader:
                if values:
                    lines.append((start, values))
                start = reader.line_num + 1
    except csv.Error as error:
        raise BadFile(
            f"{path}:{start}: broken CSV ({error})",
            "put a value that holds quotes or line ends between double quotes, and close them",
        ) from None
    finally:
        csv.field_size_limit(usual)
    return lines


def first_words(text: str, most: int) -> str:
    """Return the text, cut between words to at most so many characters, with an ellipsis if it was cut."""
    if len(text) <= most:
        return text
    kept = text[:most]
    words, space, _ = kept.rpartition(" ")
    return f"{words if space and words.strip() else kept}…"


def _read_cells(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row, with the number of its last line."""
    if path.suffix == ".csv":
        yield from read_csv_lines(path)
    else:
        for number, line in read_lines(path):
            yield number, line.split("\t")
