"""The steps of `linnet compare` on runs that nobody trained: checks, runs, reports."""

import json
from pathlib import Path

import pytest

from linnet.comparison import comparing
from linnet.comparison.comparing import compare, plan, report, run
from linnet.comparison.grid import Grid
from linnet.comparison.identity import Log, LogEntry
from linnet.comparison.runner import SilentGridWatcher
from linnet.errors import BadSetting, LinnetError
from tests.comparison.fake_runs import WEIGHTINGS, fingerprints_of, finish, make_grid, write_grid

PLOTS = ("forest_plot", "heat_map", "learning_curves")


@pytest.fixture(autouse=True)
def plotted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the plots that are drawn, none of which is written."""
    names: list[str] = []
    for name in PLOTS:
        monkeypatch.setattr(comparing, name, lambda results, path: names.append(path.name))
    return names


def finish_all(grid: Grid) -> None:
    fingerprints = fingerprints_of("demo")
    for planned in grid.runs:
        finish(planned, range(planned.seed), fingerprints=fingerprints)


def run_here(grid: Grid, ray: str | None = None) -> None:
    run(grid, workers=1, threads=1, ray=ray, watcher=SilentGridWatcher())


def test_a_finished_grid_is_compared_and_reported_without_a_training(tmp_path: Path, plotted: list[str]) -> None:
    finish_all(make_grid(tmp_path))

    results = compare(write_grid(tmp_path))

    assert [comparison.verdict for comparison in results.comparisons] == ["identical", "identical"]
    assert results.missing == 0
    written = {path.name for path in (tmp_path / "grid").iterdir() if path.is_file()}
    assert written == {"table.csv", "table.md", "table.tex", "index.html"}
    assert plotted == ["forest.png", "heat-map.png"]


def test_another_metric_and_folder_may_be_given(tmp_path: Path) -> None:
    finish_all(make_grid(tmp_path, output=str(tmp_path / "elsewhere")))

    results = compare(write_grid(tmp_path), metric="fair", output=str(tmp_path / "elsewhere"))

    assert results.metric == "fair F1"
    assert (tmp_path / "elsewhere" / "table.csv").is_file()


def test_nothing_is_plotted_before_there_is_a_comparison(tmp_path: Path, plotted: list[str]) -> None:
    results = report(make_grid(tmp_path))

    assert (results.missing, plotted) == (6, [])


def test_an_axis_of_sizes_has_learning_curves(tmp_path: Path, plotted: list[str]) -> None:
    report(make_grid(tmp_path, f"[axes]\nseed = [1]\ntrain_sentences = [10, 20]\n{WEIGHTINGS}"))

    assert plotted == ["learning-curves.png"]


def test_a_report_removes_what_a_killed_report_has_left(tmp_path: Path) -> None:
    grid = make_grid(tmp_path)
    grid.output.mkdir(parents=True, exist_ok=True)
    (grid.output / ".forest.png.4711.part").write_bytes(b"half")

    report(grid)

    assert not list(grid.output.glob(".*.part"))


def test_a_report_has_the_errors_of_the_log(tmp_path: Path) -> None:
    grid = make_grid(tmp_path)
    Log(grid.output).add(LogEntry(grid.runs[0].name, 1.0, "out of memory"))

    results = report(grid)

    assert [(failure.name, failure.reason) for failure in results.failures] == [(grid.runs[0].name, "out of memory")]


def test_a_plan_counts_the_remaining_runs(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, recipe={"data": "demo", "encoder": "nobody/nothing"})
    finish(grid.runs[0], fingerprints=fingerprints_of("demo"))

    budget = plan(grid, workers=2)

    assert (budget.n_runs, budget.n_finished, budget.workers) == (6, 1, 2)


def test_a_plan_refuses_all_runs_that_cannot_start_together(tmp_path: Path) -> None:
    axes = "[axes.weighting]\na = { scheme = 'nowhere' }\nb = { loss = 'neither' }\n"
    grid = make_grid(tmp_path, axes, baseline={"weighting": "a"})

    with pytest.raises(BadSetting) as refused:
        plan(grid, workers=1)

    assert refused.value.problem.startswith(f"{grid.path}: ")
    assert "'nowhere'" in refused.value.problem
    assert "'neither'" in refused.value.problem


def test_runs_without_their_encoder_are_refused_before_a_process_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "run_locally", None)  # not to be called
    grid = make_grid(tmp_path, recipe={"data": "demo", "encoder": str(tmp_path / "nowhere")})

    with pytest.raises(LinnetError, match="nowhere"):
        run_here(grid)


def test_the_entries_of_all_runs_are_logged_and_the_data_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grid = make_grid(tmp_path)
    finish(grid.runs[0])
    monkeypatch.setattr(comparing, "_check_encoders", lambda runs: None)
    monkeypatch.setattr(
        comparing, "run_locally", lambda runs, **_: (LogEntry(planned.name, 1.0, "no") for planned in runs)
    )

    run_here(grid)

    assert Log(grid.output).entries.keys() == {planned.name for planned in grid.runs[1:]}
    assert json.loads((grid.output / "data.json").read_text(encoding="utf-8")) == {"demo": fingerprints_of("demo")}


def finish_in(grid: Grid, number: int, seconds: float) -> None:
    """Finish a run that took so many seconds."""
    finish(grid.runs[number], fingerprints=fingerprints_of("demo"))
    path = grid.runs[number].folder / "metrics.json"
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), "seconds": seconds}), encoding="utf-8")


def test_issue_27_a_run_that_ended_just_before_a_kill_is_logged_by_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grid = make_grid(tmp_path)
    finish_in(grid, 0, 5.5)
    finish_in(grid, 1, 6.5)
    Log(grid.output).add(LogEntry(grid.runs[1].name, 7.0))
    monkeypatch.setattr(comparing, "_check_encoders", lambda runs: None)
    monkeypatch.setattr(comparing, "run_locally", lambda runs, **_: (LogEntry(each.name, 1.0) for each in runs))

    run_here(grid)

    names = [each.name for each in grid.runs]
    assert list(Log(grid.output).entries) == [names[1], names[0], *names[2:]]  # before the runs that are made now
    assert [Log(grid.output).entries[name].seconds for name in names[:2]] == [5.5, 7.0]


@pytest.mark.parametrize("was_made_here", [True, False])
def test_issue_27_so_is_the_last_run_of_a_grid_that_was_made_here(tmp_path: Path, was_made_here: bool) -> None:
    grid = make_grid(tmp_path)
    for number in range(len(grid.runs)):
        finish_in(grid, number, 5.5)
    if was_made_here:
        (grid.output / "data.json").write_text("{}", encoding="utf-8")

    run_here(grid)
    run_here(grid)

    lines = (grid.output / "log.jsonl").read_text(encoding="utf-8").splitlines() if was_made_here else []
    assert len(lines) == len(grid.runs) * was_made_here


def test_a_ray_address_makes_the_runs_on_the_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grid = make_grid(tmp_path)
    monkeypatch.setattr(
        "linnet.comparison.ray_runner.run_on_ray",
        lambda runs, *, address, threads, watcher: [LogEntry(address, float(len(runs)))],
    )

    run_here(grid, ray="auto")

    assert Log(grid.output).entries == {"auto": LogEntry("auto", 6.0)}
