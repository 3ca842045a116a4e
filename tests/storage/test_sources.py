"""Files are opened for reading, their bytes reported, and files that shrink meanwhile refused (issue 27, row 10)."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.storage.files import read_lines
from linnet.storage.sources import open_source, read_stored, watching_bytes


def test_a_file_that_is_shortened_while_it_is_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("line\n" * 100_000)
    lines = read_lines(path)
    next(lines)

    path.write_text("line\n" * 10)

    with pytest.raises(BadFile, match="txt: was shortened while it was read"):
        list(lines)


def test_a_file_that_is_replaced_or_grows_while_it_is_read_is_read(tmp_path: Path) -> None:
    path, new = tmp_path / "x.txt", tmp_path / "new.txt"
    path.write_text("line\n" * 100_000)
    new.write_text("short\n")
    lines = read_lines(path)
    next(lines)

    new.replace(path)

    assert sum(1 for _ in lines) == 99_999


def test_bytes_are_reported_as_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"x" * 100_000)
    reported: list[int] = []

    with watching_bytes(reported.append), open_source(path) as file:
        file.read()

    assert sum(reported) == 100_000


def test_bytes_are_read_as_they_are_stored(tmp_path: Path) -> None:
    (tmp_path / "x.gz").write_bytes(b"\x1f\x8bnot really")

    assert read_stored(tmp_path / "x.gz") == b"\x1f\x8bnot really"
