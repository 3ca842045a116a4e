"""Answers hold what was found, chosen and counted as it was asked for."""

import json

import pytest

from linnet.annotation.provenance import Provenance
from linnet.documents.document import Document, Span
from linnet.serving.http.answers import choose_spans, write_answer
from linnet.serving.http.refusals import Refusal

DOCUMENT = Document("1", "😀 a b", (Span(2, 3, "X", score=0.5), Span(4, 5, "Y", ((4, 5),), score=0.9)))


def test_mentions_are_chosen() -> None:
    def starts(*labels: str, least: float | None = None) -> list[int]:
        (found,) = choose_spans([DOCUMENT], labels=labels, min_score=least)
        return [span.start for span in found.spans]

    assert starts() == starts("X", "Y", least=0.5) == [2, 4]
    assert starts("Y") == starts(least=0.6) == [4]


def test_provenance_is_kept_where_the_format_has_a_place() -> None:
    provenance = Provenance("Linnet; model m", "f00")

    content, notes = write_answer([DOCUMENT], "jsonl", provenance=provenance, about={})
    in_units, _ = write_answer([DOCUMENT], "jsonl", provenance=provenance, about={}, is_utf16=True)

    assert json.loads(content)["infons"] == {"model": "f00", "annotated_by": "Linnet; model m"}
    assert json.loads(in_units)["spans"][0]["start"] == 3
    assert notes == ()


def test_what_the_format_cannot_hold_is_noted() -> None:
    _, notes = write_answer([DOCUMENT], "conll", provenance=Provenance("", ""), about={})

    assert any("conll cannot hold" in note for note in notes)


def test_documents_of_one_name_are_refused_without_a_path() -> None:
    with pytest.raises(Refusal) as caught:
        write_answer([DOCUMENT, DOCUMENT], "jsonl", provenance=Provenance("", ""), about={})

    assert caught.value.problem == "two documents are called '1'"
