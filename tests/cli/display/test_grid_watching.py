"""How a running grid is shown: as a live table on a terminal, line by line elsewhere."""

import io
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
