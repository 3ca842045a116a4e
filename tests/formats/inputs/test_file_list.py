"""Files of a folder in order, also of folders that are too large for memory."""

import errno
import io
from pathlib import Path

import pytest

from linnet.contracts import Notes
from linnet.errors import BadFile
from linnet.formats.inputs import file_list
from linnet.formats.inputs.file_list import Spooled, files_below, opening_problem, sorted_names

NAMES = ["b", "a", "é", "\N{DNA DOUBLE HELIX}", "\ufffd", "c\nd", "10", "9", "z" * 200]


@pytest.mark.parametrize("most", [1, 2, 4, 9, 10])
def test_names_are_sorted_in_parts_as_in_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(file_list, "MOST_NAMES", most)
    monkeypatch.setattr(file_list, "BLOCK", 7)
    for name in NAMES:
        (tmp_path / name).touch()

    assert list(sorted_names(tmp_path)) == sorted(NAMES) == [each.name for each in sorted(tmp_path.iterdir())]


def test_an_empty_folder_has_no_names(tmp_path: Path) -> None:
    assert not list(sorted_names(tmp_path))


@pytest.mark.parametrize("most", [0, 20, 1 << 20])
def test_a_spooled_list_is_read_as_often_as_needed(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(file_list, "MOST_BYTES", most)
    expected = [(name, number) for number, name in enumerate([*NAMES, "caf\udce9"])]

    found = Spooled(iter(expected), to_row=lambda row: row, from_row=lambda name, number: (name, number))

    assert len(found) == len(expected)
    assert list(zip(found, found, strict=True)) == list(zip(expected, expected, strict=True))


class FullDisk(io.BytesIO):
    def write(self, _: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_list, "SpooledTemporaryFile", lambda _: FullDisk())

    with pytest.raises(BadFile, match=r"cannot be written \(No space left on device\)"):
        Spooled(["a"], to_row=lambda row: row, from_row=str)


def test_files_of_folders_come_in_order_and_what_is_left_out_does_not(tmp_path: Path) -> None:
    for name in ("b/y", "b/x", "a", "c", "out", ".hidden", "b/out"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "d").symlink_to("out")

    found = list(files_below(tmp_path, Notes(), {(tmp_path / "out").resolve()}))

    assert found == [(tmp_path / name, "") for name in ("a", "b/out", "b/x", "b/y", "c")]


def test_what_can_be_opened_has_no_problem(tmp_path: Path) -> None:
    (tmp_path / "a").touch()

    assert opening_problem(tmp_path / "a") == opening_problem(tmp_path) == ""
    assert "No such file" in opening_problem(tmp_path / "b")
