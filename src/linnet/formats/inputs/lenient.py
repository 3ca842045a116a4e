"""Reads the documents of an input file, with a failure for each that cannot be read.

In plain text, lines of text and Linnet's own format, documents do not depend on one another: one that cannot be read
becomes a failure, and the next one is read. So does an article of PubMed XML. In all other cases it is not known where
the damage ends. A single file is then an error. In a folder, the rest of the file is a failure, and the next file is
read.
"""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from linnet.contracts import Notes, ReadOptions, formats, reads_unique_ids
from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.formats.inputs.failures import Failure
from linnet.formats.inputs.file_list import opening_problem
from linnet.formats.inputs.named_fields import NamedFields
from linnet.formats.inputs.reading import PLAIN, InputFile, name_line, read_input
from linnet.formats.jsonl import document_of_line
from linnet.storage.files import STANDARD_INPUT, check_text, open_bytes, without_line_end
from linnet.storage.limits import refuse_long, split_lines

__all__ = ["checks_ids", "read_leniently"]


def read_leniently(
    file: InputFile, notes: Notes, options: ReadOptions | None = None, *, fields: NamedFields | None = None
) -> Iterator[Document | Failure]:
    """Yield the documents of a file, and a failure for each that cannot be read; `fields` are those of JSON lines."""
    if file.problem or file.format == "text":
        try:
            yield from read_input(file, notes)
        except BadFile as error:
            yield Failure(file.name, error.problem)
    elif problem := _find_opening_problem(file):
        yield Failure(file.name, problem)
    elif file.format in READERS:
        read = READERS[file.format] if fields is None else partial(fields.read, notes=notes)
        own_id = None if file.format == "lines" else "id"
        yield from _read_lines_leniently(file, read, id_field=own_id if fields is None else fields.id)
    else:
        yield from _read_up_to_damage(file, notes, options or ReadOptions())


def _read_up_to_damage(file: InputFile, notes: Notes, options: ReadOptions) -> Iterator[Document | Failure]:
    """Yield the documents of a file; of a damaged file in a folder those before the damage, and a failure."""
    format = formats.get(file.format)
    read = getattr(format, "read_leniently", format.read)
    try:
        yield from read(file.path, options, notes)
    except BadFile as error:
        if not file.is_in_folder:
            raise
        yield Failure(file.name, error.problem)


def checks_ids(file: InputFile) -> bool:
    """Does the reader of this file refuse two documents with the same id?"""
    if file.problem or file.format in PLAIN or file.format in READERS:
        return False
    return reads_unique_ids(formats.get(file.format))


def _find_opening_problem(file: InputFile) -> str:
    """Return why a file, or the annotations beside it, cannot be opened; standard input can."""
    pair = [file.path.with_suffix(".ann")] if file.format == "brat" and file.path.suffix == ".txt" else []
    paths = () if file.path is STANDARD_INPUT else (file.path, *pair)
    return next(filter(None, map(opening_problem, paths)), "")


def _read_lines_leniently(
    file: InputFile, read: Callable[[str, str, str], Document], *, id_field: str | None
) -> Iterator[Document | Failure]:
    """Yield the document of each line that is not blank, or a failure.

    Args:
        file: with the lines.
        read: takes a line, its name and its place.
        id_field: of a line with the id; None where lines have no ids.
    """
    n_documents = 0
    with open_bytes(file.path) as content:
        for number, line in enumerate(split_lines(content), 1):
            if line is not None and not line.strip():
                continue
            n_documents += 1
            name = f"{Path(file.name).name}:{number}" if id_field else name_line(file, number, n_documents)
            place = f"{file.path}:{number}"
            if line is None:
                yield Failure(name, refuse_long(place, "a line").problem)
                continue
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8")
                yield read(without_line_end(text), name, place)
            except UnicodeDecodeError as error:
                yield Failure(name, f"{place}: this is not UTF-8 text ({error.reason})")
            except BadFile as error:
                yield Failure(name, error.problem, _find_id(line, id_field) if id_field else "")


def _find_id(line: bytes, field: str) -> str:
    """Return the id that stands in a line that is no document; empty where none can be read.

    In a line that is cut off it is the first value that the field has.
    """
    text = line.decode("utf-8", "replace")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = _find_first_value(text, field)
    name = found.get(field) if isinstance(found, dict) else None
    return str(name) if isinstance(name, str | int) and not isinstance(name, bool) else ""


def _find_first_value(text: str, field: str) -> dict[str, Any]:
    value = re.search(rf'{re.escape(json.dumps(field))}\s*:\s*("(?:[^"\\]|\\.)*"|\d+\b)', text)
    try:
        return {field: json.loads(value[1], strict=False)} if value else {}
    except ValueError:  # a wrong escape, or a number of thousands of digits
        return {}


def _document_of_line(line: str, _name: str, place: str) -> Document:
    return document_of_line(line, place)


def _document_of_text(line: str, name: str, place: str) -> Document:
    check_text(line, place)
    return Document(name, line)


READERS = {"jsonl": _document_of_line, "lines": _document_of_text}  # of formats with one document on each line
