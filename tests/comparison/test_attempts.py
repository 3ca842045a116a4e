"""Runs that are under way when a grid is interrupted stand in its log."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from linnet.comparison import comparing
from linnet.comparison.attempts import AttemptWatcher
from linnet.comparison.identity import Log, LogEntry
from linnet.comparison.runner import SilentGridWatcher
from tests.comparison.fake_runs import make_grid


def test_runs_that_started_and_did_not_end_are_interrupted() -> None:
    watcher = AttemptWatcher(SilentGridWatcher())
    for name in ("a", "b"):
        watcher.started(name)
        watcher.moved(name, 0.5, None)
    watcher.ended(LogEntry("a", 1.0))

    (entry,) = watcher.list_interrupted()

    assert entry.name == "b"
    assert entry.is_interrupted


def test_an_interrupted_grid_logs_the_run_under_way_and_counts_it_as_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grid = make_grid(tmp_path)

    def run_until_interrupted(runs: Any, *, watcher: Any, **_: object) -> Iterator[LogEntry]:
        watcher.started(runs[0].name)
        yield from ()
        raise KeyboardInterrupt

    monkeypatch.setattr(comparing, "run_locally", run_until_interrupted)
    monkeypatch.setattr(comparing, "_check_encoders", lambda _: None)

    with pytest.raises(KeyboardInterrupt):
        comparing.run(grid, workers=1, threads=None, ray=None, watcher=SilentGridWatcher())

    log = Log(grid.output)
    assert [entry.error for entry in log.entries.values()] == ["interrupted"]
    assert comparing.report(grid).failures == ()
