"""Results are loaded if they are there, and built by one process at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.pretraining.text import load_or_build as module
from linnet.pretraining.text.load_or_build import load_or_build
from linnet.storage.folder_lock import lock_folder


def read(place: Path) -> str | None:
    return place.read_text(encoding="utf-8") if place.is_file() else None


def never() -> str:
    raise AssertionError("it is there already")


def test_what_another_process_built_in_the_meantime_is_not_built_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def held_later(folder: Path) -> Iterator[None]:
        (folder / "result").write_text("theirs", encoding="utf-8")
        yield

    monkeypatch.setattr(module, "lock_folder", held_later)

    assert load_or_build(tmp_path / "shared" / "result", read, never) == "theirs"


def test_a_locked_folder_is_refused_only_if_something_has_to_be_built(tmp_path: Path) -> None:
    (tmp_path / "known").write_text("ours", encoding="utf-8")

    with lock_folder(tmp_path):
        assert load_or_build(tmp_path / "known", read, never) == "ours"
        with pytest.raises(BadFile, match="another process is at work"):
            load_or_build(tmp_path / "new", read, never)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(BadFile, match="cannot be written"):
        load_or_build(tmp_path / "file" / "result", read, never)


def test_what_killed_processes_left_is_removed_before_building(tmp_path: Path) -> None:
    left, others = tmp_path / ".cleaned-0123456789abcdef.x_1.part", tmp_path / ".exported.abc.part"
    for folder in (left, others):
        folder.mkdir()
        (folder / "text.txt").touch()

    assert load_or_build(tmp_path / "new", read, lambda: "made") == "made"
    assert not left.exists()
    assert others.exists()  # is somebody else's, who may be at work


def test_nothing_is_removed_without_a_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    half_made = tmp_path / ".cleaned-0123456789abcdef.x_1.part"
    half_made.mkdir()
    monkeypatch.setattr("linnet.storage.folder_lock.fcntl", None)

    assert load_or_build(tmp_path / "new", read, lambda: "made") == "made"
    assert half_made.exists()
