"""Runs in worker processes: one that fails or dies does not stop the others. Nothing is trained here."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from linnet.comparison import runner
from linnet.comparison.comparing import run as run_grid
from linnet.comparison.grid import Grid, PlannedRun
from linnet.comparison.identity import Log, LogEntry
from linnet.comparison.runner import SilentGridWatcher, run_locally, threads_for
from linnet.errors import BadFile, BadSetting
from linnet.storage.folder_lock import lock_folder
from tests.comparison import fake_workers
from tests.comparison.fake_runs import make_grid, planned
from tests.comparison.fake_workers import FINE, KILLED, REFUSED, SURPRISED, TROUBLE

pytestmark = pytest.mark.long

T = TypeVar("T")


@pytest.fixture(autouse=True)
def fake_work(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let workers train nothing, and leave none behind."""
    monkeypatch.setattr(runner, "_work", fake_workers.work)
    yield
    assert not multiprocessing.active_children()


class Witness(SilentGridWatcher):
    """Records all events."""

    def __init__(self) -> None:
        self.events: list[tuple[object, ...]] = []

    def started(self, name: str) -> None:
        self.events.append(("started", name))

    def moved(self, name: str, share: float, score: float | None) -> None:
        self.events.append(("moved", name, share, score))

    def ended(self, entry: LogEntry) -> None:
        self.events.append(("ended", entry.name))


class Impatient(SilentGridWatcher):
    """Presses control-C when the first run ended."""

    def ended(self, entry: LogEntry) -> None:
        raise KeyboardInterrupt


def runs_of(folder: Path, *labels: str) -> list[PlannedRun]:
    """Return a run for each label, named after it, in trouble."""
    folder.mkdir(exist_ok=True)
    (folder / TROUBLE).touch()
    return [planned(folder / f"{n}-{label}", label=label) for n, label in enumerate(labels)]


def make(runs: list[PlannedRun], *, workers: int = 1, threads: int | None = 1) -> dict[str, LogEntry]:
    entries = run_locally(runs, workers=workers, threads=threads, watcher=SilentGridWatcher())
    return {entry.name: entry for entry in entries}


def seen(run: PlannedRun) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((run.folder / "seen.json").read_text(encoding="utf-8"))
    return found


def label_grid(folder: Path, *labels: str) -> Grid:
    """Return a grid whose runs behave as their labels say, in trouble."""
    listed = ", ".join(f'"{label}"' for label in labels)
    grid = make_grid(folder, f"[axes]\nseed = [1]\nlabel = [{listed}]\n", baseline={"label": labels[0]})
    (grid.output / "runs").mkdir(parents=True)
    (grid.output / "runs" / TROUBLE).touch()
    return grid


def go(grid: Grid, watcher: SilentGridWatcher | None = None) -> None:
    run_grid(grid, workers=1, threads=1, ray=None, watcher=watcher or SilentGridWatcher())


def test_a_run_that_fails_is_recorded_with_its_error_and_the_others_go_on(tmp_path: Path) -> None:
    runs = runs_of(tmp_path, REFUSED, FINE, SURPRISED, FINE)

    entries = make(runs)

    errors = {name: entry.error for name, entry in entries.items()}
    assert errors == {
        "0-refused": "the loss is not a number at update 3 (lower the learning rate)",
        "1-fine": None,
        "2-surprised": "ZeroDivisionError: [division] by zero",
        "3-fine": None,
    }
    assert "in make_run" in entries["2-surprised"].details  # the traceback, for a bug of ours
    assert entries["0-refused"].details == ""
    assert [run.is_finished for run in runs] == [False, True, False, True]


def test_one_worker_makes_all_runs_in_their_order(tmp_path: Path) -> None:
    runs = runs_of(tmp_path, FINE, FINE, FINE)

    entries = make(runs)

    assert list(entries) == [run.name for run in runs]
    assert len({seen(run)["process"] for run in runs}) == 1
    assert all(0 < entry.seconds < 60 for entry in entries.values())


def test_a_worker_that_is_killed_is_replaced_and_its_run_recorded_as_failed(tmp_path: Path) -> None:
    runs = runs_of(tmp_path, FINE, KILLED, FINE)

    entries = make(runs)

    assert entries["1-killed"].error is not None
    assert "was killed by signal 9" in entries["1-killed"].error
    assert [run.is_finished for run in runs] == [True, False, True]
    assert seen(runs[0])["process"] != seen(runs[2])["process"]


