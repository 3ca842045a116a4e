"""Lines and cells of delimited files."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.readers.delimited import (
    find_separator,
    read_header,
    rows_with_header,
    split_list,
)


def test_lists_have_no_empty_parts() -> None:
    assert split_list("a| b||-|c") == ("a", "b", "c")
    assert split_list("-") == ()


def test_the_header_is_the_first_line_that_is_not_blank() -> None:
    assert read_header("\n ID\tName \nx") == ["id", "name"]


def test_issue_27_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_text("\nid\tname\tName\n1\tFever\tPain\n", encoding="utf-8")

    with pytest.raises(BadFile, match=r"t:2: the column 'name' stands twice"):
        list(rows_with_header(path))


@pytest.mark.parametrize(
    ("head", "separator"),
    [
        ("id\tname", "\t"),
        ("\nID, Name ,synonyms", ","),
        ('"id";"name"', ";"),
        ("id\tname,other", "\t"),
        ("text,curie", "\t"),
        ('\0,"', "\t"),
    ],
)
def test_the_header_decides_what_separates_cells(head: str, separator: str) -> None:
    assert find_separator(head, ("id", "name")) == separator
