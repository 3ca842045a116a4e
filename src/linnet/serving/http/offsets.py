"""Offsets of documents as JSON, in characters and in UTF-16 code units, as JavaScript counts them."""

from collections.abc import Callable
from typing import Any

from linnet.documents.utf16 import Utf16Offsets
from linnet.serving.http.refusals import Refusal

__all__ = ["document_in_characters", "document_in_utf16"]

HOLD_OFFSETS = ("start", "end", "fragments", "tokens")


def document_in_utf16(record: dict[str, Any], text: str) -> dict[str, Any]:
    """Return the JSON of a document with all offsets in UTF-16 code units."""
    found: dict[str, Any] = _translate(record, Utf16Offsets(text).to_units)
    return found


def document_in_characters(record: dict[str, Any], where: str) -> dict[str, Any]:
    """Return the JSON of a document with all offsets in characters.

    Raises:
        Refusal: if an offset lies between the two code units of a character.
    """
    text = record.get("text")
    if not isinstance(text, str):
        return record  # its reader will say what is wrong
    offsets = Utf16Offsets(text)

    def to_characters(units: int) -> int:
        found = offsets.to_characters(units)
        if found is None:
            raise Refusal(400, f"the offset {units} lies inside of a character", "move it by one", where=where)
        return found

    found: dict[str, Any] = _translate(record, to_characters)
    return found


def _translate(value: Any, change: Callable[[int], int], key: str = "") -> Any:  # any JSON
    if isinstance(value, dict):
        return {name: each if name == "infons" else _translate(each, change, name) for name, each in value.items()}
    if isinstance(value, list):
        return [_translate(each, change, key) for each in value]
    is_offset = key in HOLD_OFFSETS and isinstance(value, int) and not isinstance(value, bool)
    return change(value) if is_offset else value
