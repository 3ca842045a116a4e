"""brat folders: what is read, what is refused, what comes back."""

from pathlib import Path

import pytest

from linnet.contracts import WriteOptions
from linnet.documents.document import Argument, Document, Link, Passage, Relation, Span
from linnet.errors import BadFile
from tests.formats.brat.brat_files import BRAT, TEXT, read, read_lines, written_lines


def test_every_kind_of_line_has_its_place_and_is_written_back(tmp_path: Path) -> None:
    lines = [
        "T1\tChemical 0 7\tAspirin",
        "N1\tReference T1 MESH:D001241\tAspirin",
        "N2\tReference T1 ID:a:b|c\tAspirin",
        "T2\tDisease 15 18;22 28\tnot asthma",
        "A1\tNegation T2",
        "A2\tConfidence T2 high",
        "#1\tAnnotatorNotes T2\tis it?",
        "T3\tHelp 8 18\thelps, not",
        "R1\tTreats Arg1:T1 Arg2:T2",
        "E1\tHelp:T3 Theme:T2 Cause:T1",
        "A3\tSpeculation E1",
        "E2\tHelp:T3 Theme:E1",
        "*\tEquiv T1 T2 T3",
    ]

    document = read_lines(tmp_path, *lines)

    assert document.id == "a"
    assert document.spans == (
        Span(0, 7, "Chemical", id="T1", links=(Link("D001241", "MESH"), Link("a:b|c"))),
        Span(
            15, 28, "Disease", ((15, 18), (22, 28)), "T2",
            infons={"Negation": "true", "Confidence": "high", "note": "is it?"},
        ),
        Span(8, 18, "Help", id="T3"),
    )  # fmt: skip
    assert document.relations == (
        Relation("Treats", (Argument("Arg1", "T1"), Argument("Arg2", "T2")), "R1"),
        Relation(
            "Help",
            (Argument("Trigger", "T3"), Argument("Theme", "T2"), Argument("Cause", "T1")),
            "E1",
            {"Speculation": "true"},
        ),
        Relation("Help", (Argument("Trigger", "T3"), Argument("Theme", "E1")), "E2"),
        Relation("Equiv", (Argument("", "T1"), Argument("", "T2"), Argument("", "T3"))),
    )
    assert written_lines(tmp_path, document) == lines


def test_what_brat_has_no_line_for_is_kept_in_notes(tmp_path: Path) -> None:
    relation = Relation("CID", (Argument("entity1", "D1", True), Argument("entity2", "D2", True)), "", {"novel": "No"})
    span = Span(0, 7, "Cell line", id="T1", score=0.1, infons={"names": "a|b c"})
    document = Document("x", TEXT, (span,), (relation,), (Passage(0, 14, {"type": "title"}),), infons={"year": "1999"})

    lines = written_lines(tmp_path, document)

    assert lines == [
        '#1\tPassage -\t{"start": 0, "end": 14, "infons": {"type": "title"}}',
        '#2\tInfons -\t{"year": "1999"}',
        "T1\tCell%20line 0 7\tAspirin",
        "#3\tScore T1\t0.1",
        '#4\tInfons T1\t{"names": "a|b c"}',
        '#5\tConceptRelation -\t{"id": "", "label": "CID", "arguments": [{"role": "entity1", "concept": "D1"}, '
        '{"role": "entity2", "concept": "D2"}], "infons": {"novel": "No"}}',
    ]
    assert read(tmp_path / "out") == [document]


def test_foreign_ids_are_renamed_with_all_references(tmp_path: Path) -> None:
    three = (Argument("a", "0"), Argument("b", "T2"), Argument("c", "rel"))
    document = Document(
        "x",
        TEXT,
        (Span(0, 7, "A", id="0"), Span(8, 13, "B", id="T2"), Span(15, 18, "C"), Span(22, 28, "D", id="T2")),
        (Relation("R", (Argument("a", "0"), Argument("b", "T2")), "rel"), Relation("N", three, "R1")),
    )

    BRAT.write([document], tmp_path / "out", WriteOptions())
    (back,) = read(tmp_path / "out")

    assert [span.id for span in back.spans] == ["T1", "T2", "T3", "T4"]
    assert back.relations[0] == Relation("R", (Argument("a", "T1"), Argument("b", "T2")), "R1")
    assert back.relations[1].arguments == (Argument("a", "T1"), Argument("b", "T2"), Argument("c", "R1"))


def test_ids_that_are_no_file_names_come_back(tmp_path: Path) -> None:
    ids = [
        "",
        ".",
        "..",
        "a/b",
        "a%2Fb",
        "a\\b",
        "ab. ",
        "x" * 300,
        "x" * 299 + "y",
        "é" * 150,
        "Case",
        "case",
        "a.ann",
        "\n",
    ]

    BRAT.write([Document(name, f"text of {name}") for name in ids], tmp_path / "out", WriteOptions())
    back = read(tmp_path / "out")

    names = [path.name for path in (tmp_path / "out").iterdir()]
    assert sorted(document.id for document in back) == sorted(ids)
    assert all(document.text == f"text of {document.id}" for document in back)
    assert len({name.casefold() for name in names}) == 2 * len(ids)
    assert not any(name.startswith(".") or len(name.encode()) > 255 for name in names)


def test_a_file_without_its_partner_is_refused(tmp_path: Path) -> None:
    read_lines(tmp_path)
    (tmp_path / "b.txt").touch()

    with pytest.raises(BadFile, match=r"b\.txt: without b\.ann") as caught:
        read(tmp_path)
    (tmp_path / "b.txt").rename(tmp_path / "c.md")
    (tmp_path / "b.ann").touch()
    with pytest.raises(BadFile, match=r"b\.ann: without b\.txt"):
        read(tmp_path)

    assert "create an empty b.ann" in caught.value.remedy
    with pytest.raises(BadFile, match=r"found no \.ann file"):
        read(tmp_path / "c.md")


def test_one_file_of_a_pair_is_enough(tmp_path: Path) -> None:
    document = read_lines(tmp_path, "T1\tX 0 7\tAspirin")
    (tmp_path / "empty").mkdir()

    assert read(tmp_path / "a.ann") == read(tmp_path / "a.txt") == [document]
    assert BRAT.recognises(tmp_path, "")
    assert BRAT.recognises(tmp_path / "a.ann", "")
    assert BRAT.recognises(tmp_path / "a.txt", TEXT)
    assert not BRAT.recognises(tmp_path / "b.txt", TEXT)
    assert not BRAT.recognises(tmp_path / "empty", "")
    with pytest.raises(BadFile, match=r"found no \.ann file"):
        read(tmp_path / "empty")


def test_nothing_appears_where_writing_fails(tmp_path: Path) -> None:
    dangling = Relation("R", (Argument("a", "T1"), Argument("b", "T9")))
    bad = {
        "two documents are called 'a'": Document("a", "x"),
        "NUL": Document("b", "x\0"),
        "a NUL": Document("b", "x", infons={"a": "\0"}),
        "lone surrogates": Document("b", "\ud800"),
        "outside its text": Document("b", "x", (Span(0, 2, "X"),)),
        "refers to 'T9'": Document("b", "x", (Span(0, 1, "X", id="T1"),), (dangling,)),
    }

    for message, document in bad.items():
        with pytest.raises(BadFile, match=message):
            BRAT.write([Document("a", "x"), document], tmp_path / "out", WriteOptions())

    assert list(tmp_path.iterdir()) == []
