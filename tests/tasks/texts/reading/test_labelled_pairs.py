"""Pairs of texts with a label, as tables have them."""

from pathlib import Path

import pytest

from linnet.contracts import Notes
from linnet.errors import BadFile
from linnet.tasks.texts.reading.labelled_pairs import PairColumns, read_pairs

COLUMNS = PairColumns(
    layouts=(("id", "premise", "hypothesis", "label"), ("premise", "hypothesis")),
    first=("premise",),
    second=("hypothesis",),
    label=("label",),
    id=("id",),
)
HEADER = "id\tpremise\thypothesis\tlabel\n"


def write(folder: Path, text: str) -> Path:
    path = folder / "train.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_row_is_a_pair_with_its_label_and_place(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + "7\tA.\tB.\tyes\n")

    (found,) = read_pairs(path, COLUMNS, None, {}, Notes())

    assert (found.id, found.first, found.second, found.gold) == ("7", "A.", "B.", "yes")
    assert found.place == f"{path}:2"


def test_pairs_without_consensus_are_left_out_and_counted(tmp_path: Path) -> None:
    notes = Notes()

    found = read_pairs(write(tmp_path, HEADER + "1\tA.\tB.\t-\n2\tA.\tB.\tno\n"), COLUMNS, None, {}, notes)

    assert [each.id for each in found] == ["2"]
    assert list(notes.counts.values()) == [1]


def test_a_table_without_labels_has_no_gold(tmp_path: Path) -> None:
    (found,) = read_pairs(write(tmp_path, "premise\thypothesis\nA.\tB.\n"), COLUMNS, None, {}, Notes())

    assert found.gold is None


def test_an_id_of_another_file_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + "1\tA.\tB.\tyes\n")

    with pytest.raises(BadFile, match=r"other.tsv:5"):
        read_pairs(path, COLUMNS, None, {"1": "other.tsv:5"}, Notes())


def test_a_row_without_a_label_among_rows_with_one_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + "1\tA.\tB.\tyes\n2\tA.\tB.\t\n")

    with pytest.raises(BadFile, match=r"train.tsv:3"):
        read_pairs(path, COLUMNS, None, {}, Notes())
