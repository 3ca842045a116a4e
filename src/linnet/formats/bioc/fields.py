"""Typed access to the fields of a BioC structure.

A structure is a decoded object of BioC JSON, so a field may hold any value; a value of the wrong type is refused with
its place.
"""

import json
import re

from linnet.contracts import Notes
from linnet.errors import BadFile

__all__ = ["SEE_BIOC", "Structure", "infons_in", "list_in", "note_unknown", "number_in", "text_in"]

Structure = dict[str, object]

KNOWN_KEYS = {
    "collection": {"source", "date", "key", "infons", "documents", "version", "bioctype"},
    "document": {"id", "infons", "passages", "annotations", "relations", "bioctype"},
    "passage": {"infons", "offset", "text", "sentences", "annotations", "relations", "bioctype"},
    "sentence": {"infons", "offset", "text", "annotations", "relations", "bioctype"},
    "annotation": {"id", "infons", "locations", "text", "bioctype"},
    "relation": {"id", "infons", "nodes", "bioctype"},
}
NUMBER = re.compile(r"\s*[0-9]{1,15}\s*")
SEE_BIOC = "correct the file; https://bioc.sourceforge.net describes what BioC expects"
SHOWN = 60  # characters of a wrong value that an error shows


def text_in(structure: Structure, key: str, place: str) -> str | None:
    """Return the text under the key, a number as its digits, or None if there is no value."""
    value = structure.get(key)
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise _field_error(value, key, "text", place)


def number_in(structure: Structure, key: str, place: str) -> int:
    """Return the number of characters under the key, which must exist."""
    value = structure.get(key)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    if isinstance(value, str) and NUMBER.fullmatch(value):
        return int(value)
    raise _field_error(value, key, "a number of characters", place)


def list_in(structure: Structure, key: str, place: str) -> list[Structure]:
    """Return the structures listed under the key, or none if there is no value."""
    value = structure.get(key)
    if value is None:
        return []
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return value
    raise _field_error(value, key, "a list of objects", place)


def infons_in(structure: Structure, place: str, notes: Notes) -> dict[str, str]:
    """Return the infons; other values than text as JSON, empty ones left out and noted."""
    infons = structure.get("infons")
    if infons is None:
        return {}
    if not isinstance(infons, dict):
        raise _field_error(infons, "infons", "an object", place)
    empty = [key for key, value in infons.items() if value is None]
    if empty:
        notes.add("infons without a value left out", f"{place}, {empty[0]!r}", len(empty))
    return {
        key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for key, value in infons.items()
        if value is not None
    }


def note_unknown(structure: Structure, kind: str, place: str, notes: Notes) -> None:
    """Note the fields that BioC does not know and that are left out."""
    for key, value in structure.items():
        if value and key not in KNOWN_KEYS[kind]:
            notes.add(f"fields that BioC does not know left out ({kind}: {key!r})", place)


def _field_error(value: object, key: str, expected: str, place: str) -> BadFile:
    found = "nothing" if value is None else json.dumps(value, ensure_ascii=False)[:SHOWN]
    return BadFile(f"{place}: expected {expected} under {key!r}, found {found}", SEE_BIOC)
