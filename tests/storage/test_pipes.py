"""Pipes are read again from their start (issue 27, row 1)."""

import os
from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.storage import pipes
from linnet.storage.files import open_bytes, read_head, read_text
from linnet.storage.pipes import is_pipe, open_file
from tests.piping import piped, through_fifo

LONG = b"0123456789abcdef" * 20_000  # more than a pipe holds at once


def test_a_pipe_is_read_again_from_its_start() -> None:
    with piped(LONG) as path:
        with open_bytes(path) as file:
            head = read_head(file, 65536)

        text = read_text(path)

        assert head == LONG[:65536]
        assert text.encode() == LONG
        assert read_text(path) == text


def test_a_reader_goes_on_where_another_one_has_read_ahead() -> None:
    with piped(LONG) as path, open_bytes(path) as first, open_bytes(path) as second:
        assert first.read(10) == LONG[:10]
        assert second.read(100_000) == LONG[:100_000]
        assert first.read() == LONG[10:]
        assert second.read() == LONG[100_000:]


def test_a_named_pipe_neither_loses_its_beginning_nor_hangs(tmp_path: Path) -> None:
    with through_fifo(tmp_path / "fifo", LONG) as path:
        with open_bytes(path) as file:
            file.read1(100)

        assert read_text(path).encode() == LONG


def test_what_is_written_later_to_a_named_pipe_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    with through_fifo(path, b"first"):
        assert read_text(path) == "first"
    os.utime(path, (0, 0))  # as a later writer changes it

    with through_fifo(path, b"second"):
        assert read_text(path) == "second"


def test_long_pipes_are_kept_on_disk_not_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipes, "KEPT_IN_MEMORY", 1000)

    with piped(LONG) as path:
        assert read_text(path) == read_text(path) == LONG.decode()


def test_a_copy_that_cannot_be_written_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.SpooledTemporaryFile", lambda size: Path("/dev/full").open("r+b", 0))  # noqa: SIM115

    with piped(LONG) as path, pytest.raises(BadFile, match="temporary copy of it cannot be written") as caught:
        read_text(path)

    assert "TMPDIR" in caught.value.remedy


def test_files_and_folders_are_no_pipes(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("x")
    os.mkfifo(tmp_path / "fifo")

    found = [is_pipe(path) for path in (tmp_path / "x", tmp_path, tmp_path / "missing", tmp_path / "fifo")]

    assert found == [False, False, False, True]


def test_a_file_is_opened_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"abc")

    with open_file(tmp_path / "x") as file:
        assert file.read() == b"abc"
