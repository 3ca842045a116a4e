"""brat folders: what is read, what is refused, what comes back."""

import re
from pathlib import Path

import pytest

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Argument, Document, Link, Passage, Relation, Span
from linnet.errors import BadFile

BRAT = formats.get("brat")
TEXT = "Aspirin helps,\nnot in asthma."  # "Aspirin" 0-7, "helps" 8-13, "not" 15-18, "asthma" 22-28, ends at 29


def read(path: Path, *, repair: bool = False, notes: Notes | None = None) -> list[Document]:
    return list(BRAT.read(path, ReadOptions(repair=repair), notes or Notes()))


def read_lines(
    folder: Path, *lines: str, text: str = TEXT, repair: bool = False, notes: Notes | None = None
) -> Document:
    (folder / "a.txt").write_bytes(text.encode())
    (folder / "a.ann").write_bytes("".join(f"{line}\n" for line in lines).encode())
    (document,) = read(folder, repair=repair, notes=notes)
    return document


def written_lines(folder: Path, document: Document) -> list[str]:
    BRAT.write([document], folder / "out", WriteOptions())
    (path,) = (folder / "out").glob("*.ann")
    return path.read_bytes().decode().removesuffix("\n").split("\n")


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


def test_lines_may_stand_in_any_order_and_end_as_brat_ends_them(tmp_path: Path) -> None:
    document = read_lines(
        tmp_path,
        "#1\tAnnotatorNotes A1\tunsure",
        "M1\tNegation E1\r",
        "A1\tNegation T1",
        "",
        "E1\tHelp:T2 ",
        "R1\tTreats Arg1:T1 Arg2:T2\t",
        "T2\tHelp 8 13\thelps",
        "N1\tReference T1 MESH:D1\tacetylsalicylic acid",
        "T1\tChemical 0 7\tAspirin",
    )

    assert [span.id for span in document.spans] == ["T2", "T1"]
    assert document.spans[1].infons == {
        "Negation": "true", "note on A1": "unsure", "name of MESH:D1": "acetylsalicylic acid",
    }  # fmt: skip
    assert [(relation.id, dict(relation.infons)) for relation in document.relations] == [
        ("E1", {"Negation": "true"}),
        ("R1", {}),
    ]
    assert "N1\tReference T1 MESH:D1\tacetylsalicylic acid" in written_lines(tmp_path, document)


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


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("T1\tX 0 6\tAspirin", "the text at 0 6 is 'Aspiri', not 'Aspirin'"),
        ("T1\tX 22 30\tasthma.", "22 to 30 is not in the text, which ends at 29"),
        ("T1\tX 7 0\tAspirin", "7 to 0 is not in the text"),
        ("T1\tX 0 x\tAspirin", "expected 'T1<TAB>Label start end<TAB>text'"),
        ("T1\tX 0 7", "expected 'T1<TAB>Label"),
        ("T1 X 0 7 Aspirin", "separated by tabs"),
        ("T0\tX 0 7\tAspirin", "a second line is called 'T0'"),
        ("X1\tX 0 7\tAspirin", "not a line of brat"),
        ("R1\tBind Arg1:T0 Arg2:T9", "refers to 'T9'"),
        ("R1\tBind Arg1:T0", "expected 'R1<TAB>"),
        ("R1\tBind T0 T0", "expected 'Role:Id'"),
        ("R1\tBind  Arg1:T0 Arg2:T0", "one space between them"),
        ("E1\tBind", "expected 'Role:Id'"),
        ("*\tEquiv T0", "expected '\\*<TAB>Equiv"),
        ("N1\tReference T0 D001241\tAspirin", "expected 'N1<TAB>Reference"),
        ("N1\tReference T9 MESH:D001241\tAspirin", "refers to 'T9'"),
        ("A1\tNegation", "expected 'A1<TAB>Name"),
        ("A1\tNegation T9", "refers to 'T9'"),
        ("A1\tkind T0 other", "two values for 'kind'"),
        ("#1\tAnnotatorNotes T9\tnote", "refers to 'T9'"),
        ("#1\tAnnotatorNotes T0", "expected '#1<TAB>"),
        ("#1\tScore T9\t0.5", "no mention here"),
        ("#1\tScore T0\thigh", "expected a number"),
        ("#1\tPassage -\t{", "expected JSON"),
        ('#1\tPassage -\t{"start": 0, "end": 99}', "ends at 29"),
        ('#1\tRelation -\t{"label": "x"}', "arguments"),
        ('#1\tRelation -\t{"label": "x", "arguments": [], "id": "T0"}', "a mention and a relation are called 'T0'"),
        ("#1\tAnnotatorNotes T0\tx\0", "NUL"),
        ('#1\tInfons T0\t{"a": "\\u0000"}', "NUL"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(BadFile) as caught:
        read_lines(tmp_path, "T0\tX 0 7\tAspirin", "A0\tkind T0 one", line)

    assert caught.value.problem.startswith(f"{tmp_path / 'a.ann'}:3: ")
    assert re.search(message, caught.value.problem)
    assert caught.value.remedy


def test_repair_believes_the_offsets(tmp_path: Path) -> None:
    notes = Notes()

    document = read_lines(tmp_path, "T1\tX 0 6\tAspirin", repair=True, notes=notes)

    assert document.spans == (Span(0, 6, "X", id="T1"),)
    assert notes.first_place == {
        "mentions whose text was replaced by the text at their offsets": f"{tmp_path / 'a.ann'}:1"
    }


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
