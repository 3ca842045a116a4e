"""PubAnnotation files are read as its documentation describes them, and refused with their place if they are broken."""

import json
from pathlib import Path

import pytest

from linnet.contracts import Notes
from linnet.documents.document import Argument, Link, Passage, Relation, Sentence, Span
from linnet.errors import BadFile
from linnet.formats.annotation_tools.pubannotation import PubAnnotation
from linnet.formats.reading import detect_format
from tests.formats.annotation_tools.files import read

TEXT = "IRF-4 expression in CML may be induced by IFN-α therapy"
T1 = {"id": "T1", "span": {"begin": 0, "end": 5}, "obj": "Protein"}
T2 = {"id": "T2", "span": {"begin": 42, "end": 47}, "obj": "Protein"}
# the example of https://www.pubannotation.org/docs/annotation-format/, with an attribute
EXAMPLE = {
    "text": TEXT,
    "sourcedb": "PubMed",
    "sourceid": "10601358",
    "denotations": [T1, T2],
    "relations": [{"id": "R1", "subj": "T1", "pred": "interactWith", "obj": "T2"}],
    "attributes": [{"id": "A1", "subj": "T1", "pred": "negated", "obj": True}],
}


def test_the_example_of_the_documentation_is_read(tmp_path: Path) -> None:
    (document,) = read(PubAnnotation(), EXAMPLE, tmp_path)

    assert (document.id, document.text, document.infons) == ("10601358", TEXT, {"sourcedb": "PubMed"})
    assert document.spans == (
        Span(0, 5, "Protein", id="T1", infons={"negated": "true"}),
        Span(42, 47, "Protein", id="T2"),
    )
    assert document.relations == (Relation("interactWith", (Argument("subj", "T1"), Argument("obj", "T2")), "R1"),)


def test_a_list_of_documents_and_lines_of_documents_are_read(tmp_path: Path) -> None:
    first, second = '{"text": "a", "sourceid": 1, "denotations": []}', '{"text": "b", "denotations": []}'

    in_list = read(PubAnnotation(), f"[{first},\n{second}]", tmp_path)
    in_lines = read(PubAnnotation(), f"{first}\n{second}\n", tmp_path)

    assert in_list == in_lines
    assert [document.id for document in in_list] == ["1", "corpus-2"]  # one without a source is numbered


def test_divisions_of_one_article_are_documents_of_their_own(tmp_path: Path) -> None:
    parts: list[dict[str, object]] = [
        {"text": "a", "sourcedb": "PMC", "sourceid": "7", "divid": number, "denotations": []} for number in (0, 1)
    ]

    found = read(PubAnnotation(), parts, tmp_path)

    assert [(document.id, document.infons["divid"]) for document in found] == [("7-0", "0"), ("7-1", "1")]


def test_scores_identifiers_and_pieces_are_read(tmp_path: Path) -> None:
    pieces = {"id": "T1", "span": [{"begin": 0, "end": 3}, {"begin": 20, "end": 23}], "obj": "X"}
    attributes = [
        {"subj": "T1", "pred": "score", "obj": 0.5},
        {"subj": "T1", "pred": "MESH identifier", "obj": "D1"},
        {"subj": "T1", "pred": "identifier", "obj": "OMIM:2"},
    ]

    (document,) = read(PubAnnotation(), {"text": TEXT, "denotations": [pieces], "attributes": attributes}, tmp_path)

    links = (Link("D1", "MESH"), Link("OMIM:2"))
    assert document.spans == (Span(0, 23, "X", ((0, 3), (20, 23)), "T1", links, 0.5),)


def test_blocks_are_passages_and_sentences(tmp_path: Path) -> None:
    blocks = [
        {"id": "B1", "span": {"begin": 0, "end": 5}, "obj": "title"},
        {"id": "B2", "span": {"begin": 6, "end": 9}, "obj": "sentence"},
    ]

    (document,) = read(PubAnnotation(), {"text": TEXT, "denotations": [], "blocks": blocks}, tmp_path)

    assert document.passages == (Passage(0, 5, {"type": "title"}),)
    assert document.sentences == (Sentence(6, 9),)


def test_tracks_of_several_projects_are_put_together(tmp_path: Path) -> None:
    relation = {"id": "R1", "subj": "T1", "pred": "x", "obj": "T1"}
    tracks = [{"project": "a", "denotations": [T1]}, {"project": "b", "denotations": [T1], "relations": [relation]}]

    (document,) = read(PubAnnotation(), {"text": TEXT, "sourceid": "1", "tracks": tracks}, tmp_path)

    assert [(span.id, span.infons) for span in document.spans] == [
        ("1-T1", {"project": "a"}),
        ("2-T1", {"project": "b"}),
    ]
    assert [argument.target for argument in document.relations[0].arguments] == ["2-T1", "2-T1"]


def test_what_is_not_read_is_noted(tmp_path: Path) -> None:
    notes = Notes()
    twice = [{"subj": "T1", "pred": "a", "obj": "1"}, {"subj": "T1", "pred": "a", "obj": "2"}]

    read(PubAnnotation(), {**EXAMPLE, "attributes": twice, "modifications": [{"id": "M1"}]}, tmp_path, notes=notes)

    assert set(notes.counts) == {"fields left out ('modifications')", "further attributes of one name left out"}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"text": None}, "the text is nothing"),
        ({"denotations": {}}, "'denotations' is {}"),
        ({"denotations": [{**T1, "span": {"begin": 0}}]}, "no 'end'"),
        ({"denotations": [{**T1, "span": {"begin": 0, "end": 500}}]}, "its text ends at 55"),
        ({"denotations": [{**T1, "span": []}]}, "a span without an interval"),
        ({"denotations": [{**T1, "span": {"begin": "0", "end": 5}}]}, "'begin' is \"0\""),
        ({"denotations": [T1]}, "relation 'interactWith' to 'T2'"),
        ({"attributes": [{"subj": "T9", "pred": "a", "obj": "b"}]}, "belongs to 'T9'"),
        ({"text": "a\0b"}, "NUL"),
        ({"text": "a\ud800b"}, "lone surrogate"),
    ],
)
def test_a_broken_document_is_refused_with_its_line(change: dict[str, object], problem: str, tmp_path: Path) -> None:
    good, bad = (json.dumps(each) for each in (EXAMPLE, {**EXAMPLE, "sourceid": "2", **change}))

    with pytest.raises(BadFile, match=r"corpus\.json:2: ") as caught:
        read(PubAnnotation(), f"{good}\n{bad}\n", tmp_path)

    assert problem in caught.value.problem


def test_the_format_is_detected_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(EXAMPLE, indent=1))
    lines = tmp_path / "x.jsonl"
    lines.write_text(json.dumps(EXAMPLE) + "\n")

    assert detect_format(path).name == detect_format(lines).name == "pubannotation"
