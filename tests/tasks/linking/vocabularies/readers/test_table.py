"""Plain tables."""

import csv
from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.readers.table import Table
from linnet.tasks.linking.vocabularies.reading import detect_reader, read_start
from tests.tasks.linking.sources import TABLE, write


def test_rows_become_concepts(tmp_path: Path) -> None:
    first, *others = Table().read(write(tmp_path, "t", TABLE))

    assert (first.identifier, first.names) == ("mesh:D001943", ("Breast Neoplasms", "Breast Cancer", "Breast Tumors"))
    assert (first.cross_references, first.parents, first.retired) == (
        ("doid:1612",),
        ("mesh:D009369",),
        ("mesh:D000001",),
    )
    assert [each.identifier for each in others] == ["mesh:D010051", "mesh:D009369", "mesh:D016559"]


@pytest.mark.parametrize(
    ("column", "said"),
    [("synonym", "unknown column 'synonym'; did you mean 'synonyms'?"), ("zz", "unknown column 'zz'")],
)
def test_a_column_that_would_be_dropped_is_refused(tmp_path: Path, column: str, said: str) -> None:
    file = write(tmp_path, "t", f"id\tname\t{column}\nD003920\tDiabetes Mellitus\tdiabetes|DM\n")

    with pytest.raises(BadFile) as refused:
        list(Table().read(file))

    assert refused.value.problem.endswith(said)
    assert "known columns: id, name, synonyms" in refused.value.remedy


def test_line_ends_and_blank_lines_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_bytes(b"\xef\xbb\xbfid\tname\r\n\r\nx:1\tFever\r\n")

    assert [each.name for each in Table().read(path)] == ["Fever"]


@pytest.mark.parametrize("row", ["\tFever", "x:1\tFever\tmore"])
def test_a_row_without_id_or_with_too_many_cells_is_refused_with_its_line(tmp_path: Path, row: str) -> None:
    path = write(tmp_path, "t", f"id\tname\nx:0\tPain\n{row}\n")

    with pytest.raises(BadFile, match="t:3"):
        list(Table().read(path))


def test_a_table_without_the_columns_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no columns"):
        list(Table().read(write(tmp_path, "t", "a\tb\n1\t2\n")))


@pytest.mark.parametrize("separator", [",", ";"])
def test_tables_of_spreadsheets_are_the_same_as_those_with_tabs(tmp_path: Path, separator: str) -> None:
    plain = 'id\tname\tsynonyms\r\nx:1\tFever, high; sudden\tfebris|a "fever"\r\nx:2\tPain\r\n'
    quoted = [["id", "name", "synonyms"], ["x:1", "Fever, high; sudden", 'febris|a "fever"'], ["x:2", "Pain", ""]]
    sheet = tmp_path / "sheet.csv"
    with sheet.open("w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file, delimiter=separator).writerows([*quoted, ["", "", ""]])
    head = read_start(sheet)

    assert detect_reader(sheet, head).name == "table"
    assert list(Table().read(sheet)) == list(Table().read(write(tmp_path, "t", plain)))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("x:1,Fever,high", "t:3: has 3 cells, the header has 2"),
        ('x:1,"Fever', "t:3: the cells cannot be told apart"),
        ('x:1,"Fever" high', "t:3: the cells cannot be told apart"),
        ('x:1,"Fever\nhigh"', "t:3: a cell has a line break"),
    ],
)
def test_rows_of_spreadsheets_that_can_be_misread_are_refused_with_their_line(
    tmp_path: Path, row: str, said: str
) -> None:
    path = write(tmp_path, "t", f"id,name\nx:0,Pain\n{row}\n")

    with pytest.raises(BadFile) as refused:
        list(Table().read(path))

    assert said in refused.value.problem
    assert refused.value.remedy


def test_one_doubtful_cell_is_told_in_the_singular_and_shortened(tmp_path: Path) -> None:
    read = list(Table().read(write(tmp_path, "t", f"id\tname\tsynonyms\nx:1\tFever\ta; {'b' * 99}\n")))

    (said,) = Table().find_doubts(read)

    assert said.startswith("1 cell of synonyms is one name")
    assert "bbb...'" in said
