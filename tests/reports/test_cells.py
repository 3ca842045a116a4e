"""Tab-separated files that spreadsheets read, and text that is cut between words."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.reports.cells import first_words, write_rows


def test_a_file_has_a_header_and_a_line_for_each_row(tmp_path: Path) -> None:
    write_rows(tmp_path / "a.tsv", ["word", "tag"], [["gout", "B-X"], ['"quoted"', "O"]])

    assert (tmp_path / "a.tsv").read_text(encoding="utf-8") == 'word\ttag\ngout\tB-X\n"quoted"\tO\n'


@pytest.mark.parametrize("end", ["\t", "\n", "\r", "\r\n", "\v", "\f", "\x85", "\u2028"])
def test_what_would_end_a_cell_becomes_one_space(tmp_path: Path, end: str) -> None:
    write_rows(tmp_path / "a.tsv", ["text"], [[f"a{end}b"]])

    assert (tmp_path / "a.tsv").read_bytes() == b"text\na b\n"


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
