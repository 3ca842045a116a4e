"""Records of a data file about texts: rows of a table, lines of JSON, or the entries of one JSON value.

Records are kept as they were written, so that the parts are read as the whole was. A header goes into every part.
"""

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from typing import Any

from linnet.errors import BadFile
from linnet.storage.cells import read_csv_lines
from linnet.storage.compression import unpacked_name
from linnet.storage.files import open_text, read_text
from linnet.storage.json_keys import DoubledKey, NestedTooDeeply, load_json
from linnet.tasks.texts.reading.headers import ANSWERS, is_like_header

__all__ = ["Record", "Records", "join_records", "read_records"]

JSON_ANSWERS = (*ANSWERS, "final_decision", "type")  # PubMedQA and BioASQ have names of their own
MOST_WHOLE = 10  # different numbers that are labels; more are a scale
MOST_LABELS = 50  # a column with more different values holds no labels
JSON_LINES = (".jsonl", ".ndjson")
MEND_JSON = "mend the file, or give one entry on each line"
LISTS = ("questions", "data")  # the keys under which BioASQ and SQuAD keep their entries

Row = tuple[str, list[str]]  # as it is written, and its values


@dataclass(frozen=True, slots=True)
class Record:
    """One row or entry: as written, its texts, and its label."""

    raw: Any
    text: str
    label: str = ""


@dataclass(frozen=True)
class Records:
    """The records of a file, and what makes a file of some of them."""

    rows: Sequence[Record]
    suffix: str
    header: str = ""  # with its line end
    wrapping: Mapping[str, Any] | None = field(default=None)  # what stands beside the list of entries
    shape: str = "lines"  # or "list", "mapping", or the key of the list

    def write(self, rows: Iterable[Record]) -> str:
        """Return the content of a file with these rows."""
        chosen = [row.raw for row in rows]
        if self.shape == "lines":
            return self.header + "".join(chosen)
        value: Any = dict(chosen) if self.shape == "mapping" else chosen
        if self.wrapping is not None:
            value = {**self.wrapping, self.shape: chosen}
        return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def read_records(path: Path) -> Records:
    """Return the records of a file.

    Raises:
        BadFile: where there is none, or the JSON is of another shape.
    """
    suffix = unpacked_name(path).suffix.lower() or ".tsv"
    if suffix == ".json":
        found = _read_json(read_text(path), path)
    elif suffix in JSON_LINES:
        found = _read_json_lines(read_text(path), path, suffix)
    else:
        found = _read_table(list(_csv_rows(path) if suffix == ".csv" else _tsv_rows(path)), suffix)
    if not found.rows:
        raise BadFile(f"{path}: there are no records in the file", "give a file with rows or entries in it")
    return found


def join_records(pieces: Sequence[tuple[Path, Records]]) -> Records:
    """Return the records of several files as those of one.

    Raises:
        BadFile: where the files are not written alike.
    """
    (first_path, first), *others = pieces
    for path, each in others:
        if (each.suffix, each.shape, each.header.rstrip()) != (first.suffix, first.shape, first.header.rstrip()):
            raise BadFile(
                f"{path}: is not written as {first_path} is, so their records cannot be joined",
                "give all files the same suffix, the same header, and the same form of JSON",
            )
    return replace(first, rows=[row for _, each in pieces for row in each.rows])


def _read_table(raw: list[Row], suffix: str) -> Records:
    is_header = bool(raw) and is_like_header([cell.strip().casefold() for cell in raw[0][1]])
    header, rows = (raw[0], raw[1:]) if is_header else (("", []), raw)
    at = _label_column(header[1], [cells for _, cells in rows])
    labels = _name_labels([cells[at] if at is not None else "" for _, cells in rows])
    texts = [_longest(cells, at) for _, cells in rows]
    found = [Record(line, text, label) for (line, _), text, label in zip(rows, texts, labels, strict=True)]
    return Records(found, suffix, header[0])


def _tsv_rows(path: Path) -> Iterator[Row]:
    for _, line in _lines(read_text(path)):
        yield line, line.rstrip("\r\n").split("\t")


