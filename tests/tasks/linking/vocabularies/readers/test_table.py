"""Plain tables."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.readers.table import Table
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
