"""How are rows of named values read from TSV, CSV and JSON lines, each with its place?"""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linnet.compression import unpacked_name
from linnet.errors import BadFile
from linnet.files import open_text, read_lines
from linnet.formats.corpus import split_paths

__all__ = ["Row", "read_rows", "split_files"]

JSON_SUFFIXES = (".jsonl", ".ndjson")
HEADER_WORDS = frozenset(
    "class context docid gold_label guid hypothesis id index label labels pairid pmid premise question score sent1 "
    "sent2 sentence sentence1 sentence2 text".split()
)  # one of them among single words tells a header with names that we do not know


@dataclass(frozen=True)
class Row:
    """The values of one row by column name, and where it stands."""

    values: Mapping[str, Any]
    place: str

    def text(self, column: str) -> str:
        """Return a value that must be a text."""
        found = self.values.get(column)
        if not isinstance(found, str):
            have = ", ".join(self.values) or "nothing"
            raise BadFile(
                f"{self.place}: {column!r} is {'missing' if found is None else repr(found)}, expected a text",
                f"the row has {have}; say which column it is with `text.columns`",
            )
        return found

    def filled_text(self, *columns: str) -> str:
        """Return the text of the first of these columns that is there, which must hold more than blanks."""
        column = next((name for name in columns if self.values.get(name) is not None), columns[0])
        found = self.text(column)
        if not found.strip():
            raise BadFile(f"{self.place}: {column!r} is empty, expected a text", "remove the row, or give it a text")
        return found

    def label(self, *columns: str) -> str:
        """Return the label in the first of these columns that is there; it may be a whole number in JSON."""
        found = next((self.values[name] for name in columns if self.values.get(name) is not None), None)
        return str(found) if isinstance(found, int) and not isinstance(found, bool) else self.filled_text(*columns)

    def id(self, *columns: str) -> str | None:
        """Return the first id among these columns, None where there is none."""
        column = next((name for name in columns if self.values.get(name) is not None), None)
        if column is None:
            return None
        found = self.values[column]
        if isinstance(found, bool) or not isinstance(found, str | int) or not str(found).strip():
            raise BadFile(
                f"{self.place}: {column!r} is {found!r}, expected an id", "give each row a name or number of its own"
            )
        return str(found)


def split_files(place: Path, files: Mapping[str, Sequence[str]] | None) -> dict[str, list[Path]]:
    """Return the files of each split: those that the recipe names, or else those that are named after splits.

    Raises:
        BadFile: where one is missing, or none is found.
    """
    if files is None:
        return {name: [path] for name, path in split_paths(place, None).items()}
    found = {name: [place / each for each in names] for name, names in files.items()}
    missing = [path for paths in found.values() for path in paths if not path.is_file()]
    if missing:
        raise BadFile(f"{missing[0]}: there is no such file", "`text.files` names files in the folder `data`")
    return found


def read_rows(path: Path, layouts: Sequence[Sequence[str]], columns: Mapping[str, str] | None = None) -> Iterator[Row]:
    """Yield the rows of a table.

    A first line that names columns is a header: one that holds all names of a layout, in any case. Without one, the
    layout with as many names as there are columns says what they are. JSON lines bring their names with them.

    Args:
        path: of the file; `.csv` is read with quotes, `.jsonl` (or a first line that is an object) as JSON lines, all
            else as values between tabs, in which quotes are characters.
        layouts: names of the columns, one row for each number of columns there can be; `_` is not read.
        columns: names (or numbers, from 1) that the file has for ours; a column that has our name by itself is then
            not read.

    Raises:
        BadFile: with file and line where the number of columns is another one, where a header has other names, and
            where there are no rows.
    """
    rows = _rows(path, layouts, columns or {})
    first = next(rows, None)
    if first is None:
        raise BadFile(f"{path}: there are no rows in the file", "give a file with rows in it")
    yield first
    yield from rows


def _rows(path: Path, layouts: Sequence[Sequence[str]], columns: Mapping[str, str]) -> Iterator[Row]:
    suffix = unpacked_name(path).suffix.lower()
    if suffix in JSON_SUFFIXES or (suffix != ".csv" and _begins_with_object(path)):
        yield from _json_rows(path, columns)
        return
    lines = _csv_lines(path) if suffix == ".csv" else _tsv_lines(path)
    first = next(lines, None)
    if first is None:
        return
    names, is_header = _names(path, first[1], layouts, columns)
    if not is_header:
        yield _row(path, *first, names)
    for number, values in lines:
        yield _row(path, number, values, names)


