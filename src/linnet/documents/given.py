"""Texts and documents as Python users give them to a model."""

from typing import Any

from linnet.documents.document import Document
from linnet.errors import BadSetting

__all__ = ["as_document"]


def as_document(number: int, given: Any) -> Document:
    """Return the text or document that was given as the number-th.

    Raises:
        BadSetting: where it is neither.
    """
    if isinstance(given, str):
        return Document(str(number), given)
    if not isinstance(given, Document):
        raise BadSetting(
            f"text {number} is {given!r}, expected a text or a document",
            "leave it out, or give an empty text for it, if every input needs an answer",
        )
    return given
