"""JSON lines of other programs are read by the names of their fields."""

import json

import pytest

from linnet.contracts import Notes
from linnet.documents.document import Document, Passage
from linnet.errors import BadFile
from linnet.formats.inputs.named_fields import NamedFields

LINE = json.dumps({"pmid": 7, "title": "No ataxia.", "abstract": "None.", "year": 1999})


def read(fields: NamedFields, line: str = LINE, notes: Notes | None = None) -> Document:
    return fields.read(line, "in-3", "in.jsonl:3", notes or Notes())


def test_the_named_fields_are_id_and_text_and_others_are_counted() -> None:
    notes = Notes()

    assert read(NamedFields(("title",), "pmid"), notes=notes) == Document("7", "No ataxia.")
    assert notes.sentences() == [
        "JSON lines with a field that is left out: 'abstract' 1, 'year' 1 (first: in.jsonl:3)",
    ]


def test_many_fields_are_counted_together_after_the_first() -> None:
    notes = Notes()

    read(NamedFields(("a",)), json.dumps({"a": "x", **{f"f{n:02}": n for n in range(20)}}), notes)

    named, further = notes.sentences()
    assert named.endswith("'f10' 1, 'f11' 1 (first: in.jsonl:3)")
    assert further == "further fields of JSON lines, left out: 8 (first: in.jsonl:3)"


@pytest.mark.parametrize("line", ['{"title": null, "abstract": "None."}', '{"abstract": "None."}'])
def test_a_text_that_is_null_or_missing_beside_another_is_counted(line: str) -> None:
    notes = Notes()

    found = read(NamedFields(("title", "abstract")), line, notes)

    assert found == Document("in-3", "None.", passages=(Passage(0, 5, {"type": "abstract"}),))
    assert notes.sentences() == [
        "documents without the text field 'title', read from their other text fields: 1 (first: in.jsonl:3)"
    ]


def test_of_several_texts_each_is_a_passage_and_a_line_without_id_has_its_own() -> None:
    passages = (Passage(0, 10, {"type": "title"}), Passage(11, 16, {"type": "abstract"}))

    expected = Document("in-3", "No ataxia.\nNone.", passages=passages)

    assert read(NamedFields(("title", "abstract"))) == expected


@pytest.mark.parametrize(
    ("fields", "line", "problem"),
    [
        (NamedFields(("body",)), LINE, "no field 'body', only 'abstract', 'pmid', 'title', 'year'"),
        (NamedFields(("titel", "abstract")), LINE, "no field 'titel', but one called 'title'"),
        (NamedFields(("title",), "id"), LINE, "in.jsonl:3: there is no field 'id'"),
        (NamedFields(("a",)), "{}", "there is no field 'a', the object is empty"),
        (NamedFields(("a",)), '{"a": ["x"]}', "the field 'a' is a list, expected a text"),
        (NamedFields(("a", "b")), '{"a": null}', "the field 'a' is null, expected a text"),
        (NamedFields(("a",)), '{"a": 1.5}', "the field 'a' is a number, expected a text"),
        (NamedFields(("a",)), '{"a": true}', "the field 'a' is true or false, expected a text"),
        (NamedFields(("a",), "n"), '{"a": "x", "n": null}', "the field 'n' is null"),
        (NamedFields(("a",)), '{"a": "\\ud800"}', "half of a character"),
        (NamedFields(("a",)), "[]", "expected a JSON object"),
    ],
)
def test_what_is_not_there_is_refused(fields: NamedFields, line: str, problem: str) -> None:
    with pytest.raises(BadFile, match=problem):
        read(fields, line)
