"""Linnet's own loss-free format."""

import json
from pathlib import Path
from typing import Any

import pytest

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Argument, Document, Link, Passage, Relation, Sentence, Span
from linnet.errors import BadFile
from linnet.formats.jsonl import document_from_json, document_of_line, document_to_json

JSONL = formats.get("jsonl")
FULL = Document(
    "d 1",
    "Aspirin causes\u2028 ulcers 😀.\r\n",
    (
        Span(0, 7, "Chemical", id="T1", links=(Link("D001241", "MESH"), Link("x")), score=0.0, infons={"note": "a\nb"}),
        Span(0, 22, "Disease", fragments=((0, 7), (16, 22)), id="T2"),
        Span(0, 0, ""),
    ),
    (
        Relation(
            "CID", (Argument("cause", "T1"), Argument("effect", "D014456", is_concept=True)), "R1", {"novel": "No"}
        ),
        Relation("", ()),
    ),
    (Passage(0, 5, {"type": "title"}), Passage(0, 0)),
    (Sentence(0, 24, ((0, 7), (8, 14)), (("NN", ""), ("VB", "x")), {"a": "b"}), Sentence(0, 0)),
    {"year": "2020", "": ""},
)


def read(tmp_path: Path, text: str) -> list[Document]:
    path = tmp_path / "in.jsonl"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return list(JSONL.read(path, ReadOptions(), Notes()))


def line(**fields: Any) -> str:
    return json.dumps({"id": "d", "text": "one two", **fields})


def test_every_field_of_a_document_comes_back(tmp_path: Path) -> None:
    JSONL.write([FULL], tmp_path / "x.jsonl", WriteOptions())

    assert list(JSONL.read(tmp_path / "x.jsonl", ReadOptions(), Notes())) == [FULL]
    assert list(JSONL.losses(FULL)) == []


def test_names_and_concepts_without_content_come_back() -> None:
    document = Document("", "", (Span(0, 0, "", links=(Link(""), Link("", "MESH"))),), (Relation("", (), "R1"),))

    assert document_from_json(document_to_json(document), "here") == document


def test_each_document_is_one_line_with_readable_characters(tmp_path: Path) -> None:
    JSONL.write([Document("1", "a\nβ😀"), Document("2", "x")], tmp_path / "x.jsonl", WriteOptions())

    assert (tmp_path / "x.jsonl").read_bytes().decode() == '{"id": "1", "text": "a\\nβ😀"}\n{"id": "2", "text": "x"}\n'


def test_spans_carry_their_text() -> None:
    document = Document("d", "one two", (Span(4, 7, "X"), Span(0, 7, "X", fragments=((0, 1), (4, 5)))))

    assert [span["text"] for span in document_to_json(document)["spans"]] == ["two", "o t"]


def test_blank_lines_a_byte_order_mark_and_a_missing_last_newline_change_nothing(tmp_path: Path) -> None:
    assert [d.id for d in read(tmp_path, "\ufeff" + line() + "\r\n\n  \n" + line(id="e"))] == ["d", "e"]


