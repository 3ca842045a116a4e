"""What killed processes leave beside an output is removed, and what belongs to a living one is not (issue 27)."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from linnet.storage.durable import replacing
from linnet.storage.files import new_file, new_folder
from linnet.storage.folder_lock import lock_file
from linnet.storage.leftovers import remove_leftovers
from linnet.storage.outputs import refuse_existing

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no such locks")


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_files_of_killed_processes_are_removed_and_others_stay(tmp_path: Path) -> None:
    others = {".b.jsonl.12.part", ".a.jsonl.part", "a.jsonl.12.part", ".a.jsonl.x.12.part", ".a.jsonl.deadbeef.part"}
    (tmp_path / ".a.jsonl.12.part").touch()
    for name in others:
        (tmp_path / name).mkdir() if "dead" in name else (tmp_path / name).touch()

    refuse_existing(None, tmp_path / "a.jsonl", overwrite=False)

    assert names(tmp_path) == others


def test_folders_are_removed_when_the_new_one_has_its_name(tmp_path: Path) -> None:
    old = tmp_path / ".out.deadbeef.part"
    old.mkdir()
    (old / "a.txt").touch()

    with pytest.raises(ValueError, match="broken"), new_folder(tmp_path / "out"):
        raise ValueError("broken")
    assert names(tmp_path) == {old.name}  # it may be the older output

    with new_folder(tmp_path / "out") as part:
        (part / "b.txt").touch()
    assert names(tmp_path) == {"out"}


def test_what_a_living_process_writes_is_not_removed(tmp_path: Path) -> None:
    with new_file(tmp_path / "a.jsonl") as file, new_folder(tmp_path / "out") as part:
        file.write("content")
        (part / "b.txt").touch()
        remove_leftovers(tmp_path / "a.jsonl", folders=True)
        remove_leftovers(tmp_path / "out", folders=True)

    assert (tmp_path / "a.jsonl").read_text(encoding="utf-8") == "content"
    assert names(tmp_path / "out") == {"b.txt"}


def test_a_temporary_file_that_is_removed_before_it_is_locked_is_created_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")
    part, flock = tmp_path / ".a.1.part", fcntl.flock
    removed: list[int] = []

    def remove_first(descriptor: int, how: int) -> None:
        if not removed:
            removed.append(descriptor)
            part.unlink()
        flock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", remove_first)
    with lock_file(part, create=True):
        assert part.exists()


def test_a_process_that_is_killed_leaves_what_the_next_one_removes(tmp_path: Path) -> None:
    target = tmp_path / "a.jsonl"
    code = "from pathlib import Path\nfrom linnet.storage.durable import replacing\n"
    code += f"with replacing(Path({str(target)!r})) as part:\n    print('there', flush=True)\n    input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"there\n"
        refuse_existing(target, overwrite=False)
        assert len(names(tmp_path)) == 1
        process.send_signal(signal.SIGKILL)

    refuse_existing(target, overwrite=False)
    assert not names(tmp_path)
    with replacing(target) as part:
        part.touch()
    assert names(tmp_path) == {"a.jsonl"}
