"""Rows of mentions, as the tables have them."""

from pathlib import Path

import pytest

from linnet.contracts import WriteOptions
from linnet.documents.document import Document, Link, Span
from linnet.errors import BadFile
from linnet.formats.mention_tables.rows import losses_of_rows, mention_rows


def rows(*spans: Span, text: str = "Lung and breast cancer", model: str = "") -> list[dict[str, object]]:
    found = mention_rows([Document("1", text, spans)], Path("out.csv"), WriteOptions(model=model))
    return [{name: getattr(row, name) for name in row.__slots__} for row in found]


def test_pieces_of_a_discontinuous_mention_are_one_text() -> None:
    (row,) = rows(Span(0, 22, "Disease", fragments=((0, 4), (16, 22))))

    assert (row["text"], row["start"], row["end"]) == ("Lung cancer", 0, 22)


def test_links_without_any_name_have_none() -> None:
    first, second = rows(
        Span(0, 4, "X", links=(Link("1"), Link("2", "MESH"))), Span(5, 8, "X", links=(Link("1", name="And"), Link("2")))
    )

    assert (first["identifiers"], first["names"]) == ("1|MESH:2", None)
    assert (second["identifiers"], second["names"]) == ("1|2", "And|")


@pytest.mark.parametrize(
    ("infons", "model", "expected"), [({"model": "own"}, "job", "own"), ({}, "job", "job"), ({}, "", None)]
)
def test_the_model_of_a_mention_comes_first(infons: dict[str, str], model: str, expected: str | None) -> None:
    (row,) = rows(Span(0, 4, "X", infons=infons), model=model)

    assert row["model"] == expected


def test_characters_that_files_cannot_hold_are_refused() -> None:
    with pytest.raises(BadFile, match="NUL"):
        rows(Span(0, 3, "X"), text="a\0b")


def test_infons_are_lost_but_for_the_model() -> None:
    document = Document("1", "x", infons={"model": "m", "year": "2020"})

    assert dict(losses_of_rows(document))["infons"] == 1
