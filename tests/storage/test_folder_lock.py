"""One process at a time works in a folder: the second is told, and the work of the first goes on."""

import subprocess
import sys
from pathlib import Path

import pytest

from linnet.annotation.annotate import annotate_path
from linnet.comparison.comparing import run
from linnet.comparison.grid import load_grid
from linnet.comparison.runner import SilentGridWatcher
from linnet.errors import BadFile
from linnet.storage.folder_lock import lock_file, lock_folder
from tests import tiny

AT_WORK = "another process is at work in this folder"


def test_a_held_folder_cannot_be_held_again_until_it_is_let_go(tmp_path: Path) -> None:
    with lock_folder(tmp_path), pytest.raises(BadFile, match=AT_WORK), lock_folder(tmp_path):
        pass

    with lock_folder(tmp_path):
        assert not list(tmp_path.iterdir())  # nothing is left in it


def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    code = "from pathlib import Path\nfrom linnet.storage.folder_lock import lock_folder\n"
    code += f"with lock_folder(Path({str(tmp_path)!r})):\n    print('held', flush=True)\n    input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        with pytest.raises(BadFile, match=AT_WORK), lock_folder(tmp_path):
            pass
        process.kill()

    with lock_folder(tmp_path):
        pass


def test_a_folder_that_was_removed_by_who_held_it_before_is_not_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "work"
    folder.mkdir()

    def removed_meanwhile(*_: object) -> None:
        folder.rmdir()

    with monkeypatch.context() as patched:
        patched.setattr("fcntl.flock", removed_meanwhile)
        with pytest.raises(BadFile, match=AT_WORK), lock_folder(folder):
            pass
    with pytest.raises(BadFile, match=AT_WORK), lock_folder(folder):
        pass


def test_a_training_is_not_disturbed_by_a_second_one(tmp_path: Path) -> None:
    with lock_folder(tmp_path), pytest.raises(BadFile, match=AT_WORK):
        tiny.train(tmp_path)
    with lock_folder(tmp_path), pytest.raises(BadFile, match=AT_WORK):
        tiny.train(tmp_path, overwrite=True)


def test_a_grid_is_not_disturbed_by_a_second_one(tmp_path: Path) -> None:
    path = tmp_path / "grid.toml"
    path.write_text(
        f'output = "{tmp_path / "grid"}"\nbaseline = {{ scheme = "none" }}\n'
        f'[recipe]\ndata = "{tiny.corpus()}"\nencoder = "{tiny.encoder()}"\n'
        '[axes]\nscheme = ["none", "welt"]\nseed = [1, 2]\n',
        encoding="utf-8",
    )
    grid = load_grid(path)
    grid.output.mkdir()

    with lock_folder(grid.output), pytest.raises(BadFile, match=AT_WORK):
        run(grid, workers=1, threads=1, ray=None, watcher=SilentGridWatcher())


def test_an_annotation_is_not_disturbed_by_a_second_one(tmp_path: Path) -> None:
    source = tmp_path / "text.txt"
    source.write_text("no ataxia", encoding="utf-8")
    output = tmp_path / "out.jsonl"
    work = tmp_path / "out.jsonl.work"
    work.mkdir()

    with lock_folder(work), pytest.raises(BadFile, match=AT_WORK):
        annotate_path(source, model=tiny.trained(), output=output)

    annotate_path(source, model=tiny.trained(), output=output)
    assert output.is_file()


def test_a_file_is_locked_under_its_name_although_it_was_replaced_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, n_calls = tmp_path / "a", 0

    def replaced_meanwhile(*_: object) -> None:
        nonlocal n_calls
        n_calls += 1
        if n_calls == 1:
            (tmp_path / "b").write_text("new", encoding="utf-8")
            (tmp_path / "b").replace(path)
        elif n_calls == 2:
            path.unlink()

    monkeypatch.setattr("fcntl.flock", replaced_meanwhile)

    with lock_file(path, create=True):
        assert (n_calls, path.read_bytes()) == (3, b"")


def test_a_file_that_is_not_there_is_created_on_request_only(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), lock_file(tmp_path / "a", create=False):
        pass
    assert not list(tmp_path.iterdir())

    with lock_file(tmp_path / "a", create=True):
        assert (tmp_path / "a").is_file()
