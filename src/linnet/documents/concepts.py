"""Concept identifiers of mentions, with composite ones split."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linnet.documents.document import Span

__all__ = ["concepts_of"]

NO_CONCEPT = frozenset({"", "-", "-1"})  # in files, for mentions without a concept
ALWAYS_SEPARATES = re.compile(r"[,;]")
SEPARATES_IDENTIFIERS = re.compile(r"[|+]")  # `D006470|D003556` is two concepts, the variant `c|DEL|1314_1328|` one
IDENTIFIER = re.compile(r"(?:[A-Za-z]+:)?[A-Za-z]{0,4}\d{3,}")


def concepts_of(span: "Span") -> list[str]:
    """Return the concepts of a mention, each once; a composite identifier gives several.

    >>> from linnet.documents.document import Link, Span
    >>> [concepts_of(Span(0, 4, "X", links=(Link(link),))) for link in ("3172,3651", "D1234|D2345", "c|DEL|13|", "-1")]
    [['3172', '3651'], ['D1234', 'D2345'], ['c|DEL|13|'], []]
    """
    concepts: list[str] = []
    for link in span.links:
        for whole in ALWAYS_SEPARATES.split(link.identifier):
            pieces = [piece.strip() for piece in SEPARATES_IDENTIFIERS.split(whole)]
            concepts += pieces if all(map(IDENTIFIER.fullmatch, pieces)) else [whole.strip()]
    return [concept for concept in dict.fromkeys(concepts) if concept not in NO_CONCEPT]
