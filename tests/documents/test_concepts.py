"""Concepts of mentions."""

import pytest

from linnet.documents.concepts import concepts_of
from linnet.documents.document import Link, Span


def span(*identifiers: str) -> Span:
    return Span(0, 4, "X", links=tuple(map(Link, identifiers)))


@pytest.mark.parametrize(
    ("identifier", "expected"),
    [
        ("D003920", ["D003920"]),
        ("D006470|D003556", ["D006470", "D003556"]),
        ("OMIM:151400|D009369", ["OMIM:151400", "D009369"]),
        ("3172,3651;10", ["3172", "3651", "10"]),
        ("D001+D002", ["D001", "D002"]),
        ("c|DEL|1314_1328|", ["c|DEL|1314_1328|"]),  # a variant, one concept
        ("p|SUB|R|12|C;rs123", ["p|SUB|R|12|C", "rs123"]),
        (" D001241 ", ["D001241"]),
        ("-", []),
        ("-1", []),
        ("", []),
    ],
)
def test_composite_identifiers_are_several_concepts(identifier: str, expected: list[str]) -> None:
    assert concepts_of(span(identifier)) == expected


def test_a_concept_of_two_links_counts_once() -> None:
    assert concepts_of(span("D001|D002", "D002,D003")) == ["D001", "D002", "D003"]


def test_a_mention_without_links_has_no_concept() -> None:
    assert concepts_of(span()) == []
