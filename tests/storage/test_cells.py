"""Tab-separated files that spreadsheets read, and text that is cut between words."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.errors import BadFile
from linnet.storage.cells import escape_cell, first_words, read_rows, unescape_cell, write_rows

FORMULAS = ("=1+1", "+1", "-x", "@SUM(A1)", "\t=1", "\r=1", " =1", '"=1+1"', "\uff1d1", "-1-2", "-", "-inf", "+5")


def test_a_file_has_a_header_and_a_line_for_each_row(tmp_path: Path) -> None:
    write_rows(tmp_path / "a.tsv", ["word", "tag"], [["gout", "B-X"], ['"quoted"', "O"]])

    assert (tmp_path / "a.tsv").read_text(encoding="utf-8") == 'word\ttag\ngout\tB-X\n"quoted"\tO\n'


@pytest.mark.parametrize("end", ["\t", "\n", "\r", "\r\n", "\v", "\f", "\x85", "\u2028"])
def test_what_would_end_a_cell_becomes_one_space(tmp_path: Path, end: str) -> None:
    write_rows(tmp_path / "a.tsv", ["text"], [[f"a{end}b"]])

    assert (tmp_path / "a.tsv").read_bytes() == b"text\na b\n"


@pytest.mark.parametrize("cell", FORMULAS)
def test_a_cell_that_a_spreadsheet_takes_for_a_formula_begins_with_an_apostrophe(cell: str) -> None:
    assert escape_cell(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "gout", "'tis", "a=b", "-0.5", "-12", "-1.5e-07", "0.5", "1e-5", "…-1"])
def test_other_texts_and_numbers_stay_as_they_are(cell: str) -> None:
    assert escape_cell(cell) == cell


@given(st.text(alphabet="'\"=+-@ \t\r\n0.5ea", max_size=6) | st.text(max_size=6))
def test_an_escaped_cell_is_harmless_and_comes_back(cell: str) -> None:
    escaped = escape_cell(cell)

    assert unescape_cell(escaped) == cell
    assert not escaped.startswith(("=", "+", "@", "\t", "\r"))


@pytest.mark.parametrize("name", ["a.tsv", "a.csv"])
def test_rows_come_back_as_they_were_written(tmp_path: Path, name: str) -> None:
    rows = [["-0.5", "=cmd|' /C calc'!A0"], ["'=x", '"quoted", and more']]

    write_rows(tmp_path / name, ["score", "@text"], rows)

    assert list(read_rows(tmp_path / name)) == [dict(zip(("score", "@text"), row, strict=True)) for row in rows]
    written = (tmp_path / name).read_text(encoding="utf-8")
    assert "\n-0.5" in written
    assert "'=cmd" in written
    assert "'@text" in written


def test_a_csv_file_keeps_line_ends_in_quotes(tmp_path: Path) -> None:
    write_rows(tmp_path / "a.csv", ["text"], [["a\nb"]])

    assert (tmp_path / "a.csv").read_bytes() == b'text\n"a\nb"\n'
    assert list(read_rows(tmp_path / "a.csv")) == [{"text": "a\nb"}]


def test_a_row_with_too_few_cells_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("id\ttext\n1\n", encoding="utf-8")

    with pytest.raises(BadFile, match=r"a\.tsv:2: expected 2 cells, found 1"):
        list(read_rows(tmp_path / "a.tsv"))


def test_a_text_that_fits_is_not_changed() -> None:
    assert first_words("type 2 diabetes", 15) == "type 2 diabetes"


def test_a_longer_text_is_cut_between_words_with_an_ellipsis() -> None:
    assert first_words("type 2 diabetes", 14) == "type 2…"


def test_a_word_that_is_too_long_is_cut_inside() -> None:
    assert first_words("encephalopathy", 6) == "enceph…"
    assert first_words(" encephalopathy", 6) == " encep…"


@given(st.text(), st.integers(min_value=1, max_value=30))
def test_a_cut_text_is_the_beginning_of_the_text_and_not_longer(text: str, most: int) -> None:
    shortened = first_words(text, most)

    assert shortened == text or text.startswith(shortened.removesuffix("…"))
    assert len(shortened) <= most + 1


@pytest.mark.parametrize("cell", ["x\r=1+1", "a\nb", "", '"', "a,b", "x" * 200_000])
def test_any_cell_of_a_csv_file_comes_back_in_one_row(tmp_path: Path, cell: str) -> None:
    write_rows(tmp_path / "a.csv", ["text"], [[cell], ["next"]])

    assert [row["text"] for row in read_rows(tmp_path / "a.csv")] == [cell, "next"]


def test_a_broken_csv_file_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('text\n"open\n', encoding="utf-8")

    with pytest.raises(BadFile, match=r"a\.csv:2: broken CSV"):
        list(read_rows(tmp_path / "a.csv"))
