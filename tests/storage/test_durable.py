"""Renames that survive a power cut (issue 27), and the removal of temporary files that killed processes have left."""

import errno
import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.storage import durable
from linnet.storage.durable import is_part, make_folder, remove_parts, rename_durably, replacing, sync
from linnet.storage.files import new_binary_file, new_file, new_folder

Events = list[tuple[str, str]]


@pytest.fixture
def events(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Events:
    """The order in which files and folders are synced and renamed; `tmp_path` is "."."""
    seen: Events = []
    replace, opened = Path.replace, os.open

    def name(path: object) -> str:
        return str(Path(str(path)).relative_to(tmp_path))

    paths: dict[int, str] = {}

    def open_(path: object, flags: int, *more: object, **options: object) -> int:
        descriptor = opened(path, flags, *more, **options)  # type: ignore[arg-type]
        paths[descriptor] = str(path)
        return descriptor

    def renamed(self: Path, target: Path) -> Path:
        seen.append(("rename", name(target)))
        return replace(self, target)

    monkeypatch.setattr(os, "open", open_)
    monkeypatch.setattr(os, "fsync", lambda descriptor: seen.append(("sync", name(paths[descriptor]))))
    monkeypatch.setattr(os, "sync", lambda: seen.append(("sync", "all")))
    monkeypatch.setattr(Path, "replace", renamed)
    return seen


def test_a_file_is_synced_before_it_is_renamed_and_its_folder_after(tmp_path: Path, events: Events) -> None:
    with new_file(tmp_path / "a.txt") as file:
        file.write("x")

    assert events == [("sync", f".a.txt.{os.getpid()}.part"), ("rename", "a.txt"), ("sync", ".")]


@pytest.mark.parametrize("name", ["a.bin", "a.txt.gz"])
def test_the_whole_content_is_there_when_it_is_synced(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: sizes.append(os.fstat(descriptor).st_size))

    if name.endswith("gz"):
        with new_file(tmp_path / name) as text:
            text.write("x" * 5000)
    else:
        with new_binary_file(tmp_path / name) as file:
            file.write(b"x" * 5000)

    assert sizes[0] == (tmp_path / name).stat().st_size


def test_the_names_of_new_folders_above_a_file_are_synced(tmp_path: Path, events: Events) -> None:
    make_folder(tmp_path / "a" / "b")
    assert events == [("sync", "."), ("sync", "a")]

    make_folder(tmp_path / "a" / "b")
    assert len(events) == 2


def test_a_folder_is_synced_as_a_whole_before_it_is_renamed(tmp_path: Path, events: Events) -> None:
    with new_folder(tmp_path / "out") as folder:
        (folder / "deep").mkdir()
        with new_file(folder / "deep" / "x") as file:
            file.write("x")
        assert [what for what, _ in events] == ["rename"]  # of x, which is not synced by itself

    part = str(folder.relative_to(tmp_path))
    assert set(events[1:-2]) == {("sync", each) for each in (part, f"{part}/deep", f"{part}/deep/x")}
    assert events[-2:] == [("rename", "out"), ("sync", ".")]


def test_a_folder_of_many_files_takes_one_sync(tmp_path: Path, events: Events, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(durable, "MOST_FILES", 2)

    with new_folder(tmp_path / "out") as folder:
        for name in "abc":
            (folder / name).touch()

    assert events == [("sync", "all"), ("rename", "out"), ("sync", ".")]


def test_a_disk_that_fails_while_it_is_synced_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text("old", encoding="utf-8")
    monkeypatch.setattr(os, "fsync", _fail(errno.EIO))

    with pytest.raises(BadFile, match=r"a\.txt: cannot be written"), new_file(tmp_path / "a.txt") as file:
        file.write("new")

    assert [(each.name, each.read_text(encoding="utf-8")) for each in tmp_path.iterdir()] == [("a.txt", "old")]


def test_a_file_system_without_syncing_is_written_to_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", _fail(errno.EINVAL))

    sync(tmp_path)
    with replacing(tmp_path / "a") as part:
        part.touch()

    assert [each.name for each in tmp_path.iterdir()] == ["a"]


def test_what_fails_leaves_no_temporary_file(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), replacing(tmp_path / "a") as part:
        part.write_text(str(1 / 0), encoding="utf-8")

    assert list(tmp_path.iterdir()) == []


def test_files_and_folders_can_really_be_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    n_synced = 0
    system = import_module(os.name)  # its functions are not replaced in tests

    def count(descriptor: int) -> None:
        nonlocal n_synced
        system.fsync(descriptor)
        n_synced += 1

    monkeypatch.setattr(os, "fsync", count)
    with new_folder(tmp_path / "out") as folder:
        (folder / "a").write_text("a", encoding="utf-8")

    assert n_synced == 3  # the file, its folder, and the folder above it


def test_a_rename_replaces_a_file(tmp_path: Path) -> None:
    (tmp_path / "new").write_text("new", encoding="utf-8")
    (tmp_path / "old").write_text("old", encoding="utf-8")

    rename_durably(tmp_path / "new", tmp_path / "old")

    assert (tmp_path / "old").read_text(encoding="utf-8") == "new"


@pytest.mark.parametrize("number", [1, 2])
def test_a_folder_that_cannot_be_replaced_keeps_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.txt").touch()
    replace, n_renames = Path.replace, 0

    def full(self: Path, target: Path) -> Path:
        nonlocal n_renames
        n_renames += 1
        if n_renames == number:
            raise OSError(errno.ENOSPC, "No space left on device")
        return replace(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        with pytest.raises(OSError, match="No space"):
            rename_durably(tmp_path / "new", tmp_path / "old", replace_folder=True)
    assert sorted(str(each.relative_to(tmp_path)) for each in tmp_path.rglob("*.txt")) == ["new/new.txt", "old/old.txt"]

    rename_durably(tmp_path / "new", tmp_path / "old", replace_folder=True)
    assert [str(each.relative_to(tmp_path)) for each in tmp_path.rglob("*")] == ["old", "old/new.txt"]


def test_a_folder_with_files_is_replaced_only_on_request_and_a_link_never(tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").touch()
    (tmp_path / "link").symlink_to(tmp_path / "old")

    with pytest.raises(OSError):  # noqa: PT011 — the system's own words
        rename_durably(tmp_path / "new", tmp_path / "old")
    with pytest.raises(OSError, match="link to a folder"):
        rename_durably(tmp_path / "new", tmp_path / "link", replace_folder=True)

    assert len(list(tmp_path.iterdir())) == 3


def test_what_killed_processes_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    ours = [
        ".metrics.json.17.part",
        "checkpoints/.best.safetensors.part",
        "checkpoints/stage-1/.best.safetensors.7.part",
    ]
    others = ["a.part", ".film.part", ".notes.txt", "b/.metrics.json.17.part", "checkpoints/step-3"]
    for name in (*ours, *others):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    for name in (".model.ab_4efgh.part", "checkpoints/.step-4.abcdefgh.part"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "network.safetensors").touch()

    remove_parts(tmp_path, below=["checkpoints", "nowhere"])

    assert sorted(str(each.relative_to(tmp_path)) for each in tmp_path.rglob("*") if each.is_file()) == sorted(others)
    assert [each.name for each in tmp_path.rglob("*.part") if each.is_dir()] == []


def test_names_of_temporary_files_are_known() -> None:
    assert is_part(".a.17.part")
    assert not is_part("a.part")


def _fail(number: int) -> Callable[[int], None]:
    def fail(descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    return fail
