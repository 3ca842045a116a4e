"""JSON objects of annotation tools: reading them from a file with their places, and typed access to their fields."""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from linnet.contracts import Notes, ReadOptions
from linnet.documents.document import Document, Relation
from linnet.errors import BadFile
from linnet.formats.document_checks import check_offsets, check_targets
from linnet.formats.json_stream import JsonStream
from linnet.formats.unique_ids import UniqueDocuments
from linnet.storage.compression import unpacked_name
from linnet.storage.files import check_text, open_text
from linnet.storage.json_keys import iterate_strings

__all__ = [
    "Json",
    "binary_relation",
    "check_document",
    "encode",
    "find_unique_ids",
    "id_of_record",
    "infons_from",
    "name_all",
    "note_unknown",
    "parse_list",
    "parse_offset",
    "parse_score",
    "parse_text",
    "read_documents",
    "read_records",
    "refusing",
]

Json = dict[str, Any]  # a decoded JSON object; the readers check each field that they use
SURROGATE = re.compile("[\ud800-\udfff]")
ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
SHOWN = 60  # characters of a wrong value that an error shows


def read_documents(
    path: Path, what: str, options: ReadOptions, notes: Notes, build: Callable[[Json, int, str], Document]
) -> Iterator[Document]:
    """Yield the document that `build` makes of each object, its number in the file and its place.

    Raises:
        BadFile: if a record is not `what` it should be, an id stands for two documents, or there is no record.
    """
    unique = UniqueDocuments(options, notes)
    for number, (place, record) in enumerate(read_records(path, what), 1):
        with refusing(place, what):
            document = build(record, number, place)
        check_document(document, place)
        if unique.is_new(document, place):
            yield document
    if not len(unique):
        raise BadFile(f"{path}: is empty", f"give a file of JSON objects, each {what}")


def read_records(path: Path, what: str) -> Iterator[tuple[str, Json]]:
    """Yield each object of the file with its place: those of a list, or objects one after another, as lines are."""
    with open_text(path, in_lines=False) as file:
        stream = JsonStream(file, str(path))
        if stream.peek() == "[":
            for place in stream.elements():
                yield place, _read_object(stream, place, what)
            stream.end()
        else:
            while stream.peek():
                place = stream.place
                yield place, _read_object(stream, place, what)


def _read_object(stream: JsonStream, place: str, what: str) -> Json:
    found = stream.value()
    if not isinstance(found, dict):
        raise BadFile(f"{place}: expected {what}, found {_show(found)}", f"give a file of JSON objects, each {what}")
    for text in iterate_strings(found):
        check_text(text, place)
        if SURROGATE.search(text):
            raise BadFile(
                f"{place}: found half of a character (a lone surrogate)", "remove it; it is a broken character"
            )
    return found


@contextmanager
def refusing(place: str, what: str) -> Iterator[None]:
    """Turn errors about missing fields and values of the wrong type into `BadFile`."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        found = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise BadFile(f"{place}: this is not {what} ({found})", "see the page about formats for the fields") from None


def parse_text(value: Any, name: str) -> str:
    """Return the text; a number becomes its digits."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise TypeError(f"{name} is {_show(value)}, expected text")
    return value


def parse_offset(value: Any, name: str) -> int:
    """Return the offset; whether it lies in the text is checked later."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} is {_show(value)}, expected a whole number")
    return value


def parse_score(value: Any) -> float | None:
    """Return the score, None if there is none."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise TypeError(f"the score is {_show(value)}, expected a finite number")
    return float(value)


def parse_list(record: Mapping[str, Any], key: str) -> list[Any]:
    """Return the list under the key, empty if there is none."""
    value = record.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise TypeError(f"{key!r} is {_show(value)}, expected a list")
    return value


def infons_from(values: Mapping[str, Any], place: str, notes: Notes) -> dict[str, str]:
    """Return the values as infons: text as it is, other values as JSON, empty ones left out and noted."""
    empty = [key for key, value in values.items() if value is None]
    if empty:
        notes.add("fields without a value left out", f"{place}, {empty[0]!r}", len(empty))
    return {
        key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for key, value in values.items()
        if value is not None
    }


def note_unknown(record: Mapping[str, Any], known: Iterable[str], place: str, notes: Notes) -> None:
    """Note the fields with a value that are not read."""
    for key, value in record.items():
        if key not in set(known) and value not in (None, "", [], {}):
            notes.add(f"fields left out ({key!r})", place)


def id_of_record(value: Any, path: Path, number: int) -> str:
    """Return the id of a document, or one made of the file's name and its number in the file."""
    return f"{unpacked_name(path).stem}-{number}" if value is None else parse_text(value, "the id")


def check_document(document: Document, place: str) -> None:
    """Refuse offsets outside the text, and relations to mentions that do not exist."""
    check_offsets(document, {"spans": [{} for _ in document.spans]}, place)
    check_targets(document, place)


def encode(record: Json, name: str) -> str:
    """Return the JSON text of a record; NUL characters and scores that are no numbers are refused."""
    try:
        line = ENCODER.encode(record)
    except ValueError as error:
        raise BadFile(
            f"document {name!r}: a score is no finite number, which JSON cannot hold ({error})", "correct the scores"
        ) from None
    if "\\u0000" in line and any("\0" in text for text in iterate_strings(record)):
        check_text("\0", f"document {name!r}")
    return line


def name_all(names: Iterable[str], prefix: str, taken: set[str]) -> list[str]:
    """Return a name for each: its own if that is free, else a new one; all of them are added to `taken`."""
    wanted = list(names)
    avoided = set(wanted) | taken
    number, given = 0, []
    for name in wanted:
        if not name or name in taken:
            while f"{prefix}{(number := number + 1)}" in avoided:
                pass
            name = f"{prefix}{number}"
        taken.add(name)
        given.append(name)
    return given


def find_unique_ids(document: Document) -> dict[str, int]:
    """Return the number of each span whose id no other span has, by its id."""
    places: dict[str, list[int]] = {}
    for number, span in enumerate(document.spans):
        places.setdefault(span.id, []).append(number)
    return {name: numbers[0] for name, numbers in places.items() if name and len(numbers) == 1}


def binary_relation(relation: Relation, places: Mapping[str, int]) -> tuple[int, int] | None:
    """Return the numbers of the two spans that a relation connects, or None if it is of another kind."""
    targets = [argument.target for argument in relation.arguments if not argument.is_concept]
    if len(relation.arguments) != 2 or not all(target in places for target in targets) or len(targets) != 2:
        return None
    return places[targets[0]], places[targets[1]]


def _show(value: object) -> str:
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False, default=str)[:SHOWN]