def _csv_rows(path: Path) -> Iterator[Row]:
    """Yield each row as it is written, which may be several lines where a value holds line ends, and its values."""
    rows = read_csv_lines(path)
    with open_text(path) as file:
        lines = file.readlines()
    ends = [start - 1 for start, _ in rows[1:]] + [len(lines)]
    for (start, cells), end in zip(rows, ends, strict=True):
        yield _end_line("".join(lines[start - 1 : end]).rstrip("\r\n") + "\n"), cells


def _lines(content: str) -> Iterator[tuple[int, str]]:
    """Yield number and content of each line that is not blank, with its line end."""
    for number, line in enumerate(io.StringIO(content, newline="\n"), start=1):
        if line.strip():
            yield number, _end_line(line)


def _end_line(line: str) -> str:
    return line if line.endswith("\n") else line + "\n"


def _label_column(header: Sequence[str], rows: Sequence[Sequence[str]]) -> int | None:
    """Return the column of labels: the one that the header names, or the last one if it has few different values."""
    names = [name.strip().casefold() for name in header]
    width = min((len(row) for row in rows), default=0)
    at = next((names.index(name) for name in ANSWERS if name in names), width - 1)
    if not 0 <= at < width or len({row[at] for row in rows}) > MOST_LABELS:
        return None
    return at


def _name_labels(values: list[str]) -> list[str]:
    """Return the labels; many different numbers become whole ones, so that low and high ones are in every part."""
    try:
        numbers = [float(value) for value in values]
    except ValueError:
        return values
    is_scale = len(set(values)) > MOST_WHOLE and all(map(isfinite, numbers))
    return [f"about {round(number)}" for number in numbers] if is_scale else values


def _longest(cells: Sequence[str], label_at: int | None) -> str:
    return max((cell for at, cell in enumerate(cells) if at != label_at), key=len, default="")


def _read_json_lines(content: str, path: Path, suffix: str) -> Records:
    rows = []
    for number, line in _lines(content):
        try:
            rows.append(_json_record(line, load_json(line)))
        except ValueError as error:
            raise BadFile(f"{path}:{number}: broken JSON ({error})", MEND_JSON) from None
    return Records(rows, suffix)


def _read_json(content: str, path: Path) -> Records:
    try:
        value = load_json(content)
    except (DoubledKey, NestedTooDeeply) as error:
        raise BadFile(f"{path}: broken JSON ({error})", MEND_JSON) from None
    except ValueError:
        return _read_json_lines(content, path, ".jsonl")  # JSON lines are often called .json
    if isinstance(value, list):
        return Records([_json_record(each, each) for each in value], ".json", shape="list")
    if isinstance(value, dict):
        key = next((key for key in LISTS if isinstance(value.get(key), list)), None)
        if key is not None:
            beside = {name: each for name, each in value.items() if name != key}
            entries = [part for each in value[key] for part in _paragraphs(each)]
            return Records([_json_record(each, each) for each in entries], ".json", wrapping=beside, shape=key)
        if all(isinstance(each, dict) for each in value.values()):
            rows = [_json_record((name, each), each) for name, each in value.items()]
            return Records(rows, ".json", shape="mapping")
    raise BadFile(
        f"{path}: found one JSON value, expected a list of entries, or an object of them",
        f"give JSON lines, a list, or an object with one of {', '.join(LISTS)}",
    )


def _paragraphs(entry: Any) -> list[Any]:
    """Return an article of SQuAD as articles of one paragraph each, other entries as they are."""
    paragraphs = entry.get("paragraphs") if isinstance(entry, dict) else None
    return [{**entry, "paragraphs": [each]} for each in paragraphs] if isinstance(paragraphs, list) else [entry]


def _json_record(raw: Any, value: Any) -> Record:
    label = next((value[key] for key in JSON_ANSWERS if key in value), "") if isinstance(value, dict) else ""
    return Record(raw, max(_strings(value), key=len, default=""), str(label) if isinstance(label, str | int) else "")


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)
