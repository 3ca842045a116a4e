"""How a running grid is shown: as a live table on a terminal, line by line elsewhere."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from linnet.cli.display.grid_watching import MOST_RUNNING, GridLines, GridTable, grid_table
from linnet.comparison.budget import Budget
from linnet.comparison.grid import Grid
from linnet.comparison.identity import LogEntry
from tests.comparison.fake_runs import WEIGHTINGS, finish, make_grid


def expecting(grid: Grid, seconds: float | None, workers: int = 1) -> Budget:
    return Budget(len(grid.runs), {run.name: seconds for run in grid.runs}, workers)


def test_the_live_table_shows_what_runs_what_ended_and_when_all_is_done(tmp_path: Path) -> None:
    grid = make_grid(tmp_path)
    first, second, third, *_ = grid.runs
    finish(first, range(5))  # 5 of 20 wrong
    table = GridTable(grid, expecting(grid, 200.0, workers=2))

    before = table.rest()
    table.began -= 120  # seconds ago
    for each in (first, second, third):
        table.started(each.name)
    table.ended(LogEntry(first.name, 120.0))
    table.ended(LogEntry(second.name, 1.0, "no [memory] left\nreally"))
    table.moved(third.name, 0.25, 0.6125)
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=120, color_system=None, markup=False)
    console.print(table)

    assert before == "about 10 min left"
    shown = [" ".join(line.split()) for line in screen.getvalue().splitlines()]
    assert f"{first.name} test 75.00 120 s" in shown
    assert f"{second.name} failed: no [memory] left 1 s" in shown
    assert any(line.startswith(f"{third.name} 25%, devel 61.25 ") for line in shown)
    # 4 runs, 2 at a time, 2 minutes each and not the 200 seconds that were expected; one has a quarter of its updates
    assert table.rest() == "about 4 min left"  # 3.75; the failed one says nothing
    assert "2/6" in shown[-1]


def test_what_is_left_counts_by_what_each_run_is_expected_to_take(tmp_path: Path) -> None:
    grid = make_grid(tmp_path)
    short = grid.runs[0]
    finish(short)
    expected = {run.name: 60.0 if run is short else 600.0 for run in grid.runs}
    table = GridTable(grid, Budget(6, expected, workers=1))
    table.began -= 120

    table.started(short.name)
    table.ended(LogEntry(short.name, 120.0))

    assert table.rest() == "about 100 min left"  # five of ten minutes, on a machine of half the speed


def test_what_is_left_follows_the_progress_of_runs_that_are_under_way(tmp_path: Path) -> None:
    """Issue 22: the estimate did not move until the first run had ended."""
    grid = make_grid(tmp_path)
    table, name = GridTable(grid, expecting(grid, 100.0)), grid.runs[0].name
    table.started(name)
    table.moved(name, 0.5, None)  # it is resumed: half of it was done before
    run = table.running[name]
    assert run.since is not None
    table.running[name] = run._replace(since=run.since - 60)

    assert table.rest() == "about 9 min left"  # 5.5 runs of 100 seconds
    table.moved(name, 0.6, None)

    assert table.rest() == "about 9 min left"  # not yet scored on devel, which takes time, too
    table.moved(name, 0.6, 0.8)

    assert table.rest() == "about 54 min left"  # 5.4 runs of 600 seconds: a tenth took a minute


def test_a_grid_that_is_judged_on_devel_shows_the_scores_on_devel(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, on="devel")
    first, second, *_ = grid.runs
    for run in (first, second):
        finish(run)
    for run, metric, (on_test, on_devel) in ((first, "strict", (0.9, 0.8)), (second, "accuracy", (0.7, 0.6))):
        devel = {"scores": {metric: {"value": on_devel}}}
        metrics = {"split": "test", "metric": metric, "scores": {metric: {"value": on_test}}, "devel": devel}
        (run.folder / "metrics.json").write_text(json.dumps(metrics), encoding="utf-8")
    table = GridTable(grid, expecting(grid, None))

    for run in (first, second):
        table.ended(LogEntry(run.name, 60.0))

    assert [state for _, state, _ in table.ended_rows] == ["devel 80.00", "devel 60.00"]


def test_a_cluster_that_gets_all_runs_at_once_does_not_fill_the_screen(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, f"[axes]\nseed = [{', '.join(map(str, range(10)))}]\n{WEIGHTINGS}")
    table = GridTable(grid, expecting(grid, None))
    for each in grid.runs:
        table.started(each.name)

    screen = io.StringIO()
    Console(file=screen, width=120, markup=False).print(table)

    assert f"and {30 - MOST_RUNNING} more" in screen.getvalue()
    assert table.rest() == ""


def test_without_a_terminal_each_run_is_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    grid = make_grid(tmp_path)
    finish(grid.runs[0])

    with grid_table(grid, expecting(grid, None)) as lines:
        lines.began -= 60  # seconds ago
        lines.started(grid.runs[0].name)
        lines.ended(LogEntry(grid.runs[0].name, 60.0))

    assert isinstance(lines, GridLines)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == f"[1/6] {grid.runs[0].name}: test 100.00, 60 s, about 5 min left\n"
