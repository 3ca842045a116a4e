"""Lines of brat annotation files: what is read, repaired and refused."""

import re
from pathlib import Path

import pytest

from linnet.contracts import Notes
from linnet.documents.document import Span
from linnet.errors import BadFile
from tests.formats.brat.brat_files import read_lines, written_lines


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
