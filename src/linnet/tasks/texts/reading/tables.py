"""Reads rows of named values from TSV, CSV and JSON lines, each with its file and line."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linnet.contracts import Notes
from linnet.errors import BadFile, BadSetting
from linnet.formats.corpus import SPLITS, split_paths
from linnet.formats.split_choice import ALIASES
from linnet.storage.cells import read_csv_lines
from linnet.storage.compression import unpacked_name
from linnet.storage.files import open_text, read_lines, without_line_end
from linnet.storage.json_keys import DoubledKey, NestedTooDeeply, load_json
from linnet.tasks.texts.reading.headers import Line, column_names, is_csv, refuse_unknown_header

__all__ = ["Row", "read_rows", "split_files"]

JSON_SUFFIXES = (".jsonl", ".ndjson", ".json")
TABLE_SUFFIXES = (".tsv", ".csv")
JSON_START = re.compile(r'\s*(?:\{|\[\s*\{\s*")')  # an object, or an array of objects
LONGEST_START = 1_000
QUOTE = '"'
QUOTED = re.compile('"(?:[^"]|"")*"')
ONE_ON_EACH_LINE = "give one object on each line, without brackets around them all or commas between them"


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


def split_files(
    place: Path, files: Mapping[str, Sequence[str]] | None, notes: Notes | None = None
) -> dict[str, list[Path]]:
    """Return the files of each split: those that the recipe names, or else those that are named after splits.

    Files that programs leave beside a corpus are counted in the notes.

    Raises:
        BadFile: where one is missing, or none is found.
        BadSetting: where the recipe names splits that there are not.
    """
    if files is None:
        return {name: [path] for name, path in split_paths(place, None, notes).items()}
    found: dict[str, list[Path]] = {}
    for name, names in files.items():
        split = ALIASES.get(name)
        if split is None:
            raise BadSetting(f"`text.files` has a split {name!r}", f"there are {', '.join(SPLITS)}")
        if split in found:
            raise BadSetting(f"`text.files` has the split {split} twice, once as {name!r}", "put its files together")
        found[split] = [place / each for each in names]
    missing = [path for paths in found.values() for path in paths if not path.is_file()]
    if missing:
        raise BadFile(f"{missing[0]}: there is no such file", "`text.files` names files in the folder `data`")
    return found


def read_rows(path: Path, layouts: Sequence[Sequence[str]], columns: Mapping[str, str] | None = None) -> Iterator[Row]:
    """Yield the rows of a table.

    A first line that names columns is a header: one that holds all names of a layout, in any case. Without one, the
    layout with as many names as there are columns says what they are. JSON lines bring their names with them.

    Args:
        path: of the file; `.csv` is read with quotes, `.tsv` as values between tabs, in which quotes are characters
            unless all of them are written as csv writes them, `.jsonl` and `.json` as JSON lines; others as JSON lines
            where they begin with an object, else as `.tsv`.
        layouts: names of the columns, one row for each number of columns there can be; `_` is not read.
        columns: names (or numbers, from 1) that the file has for ours; a column that has our name by itself is then
            not read. One of what is right may be missing: its texts are to be answered.

    Raises:
        BadFile: with file and line where the number of columns is another one, where a header has other names, and
            where there are no rows; where it is a folder.
    """
    if path.is_dir():
        raise BadFile(
            f"{path}: is a folder, expected a table with one text in each row",
            "give tsv, csv or JSON lines (docs/tasks.md); brat documents are for the tasks ner and relations",
        )
    rows = _rows(path, layouts, columns or {})
    first = next(rows, None)
    if first is None:
        raise BadFile(f"{path}: there are no rows in the file", "give a file with rows in it")
    yield first
    yield from rows


def _rows(path: Path, layouts: Sequence[Sequence[str]], columns: Mapping[str, str]) -> Iterator[Row]:
    _refuse_old_line_ends(path)
    if _is_json(path):
        yield from _json_rows(path, columns)
        return
    lines = read_csv_lines(path) if is_csv(path) else _tsv_lines(path)
    if not lines:
        return
    names, is_header = column_names(path, lines[0], layouts, columns)
    rows = [_row(path, line, names) for line in (lines[1:] if is_header else lines)]
    if not is_header:
        refuse_unknown_header(path, names, lines)
    yield from rows


def _refuse_old_line_ends(path: Path) -> None:
    """Refuse a file whose lines end as they did before Mac OS X: it would be read as a single line."""
    with open_text(path) as file:
        if "\r" in without_line_end(file.readline()).rstrip("\r") and not file.read(1):
            raise BadFile(
                f"{path}: the lines end with a carriage return alone, as on old Macs, expected a line feed",
                "save it with other line ends, e.g. `tr '\\r' '\\n' < OLD > NEW`",
            )


def _is_json(path: Path) -> bool:
    suffix = unpacked_name(path).suffix.lower()
    if suffix in (*JSON_SUFFIXES, *TABLE_SUFFIXES):
        return suffix in JSON_SUFFIXES
    with open_text(path) as file:
        return JSON_START.match(file.read(LONGEST_START)) is not None


def _json_rows(path: Path, columns: Mapping[str, str]) -> Iterator[Row]:
    ours = {theirs: name for name, theirs in columns.items()}
    for number, line in read_lines(path):
        if line.strip():
            found = _json_object(line, f"{path}:{number}")
            kept = {key: value for key, value in found.items() if key in ours or key not in columns}
            yield Row({ours.get(key, key): value for key, value in kept.items()}, f"{path}:{number}")


def _json_object(line: str, place: str) -> dict[str, Any]:
    if line.lstrip().startswith("["):
        raise BadFile(f"{place}: found a JSON array, expected an object", ONE_ON_EACH_LINE)
    try:
        found = load_json(line)
    except DoubledKey as double:
        raise BadFile(f"{place}: {double}", "keep one of them, or rename one") from None
    except NestedTooDeeply:
        raise BadFile(f"{place}: the JSON is nested too deeply", "see docs/tasks.md for what a row holds") from None
    except ValueError as error:
        raise BadFile(f"{place}: broken JSON ({error})", ONE_ON_EACH_LINE) from None
    if not isinstance(found, dict):
        raise BadFile(f"{place}: found {type(found).__name__}, expected an object", ONE_ON_EACH_LINE)
    return found


def _tsv_lines(path: Path) -> list[Line]:
    """Return the values of each line, without the quotes where a program has put them there.

    Python's csv and pandas put a value with quotes between quotes, and double those inside (BLUE's tables). In a file
    in which all values with quotes are of this form, and one has doubled quotes, that is what they are.
    """
    lines = [(number, line.split("\t")) for number, line in read_lines(path) if "\t" in line or line.strip()]
    with_quotes = [value for _, values in lines for value in values if QUOTE in value]
    is_quoted = any(QUOTE + QUOTE in value[1:-1] for value in with_quotes)
    if not is_quoted or not all(map(QUOTED.fullmatch, with_quotes)):
        return lines
    return [(number, [_unquote(value) for value in values]) for number, values in lines]


def _unquote(value: str) -> str:
    return value[1:-1].replace(QUOTE + QUOTE, QUOTE) if QUOTED.fullmatch(value) else value


def _row(path: Path, line: Line, names: list[str]) -> Row:
    number, values = line
    if len(values) != len(names):
        remedy = (
            "put a text that holds commas between double quotes"
            if is_csv(path)
            else "separate the columns with one tab; a text must not hold any"
        )
        raise BadFile(
            f"{path}:{number}: found {len(values)} columns, expected {len(names)} ({', '.join(names)})", remedy
        )
    return Row(dict(zip(names, values, strict=True)), f"{path}:{number}")
