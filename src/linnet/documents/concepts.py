"""Concepts that mentions stand for."""

import re

from linnet.documents.document import Span

__all__ = ["concepts_of"]

NO_CONCEPT = frozenset({"", "-", "-1"})  # how files say that a mention has none
ALWAYS_SEPARATES = re.compile(r"[,;]")
# `D006470|D003556` are two concepts, the variant `c|DEL|1314_1328|` is one
SEPARATES_IDENTIFIERS = re.compile(r"[|+]")
IDENTIFIER = re.compile(r"(?:[A-Za-z]+:)?[A-Za-z]{0,4}\d{3,}")


def concepts_of(span: Span) -> list[str]:
    """Return the concepts that a mention stands for, those of a composite one singly.

    >>> from linnet.documents.document import Link
    >>> [concepts_of(Span(0, 4, "X", links=(Link(each),))) for each in ("3172,3651", "D1234|D2345", "c|DEL|13|", "-1")]
    [['3172', '3651'], ['D1234', 'D2345'], ['c|DEL|13|'], []]
    """
    found: list[str] = []
    for link in span.links:
        for whole in ALWAYS_SEPARATES.split(link.identifier):
            pieces = [piece.strip() for piece in SEPARATES_IDENTIFIERS.split(whole)]
            found += pieces if all(map(IDENTIFIER.fullmatch, pieces)) else [whole.strip()]
    return [each for each in dict.fromkeys(found) if each not in NO_CONCEPT]
