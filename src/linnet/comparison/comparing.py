"""How does a grid file become verdicts? The composition root of `linnet compare`."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from linnet.comparison.budget import Budget, estimate
from linnet.comparison.corpora import read_grid_corpora
from linnet.comparison.grid import Grid, PlannedRun, load_grid
from linnet.comparison.identity import Log, check_data, check_tests, remember_data
from linnet.comparison.page import write_comparison_page
from linnet.comparison.plots import forest_plot, heat_map, learning_curves
from linnet.comparison.results import Results
from linnet.comparison.runner import GridWatcher, SilentGridWatcher, run_locally
from linnet.comparison.tables import write_tables
from linnet.comparison.verdict import judge
from linnet.contracts import tasks
from linnet.errors import BadSetting, LinnetError, problems_of, refuse
from linnet.storage.folder_lock import lock_folder

if TYPE_CHECKING:
    from linnet.models.encoders import Encoder

__all__ = ["compare", "plan", "report", "run"]


def compare(
    path: str | Path,
    *,
    workers: int = 1,
    threads: int | None = None,
    ray: str | None = None,
    metric: str | None = None,
    output: str | None = None,
    watcher: GridWatcher | None = None,
) -> Results:
    """Run what a grid still needs, write its tables and its page, and return what it says; `linnet.compare` in Python.

    Args:
        path: the grid file.
        workers: how many runs are made at a time.
        threads: of each worker; the machine is divided among them if not given.
        ray: address of a Ray cluster ("auto", "local") that makes the runs instead.
        metric: a matching; the grid's own if not given.
        output: folder of the grid, instead of the one that its file names.
        watcher: is told how it goes.
    """
    grid = load_grid(Path(path), output=output, metric=metric)
    plan(grid, workers=workers)
    run(grid, workers=workers, threads=threads, ray=ray, watcher=watcher or SilentGridWatcher())
    return report(grid)


def plan(grid: Grid, *, workers: int) -> Budget:
    """Check everything that can be checked before training, and return what is left to do."""
    _check_runs(grid)
    corpora = read_grid_corpora(grid)
    check_tests(grid, corpora)
    check_data(grid, corpora)
    return estimate(grid.runs, corpora, Log(grid.output), workers=workers)


def _check_runs(grid: Grid) -> None:
    """Refuse a grid with runs that could not begin, all their problems together."""
    from linnet.training.checks import check_encoder

    problems: dict[str, LinnetError] = {}
    encoders = {name: _encoder_here(name) for name in {each.settings.encoder for each in grid.runs}}
    for each in grid.runs:
        encoder = encoders[each.settings.encoder]
        try:
            refuse(tasks.get(grid.task).problems(each.settings))
            if encoder is not None:
                check_encoder(each.settings, encoder)
        except LinnetError as error:
            problems[error.problem] = error
    if problems:
        remedies = dict.fromkeys(error.remedy for error in problems.values())
        raise BadSetting(f"{grid.path}: " + "\n  ".join(problems), "; ".join(remedies))


def _encoder_here(name: str) -> "Encoder | None":
    """Return the encoder, where it is at hand; another machine may have it, and a run without it says so."""
    from linnet.models.encoders import find_encoder

    try:
        return find_encoder(name)
    except LinnetError:
        return None


def run(grid: Grid, *, workers: int, threads: int | None, ray: str | None, watcher: GridWatcher) -> None:
    """Make the runs that are not finished; how each ended stands in the grid's log."""
    left = [each for each in grid.runs if not each.is_finished]
    if not left:
        return
    if ray is not None:
        from linnet.comparison.ray_runner import run_on_ray

        entries = run_on_ray(left, address=ray, threads=threads, watcher=watcher)
    else:
        _check_encoders(left)
        entries = run_locally(left, workers=workers, threads=threads, watcher=watcher)
    remember_data(grid, read_grid_corpora(grid))
    log = Log(grid.output)
    with lock_folder(grid.output):
        for entry in entries:
            log.add(entry)


def _check_encoders(runs: Sequence[PlannedRun]) -> None:
    """Refuse to begin where some runs could only fail: their encoders are not here, nor to be had."""
    from linnet.models.encoders import find_encoder

    names = dict.fromkeys(each.settings.encoder for each in runs)
    refuse(problems_of(*(partial(find_encoder, name) for name in names)))


def report(grid: Grid) -> Results:
    """Judge the finished runs, and write tables, plots and page into the grid's folder."""
    errors = {name: entry.error for name, entry in Log(grid.output).entries.items() if entry.error}
    results = judge(grid, errors=errors)
    write_tables(results, grid.output)
    if results.comparisons:
        forest_plot(results, grid.output / "forest.png")
        heat_map(results, grid.output / "heat-map.png")
    if results.size_axis:
        learning_curves(results, grid.output / "learning-curves.png")
    write_comparison_page(results, grid.output)
    return results