def _begins_with_object(path: Path) -> bool:
    with open_text(path) as file:
        return file.read(1) == "{"


def _json_rows(path: Path, columns: Mapping[str, str]) -> Iterator[Row]:
    ours = {theirs: name for name, theirs in columns.items()}
    for number, line in read_lines(path):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except ValueError as error:
            raise BadFile(f"{path}:{number}: broken JSON ({error})", "give one object on each line") from None
        if not isinstance(found, dict):
            raise BadFile(f"{path}:{number}: found {type(found).__name__}, expected an object", "see docs/tasks.md")
        kept = {key: value for key, value in found.items() if key in ours or key not in columns}
        yield Row({ours.get(str(key), str(key)): value for key, value in kept.items()}, f"{path}:{number}")


def _tsv_lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    return ((number, line.split("\t")) for number, line in read_lines(path) if line.strip())


def _csv_lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    with open_text(path) as file:
        reader = csv.reader(file, strict=True)
        start = 1  # a row may have several lines
        try:
            for values in reader:
                if values:
                    yield start, values
                start = reader.line_num + 1
        except csv.Error as error:
            raise BadFile(f"{path}:{reader.line_num}: broken CSV ({error})", "close its quotes") from None


def _names(
    path: Path, first: list[str], layouts: Sequence[Sequence[str]], columns: Mapping[str, str]
) -> tuple[list[str], bool]:
    """Return our name of each column, and whether the first line is a header."""
    by_number = {int(theirs) - 1: name for name, theirs in columns.items() if theirs.isdecimal()}
    named = {theirs: name for name, theirs in columns.items() if not theirs.isdecimal()}
    missing = [theirs for theirs in named if theirs not in first]
    if missing:
        raise BadFile(f"{path}:1: there is no column {missing[0]!r}, found {', '.join(first)}", "mend `text.columns`")
    ours = {name.casefold(): name for layout in layouts for name in layout}
    header = [named.get(value, ours.get(value.strip().casefold(), value)) for value in first]
    known = [layout for layout in layouts if {name for name in layout if name != "_"} <= set(header)]
    if known or named:
        kept = [
            "_" if value in columns and value not in named else name for value, name in zip(first, header, strict=True)
        ]
        return [by_number.get(at, name) for at, name in enumerate(kept)], True
    if by_number:
        return [by_number.get(at, "_") for at in range(len(first))], _is_like_header(first)
    return list(_fitting(path, first, layouts)), False


def _fitting(path: Path, first: list[str], layouts: Sequence[Sequence[str]]) -> Sequence[str]:
    """Return the layout of a table without a header."""
    wanted = " or ".join(f"{len(layout)} ({', '.join(layout)})" for layout in layouts)
    if _is_like_header(first):
        raise BadFile(
            f"{path}:1: a header with the columns {', '.join(first)}, expected {wanted}",
            "rename them, or say which column is which with `text.columns`",
        )
    fitting = next((layout for layout in layouts if len(layout) == len(first)), None)
    if fitting is None:
        raise BadFile(
            f"{path}:1: found {len(first)} columns, expected {wanted}",
            f"separate the columns with {_separator(path)}, or say which column is which with `text.columns`",
        )
    return fitting


def _is_like_header(first: list[str]) -> bool:
    """Are these single words, of which one is a usual name of a column?"""
    words = [value.strip().casefold() for value in first]
    return all(len(word.split()) <= 1 for word in words) and not HEADER_WORDS.isdisjoint(words)


def _separator(path: Path) -> str:
    return "commas" if unpacked_name(path).suffix.lower() == ".csv" else "one tab"


def _row(path: Path, number: int, values: list[str], names: list[str]) -> Row:
    if len(values) != len(names):
        remedy = (
            "put a text that holds commas between double quotes"
            if _separator(path) == "commas"
            else "separate the columns with one tab; a text must not hold any"
        )
        raise BadFile(
            f"{path}:{number}: found {len(values)} columns, expected {len(names)} ({', '.join(names)})", remedy
        )
    return Row(dict(zip(names, values, strict=True)), f"{path}:{number}")
