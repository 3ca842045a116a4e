"""Folders are removed also where few files may be open; what stays is told."""

import os
import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from linnet.storage.removal import remove_folder, remove_remains

DEPTH = 5


@contextmanager
def files_left(number: int) -> Iterator[None]:
    """Let the process open only so many more files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.open(os.devnull, os.O_RDONLY)
    os.close(free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free + number, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture
def deep(tmp_path: Path) -> Path:
    """A folder of folders, each with a file, and a link to a file elsewhere."""
    folder = tmp_path / "deep"
    place = folder
    for number in range(DEPTH):
        place = place / str(number)
        place.mkdir(parents=True)
        (place / "file").touch()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "kept").touch()
    (place / "link").symlink_to(tmp_path / "elsewhere")
    return folder


def test_issue_27_a_folder_is_removed_with_one_more_open_file(deep: Path, tmp_path: Path) -> None:
    with files_left(1):
        with pytest.raises(OSError, match="Too many open files"):
            shutil.rmtree(deep)
        remove_folder(deep)

    assert not deep.exists()
    assert (tmp_path / "elsewhere" / "kept").is_file()


def test_a_folder_that_is_not_there_needs_no_removal(tmp_path: Path) -> None:
    remove_folder(tmp_path / "none")


def test_what_cannot_be_removed_is_an_error_or_stays_until_the_next_start(deep: Path) -> None:
    with files_left(0):
        with pytest.raises(OSError, match="Too many open files"):
            remove_folder(deep)
        remove_remains(deep)

    assert deep.is_dir()
    remove_remains(deep)
    assert not deep.exists()
