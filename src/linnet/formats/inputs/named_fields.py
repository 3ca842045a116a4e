"""Reads documents from JSON lines of other programs, whose fields for id and text have names of their own."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from linnet.contracts import Notes
from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.formats.jsonl import document_of_line, parse_line
from linnet.formats.xml_sections import join_sections

__all__ = ["NamedFields"]

LEFT_OUT = "JSON lines with a field that is left out:"
MOST_NAMED = 12  # of the fields that are left out
NEARLY_THE_SAME = 0.8  # of the letters
KINDS = {type(None): "null", bool: "true or false", list: "a list", dict: "an object"}  # as JSON calls them


@dataclass(frozen=True)
class NamedFields:
    """The names of the fields; of several texts, each is a passage."""

    texts: tuple[str, ...]
    id: str | None = None  # the line's own name if not given

    def read(self, line: str, name: str, place: str, notes: Notes) -> Document:
        """Return the document of a line; other fields, and texts that are missing beside others, are counted.

        Raises:
            BadFile: if the id is missing, no text is there, or one of them is not a text.
        """
        found = parse_line(line, place)
        own = name if self.id is None else _as_text(_take(found, self.id, place), self.id, place)
        given = [each for each in self.texts if found.get(each) is not None]
        for each in self.texts if not given else ():
            _as_text(_take(found, each, place), each, place)
        for each in (each for each in self.texts if each not in given):
            _refuse_misspelt(each, found.keys() - {self.id, *self.texts}, place)
            notes.add(f"documents without the text field {each!r}, read from their other text fields", place)
        sections = [(_as_text(found[each], each, place), {"type": each}) for each in given]
        text, passages = join_sections(sections)
        record: dict[str, Any] = {"id": own, "text": text}
        if len(self.texts) > 1:
            record["passages"] = [{"start": p.start, "end": p.end, "infons": dict(p.infons)} for p in passages]
        for each in sorted(found.keys() - {self.id, *self.texts}):
            notes.add(_name_left_out(each, notes), place)
        return document_of_line(json.dumps(record), place)


def _name_left_out(field: str, notes: Notes) -> str:
    """Return the note about a field that is not read; the first fields have their own."""
    own = f"{LEFT_OUT} {field!r}"
    n_named = sum(what.startswith(LEFT_OUT) for what in notes.counts)
    return own if own in notes.counts or n_named < MOST_NAMED else "further fields of JSON lines, left out"


def _take(found: dict[str, Any], name: str, place: str) -> Any:
    if name not in found:
        others = f"only {_list(sorted(found))}" if found else "the object is empty"
        raise BadFile(f"{place}: there is no field {name!r}, {others}", "name a field that is there")
    return found[name]


def _refuse_misspelt(name: str, others: Collection[str], place: str) -> None:
    """Refuse a text field that the line lacks if it has one with nearly the same name, which would be left out."""
    near = get_close_matches(name, sorted(others), 1, NEARLY_THE_SAME)
    if near:
        raise BadFile(f"{place}: there is no field {name!r}, but one called {near[0]!r}", "name a field that is there")


def _as_text(value: Any, name: str, place: str) -> str:
    if isinstance(value, int) and not isinstance(value, bool):  # an id
        return str(value)
    if not isinstance(value, str):
        kind = KINDS.get(type(value), "a number")
        raise BadFile(f"{place}: the field {name!r} is {kind}, expected a text", "name a field with a text")
    return value


def _list(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:10])) + (", ..." if len(names) > 10 else "")
