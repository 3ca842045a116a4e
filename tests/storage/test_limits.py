"""Lines, documents and files above the limit are refused before they are in memory (issue 27, row 6)."""

import gzip
import io
import tracemalloc
from pathlib import Path

import pytest

from linnet.errors import BadFile, BadSetting
from linnet.storage import limits
from linnet.storage.files import open_text, read_lines, read_text
from linnet.storage.limits import find_long_line, longest_document, refuse_long, split_lines


@pytest.fixture
def one_kilobyte(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MEGABYTE", 1000)
    monkeypatch.setenv("LINNET_MAX_DOCUMENT_MB", "1")


def test_the_limit_is_64_megabytes_or_what_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LINNET_MAX_DOCUMENT_MB", raising=False)
    assert longest_document() == 64_000_000

    monkeypatch.setenv("LINNET_MAX_DOCUMENT_MB", "200")
    assert longest_document() == 200_000_000


@pytest.mark.parametrize("given", ["0", "-1", "1.5", "64M", "²", "9" * 5000])
def test_a_limit_that_is_no_number_of_megabytes_is_refused(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINNET_MAX_DOCUMENT_MB", given)

    with pytest.raises(BadSetting, match="LINNET_MAX_DOCUMENT_MB"):
        longest_document()


def test_the_error_says_how_to_allow_more() -> None:
    error = refuse_long("x:3", "a line")

    assert error.problem == "x:3: a line is longer than 64 MB"
    assert "LINNET_MAX_DOCUMENT_MB=640" in error.remedy


@pytest.mark.usefixtures("one_kilobyte")
def test_a_long_line_is_refused_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("short\n" + "x" * 1000 + "\n" + "y" * 200_000)

    with pytest.raises(BadFile, match="x:3: a line is longer than 1 MB"):
        list(read_lines(path))


@pytest.mark.usefixtures("one_kilobyte")
def test_a_long_file_of_short_lines_is_read_by_lines_but_not_as_one_text(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("short\n" * 1000)

    assert sum(1 for _ in read_lines(path)) == 1000
    with pytest.raises(BadFile, match="x: the file is longer than 1 MB"):
        read_text(path)


@pytest.mark.usefixtures("one_kilobyte")
def test_a_caller_may_read_long_lines_in_parts(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("x" * 200_000)

    with open_text(path, in_lines=False) as file:
        assert len(file.read(100_000)) == 100_000
        assert len(file.read()) == 100_000


@pytest.mark.usefixtures("one_kilobyte")
def test_lines_after_a_long_one_can_be_read() -> None:
    content = b"one\n" + b"x" * 1001 + b"\n" + b"y" * 300_000 + b"\ntwo\n" + b"z" * 1002

    found = list(split_lines(io.BufferedReader(io.BytesIO(content))))

    assert found == [b"one\n", None, None, b"two\n", None]
    assert find_long_line(io.BufferedReader(io.BytesIO(content))) == 2
    assert find_long_line(io.BufferedReader(io.BytesIO(b"one\n"))) == 0


@pytest.mark.parametrize("read", [read_text, lambda path: list(read_lines(path))])
def test_a_small_gzip_file_that_grows_does_not_take_all_memory(
    read: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"x" * 60_000_000, 1))
    monkeypatch.setenv("LINNET_MAX_DOCUMENT_MB", "2")

    tracemalloc.start()
    with pytest.raises(BadFile, match="longer than 2 MB"):
        read(path)  # type: ignore[operator]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 20_000_000