def test_a_worker_that_dies_between_two_runs_costs_none(tmp_path: Path) -> None:
    runs = runs_of(tmp_path, FINE, FINE)
    entries = run_locally(runs, workers=1, threads=1, watcher=SilentGridWatcher())
    next(entries)

    (worker,) = multiprocessing.active_children()
    assert worker.pid is not None
    assert worker.pid == seen(runs[0])["process"]
    os.kill(worker.pid, signal.SIGKILL)
    worker.join()
    rest = list(entries)

    assert [(entry.name, entry.error) for entry in rest] == [("1-fine", None)]
    assert runs[1].is_finished


def test_a_worker_ends_with_its_grid_and_lets_go_of_its_run(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom linnet.comparison import runner\n"
        "from tests.comparison import fake_workers, test_runner\n"
        "runner._work = fake_workers.work\n"
        "test_runner.make(test_runner.runs_of(Path(sys.argv[1]), fake_workers.BUSY))\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)]) as grid:
        begun = wait_for(lambda: next(tmp_path.rglob("begun"), None))
        with pytest.raises(BadFile), lock_folder(begun.parent):
            pass
        grid.kill()

    def is_free() -> bool:
        try:
            with lock_folder(begun.parent):
                return True
        except BadFile:
            return False

    assert wait_for(is_free)


def wait_for(found: Callable[[], T | None]) -> T:
    """Return what is found, as soon as it is."""
    for _ in range(600):
        if value := found():
            return value
        time.sleep(0.05)
    raise AssertionError("it took too long")


def test_two_workers_share_the_runs_and_each_keeps_to_its_threads(tmp_path: Path) -> None:
    runs = runs_of(tmp_path, FINE, FINE, FINE, FINE)

    make(runs, workers=2, threads=3)

    assert {(seen(run)["threads"], seen(run)["omp"]) for run in runs} == {(3, "3")}
    assert seen(runs[0])["process"] != seen(runs[1])["process"]
    assert os.environ.get("OMP_NUM_THREADS") != "3"  # only theirs


def test_threads_are_divided_among_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(8), raising=False)

    assert [threads_for(workers) for workers in (1, 2, 3, 8, 20)] == [8, 4, 2, 1, 1]


def test_a_watcher_hears_of_each_run_how_far_it_is_and_how_it_scores(tmp_path: Path) -> None:
    witness = Witness()

    list(run_locally(runs_of(tmp_path, FINE), workers=1, threads=1, watcher=witness))

    assert witness.events[0] == ("started", "0-fine")
    assert ("moved", "0-fine", 0.5, 0.75) in witness.events
    assert witness.events[-1] == ("ended", "0-fine")


def test_no_workers_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="--workers is 0"):
        make(runs_of(tmp_path, FINE), workers=0)


def test_a_run_that_failed_is_tried_again_at_the_next_start_and_no_other(tmp_path: Path) -> None:
    grid = label_grid(tmp_path, FINE, KILLED, REFUSED)
    go(grid)
    before = Log(grid.output).entries
    first = seen(grid.runs[0])
    (grid.output / "runs" / TROUBLE).unlink()

    go(grid)

    assert [before[run.name].error is None for run in grid.runs] == [True, False, False]
    assert all(run.is_finished for run in grid.runs)
    assert all(entry.error is None for entry in Log(grid.output).entries.values())
    assert seen(grid.runs[0]) == first


def test_an_interrupted_grid_goes_on_where_it_stopped(tmp_path: Path) -> None:
    grid = label_grid(tmp_path, FINE, "too", "three")
    with pytest.raises(KeyboardInterrupt):
        go(grid, Impatient())
    done = [run.is_finished for run in grid.runs]
    first = seen(grid.runs[0])
    witness = Witness()

    go(grid, witness)

    assert done == [True, False, False]
    assert [name for kind, name, *_ in witness.events if kind == "started"] == [run.name for run in grid.runs[1:]]
    assert all(run.is_finished for run in grid.runs)
    assert seen(grid.runs[0]) == first


def test_nothing_is_started_for_a_finished_grid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grid = label_grid(tmp_path, FINE)
    go(grid)
    monkeypatch.setattr(runner, "_Worker", None)  # not to be called
    witness = Witness()

    go(grid, witness)

    assert witness.events == []
