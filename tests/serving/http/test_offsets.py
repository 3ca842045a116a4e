"""Offsets are translated both ways, wherever JSON has them."""

import pytest

from linnet.documents.document import Document, Passage, Sentence, Span
from linnet.formats.jsonl import document_to_json
from linnet.serving.http.offsets import document_in_characters, document_in_utf16
from linnet.serving.http.refusals import Refusal

SPANS = (Span(2, 3, "X", score=0.5), Span(4, 5, "Y", ((4, 5),), score=0.9))


def test_all_offsets_are_counted_in_code_units() -> None:
    rich = Document(
        "1", "😀 a b", SPANS, passages=(Passage(2, 5, {"start": "2"}),), sentences=(Sentence(0, 5, ((2, 3),)),)
    )

    found = document_in_utf16(document_to_json(rich), rich.text)

    assert [(each["start"], each["end"]) for each in found["spans"]] == [(3, 4), (5, 6)]
    assert found["spans"][1]["fragments"] == [[5, 6]]
    assert found["passages"] == [{"start": 3, "end": 6, "infons": {"start": "2"}}]
    assert found["sentences"] == [{"start": 0, "end": 6, "tokens": [[3, 4]]}]
    assert document_in_characters(found, "") == document_to_json(rich)


def test_an_offset_inside_of_a_character_is_refused() -> None:
    with pytest.raises(Refusal, match="the offset 1 lies inside"):
        document_in_characters({"text": "😀", "spans": [{"start": 1, "end": 2, "label": "X"}]}, "documents[0]")


def test_what_has_no_text_is_left_to_its_reader() -> None:
    assert document_in_characters({"spans": [{"start": 1}]}, "") == {"spans": [{"start": 1}]}