def test_the_text_of_a_span_may_be_missing(tmp_path: Path) -> None:
    (document,) = read(tmp_path, line(spans=[{"start": 0, "end": 3, "label": "X"}]))

    assert document.spans == (Span(0, 3, "X"),)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "broken JSON"),
        ('{"id": "a", "text": "cut o', "broken JSON"),
        ("[1]", "expected a JSON object"),
        ("[" * 100_000, "unreadable JSON"),
        ('{"id": ' + "1" * 5000 + "}", "unreadable JSON"),
        ('{"id": "a"}', "no 'text'"),
        ('{"text": "a"}', "no 'id'"),
        (line(id=1), "1 should be a string"),
        (line(text=None), "None should be a string"),
        (line(entities=[]), "unknown field 'entities'"),
        (line(spans=[{"start": 0, "end": 3, "label": "X", "type": "Y"}]), "unknown field 'type'"),
        (line(spans=[{"start": 0, "end": 3}]), "no 'label'"),
        (line(spans=[{"start": "0", "end": 3, "label": "X"}]), "'0' should be a whole number"),
        (line(spans=[{"start": 0.5, "end": 3, "label": "X"}]), "0.5 should be a whole number"),
        (line(spans=[{"start": True, "end": 3, "label": "X"}]), "True should be a whole number"),
        (line(spans=[[0, 3, "X"]]), "not a document of Linnet's"),
        (line(spans=None), "not a document of Linnet's"),
        (line(spans=[{"start": 0, "end": 8, "label": "X"}]), "0 to 8 marked, its text ends at 7"),
        (line(spans=[{"start": 3, "end": 2, "label": "X"}]), "3 to 2 marked"),
        (line(spans=[{"start": -1, "end": 2, "label": "X"}]), "-1 to 2 marked"),
        (line(spans=[{"start": 0, "end": 7, "label": "X", "fragments": [[0, 1], [5, 9]]}]), "5 to 9 marked"),
        (line(passages=[{"start": 0, "end": 8}]), "0 to 8 marked"),
        (line(sentences=[{"start": 0, "end": 7, "tokens": [[0, 9]]}]), "0 to 9 marked"),
        (line(sentences=[{"start": 0, "end": 7, "tokens": [[0, 3]], "columns": [["a"], ["b"]]}]), "2 rows of columns"),
        (line(spans=[{"start": 0, "end": 3, "label": "X", "text": "two"}]), "has 'one' at 0 to 3, not 'two'"),
        (line(relations=[{"label": "r", "arguments": [{"role": "a"}]}]), "no 'span'"),
        (line(relations=[{"label": "r", "arguments": [{"role": "a", "span": "b", "concept": "c"}]}]), "unknown field"),
        (line(infons={"a": 1}), "1 should be a string"),
        (line(text="a\0b"), "NUL"),
        (line(text="a\nb\0"), "NUL"),
        (line(infons={"a": "\0"}), "NUL"),
        (line(text="a\ud800"), "half of a character"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(BadFile) as caught:
        read(tmp_path, line(id="good") + "\n" + text + "\n")

    assert caught.value.problem.startswith(f"{tmp_path / 'in.jsonl'}:2: ")
    assert problem in caught.value.problem
    assert caught.value.remedy


def test_a_second_document_of_one_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"in\.jsonl:3: a second document is called 'd'"):
        read(tmp_path, f"{line()}\n\n{line()}\n")
    with pytest.raises(BadFile, match="two documents are called 'd'"):
        JSONL.write([Document("d", "a"), Document("d", "b")], tmp_path / "out.jsonl", WriteOptions())


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_a_file_without_a_document_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadFile, match="holds no document"):
        read(tmp_path, text)


@pytest.mark.parametrize(
    "document",
    [
        Document("d", "a\0"),
        Document("\0", "a"),
        Document("d", "a", (Span(0, 1, "\0"),)),
        Document("d", "a", infons={"\0": ""}),
    ],
)
def test_nul_is_not_written(tmp_path: Path, document: Document) -> None:
    with pytest.raises(BadFile, match="NUL"):
        JSONL.write([document], tmp_path / "out.jsonl", WriteOptions())

    assert list(tmp_path.iterdir()) == []


def test_a_backslash_that_only_looks_like_nul_is_text(tmp_path: Path) -> None:
    JSONL.write([Document("d", "\\u0000")], tmp_path / "x.jsonl", WriteOptions())

    assert [d.text for d in JSONL.read(tmp_path / "x.jsonl", ReadOptions(), Notes())] == ["\\u0000"]


@pytest.mark.parametrize("score", ["true", '"0.5"', "1e999"])
def test_a_score_is_a_number(score: str) -> None:
    line = '{"id": "1", "text": "a", "spans": [{"start": 0, "end": 1, "label": "X", "score": ' + score + "}]}"

    with pytest.raises(BadFile, match="expected a finite number"):
        document_of_line(line, "place")
