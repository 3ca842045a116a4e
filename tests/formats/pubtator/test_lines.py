"""Lines of PubTator files: what is read, repaired and refused."""

import re
from pathlib import Path

import pytest

from linnet.contracts import Notes
from linnet.documents.document import Link, Span
from linnet.errors import BadFile
from tests.formats.pubtator.pubtator_files import TEXT, read_text, written


def test_crlf_missing_last_line_end_and_missing_blank_lines_lose_nothing(tmp_path: Path) -> None:
    found = read_text(
        tmp_path, "\ufeff\r\n \r\n1|t|a\r\n1|a|b\r\n1\t0\t1\ta\tX\r\n2|t|c\r\n\r\n\r\n3|t|d\r\n3\t0\t1\td\tX\tD"
    )

    assert [(d.id, d.text, len(d.spans)) for d in found] == [("1", "a\nb", 1), ("2", "c", 0), ("3", "d", 1)]
    assert found[2].spans[0].links == (Link("D"),)


def test_an_empty_concept_column_is_no_link(tmp_path: Path) -> None:
    (document,) = read_text(tmp_path, f"{TEXT}1\t0\t7\tAspirin\tChemical\t\tname\n")

    assert document.spans == (Span(0, 7, "Chemical", infons={"names": "name"}),)
    assert read_text(tmp_path, written(tmp_path, document)) == [document]


@pytest.mark.parametrize(
    ("lines", "number", "message"),
    [
        (f"{TEXT}1\t1\t8\tAspirin\tX\n", 3, "the text there is 'spirin '; 'Aspirin' stands at 0-7"),
        (f"{TEXT}1\t1\t8\tIbuprofen\tX\n", 3, "the text there is 'spirin '$"),
        (f"{TEXT}1\t21\t29\tasthma.\tX\n", 3, "the text ends at 28; 'asthma.' stands at 21-28"),
        (f"{TEXT}1\t27\t40\t.\tX\n", 3, "the text ends at 28"),
        (f"{TEXT}1\tx\t7\tAspirin\tX\tD1\n", 3, "expected two offsets, found 'x' and '7'"),
        (f"{TEXT}1\tx\t7\tAspirin\tX\n", 3, "expected two offsets, found 'x' and '7'"),
        (f"{TEXT}1\t0\t7.0\tAspirin\tX\n", 3, "expected two offsets"),
        (f"{TEXT}1\t-1\t7\tAspirin\tX\n", 3, "expected two offsets"),
        (f"{TEXT}1\t7\t7\t\tX\n", 3, "starts at 7 and ends at 7"),
        (f"{TEXT}1\t0\t7\tAspirin\t\tD1\n", 3, "has no label"),
        (f"{TEXT}1\t0\t7\tAspirin\n", 3, "4 columns"),
        (f"{TEXT}1\t0\t7\tAspirin\tX\tD1\tname\tmore\n", 3, "8 columns"),
        (f"{TEXT}1\tCID\tD1\n", 3, "3 columns"),
        (f"{TEXT}1\tCID\tD1\t\n", 3, "needs a type and two concepts"),
        ("\n1\t0\t7\tAspirin\tX\n", 2, "before its text"),
        ("1|t|a\n\n1\t0\t1\ta\tX\n", 3, "after a blank line"),
        ("1|a|a\n", 1, "without its title"),
        ("1|t|a\n2|a|a\n", 2, "without its title"),
        ("1|t|a\n1|a|b\n1|a|c\n", 3, "once, before any annotation"),
        ("1|t|a\n1\t0\t1\ta\tX\n1|a|b\n", 3, "once, before any annotation"),
        (f"{TEXT}2\t0\t7\tAspirin\tX\n", 3, "an annotation of '2' in document '1'"),
        (f"{TEXT}\n2|t|a\n\n1|t|a\n", 6, "a second document is called '1'"),
        (f"{TEXT}and more text\n", 3, "neither text nor annotation"),
        ("1|t|a\0b\n", 1, "NUL"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(tmp_path: Path, lines: str, number: int, message: str) -> None:
    with pytest.raises(BadFile) as caught:
        read_text(tmp_path, lines)

    assert caught.value.problem.startswith(f"{tmp_path / 'corpus.txt'}:{number}: ")
    assert re.search(message, caught.value.problem)
    assert caught.value.remedy


def test_repair_moves_a_mention_to_the_nearest_place_of_its_text(tmp_path: Path) -> None:
    notes = Notes()

    (document,) = read_text(tmp_path, "1|t|pain pain pain\n1\t6\t10\tpain\tX\tD1\n", repair=True, notes=notes)

    assert document.spans == (Span(5, 9, "X", links=(Link("D1"),)),)
    assert notes.sentences() == [f"mentions moved to where their text is: 1 (first: {tmp_path / 'corpus.txt'}:2)"]


def test_repair_otherwise_believes_offsets_that_are_inside_the_text(tmp_path: Path) -> None:
    far = "x" * 60
    notes = Notes()

    (document,) = read_text(tmp_path, f"1|t|good {far} pain\n1\t0\t4\tpain\tX\n", repair=True, notes=notes)
    with pytest.raises(BadFile, match="the text ends at 1"):
        read_text(tmp_path, "1|t|a\n1\t0\t4\tpain\tX\n", repair=True)

    assert document.spans == (Span(0, 4, "X"),)
    assert notes.counts == {"mentions whose text was replaced by the text at their offsets": 1}
