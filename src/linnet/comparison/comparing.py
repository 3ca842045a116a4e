"""Runs, compares and reports a grid of trainings: the steps of `linnet compare`."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from linnet.comparison.attempts import AttemptWatcher
from linnet.comparison.budget import Budget, estimate
from linnet.comparison.corpora import read_grid_corpora
from linnet.comparison.grid import Grid, PlannedRun, load_grid
from linnet.comparison.identity import DATA, Log, check_data, check_test_splits, find_unlogged, record_data
from linnet.comparison.judging.documents import with_documents
from linnet.comparison.judging.links import check_vocabularies, is_linked
from linnet.comparison.kept.runs import keep_runs, restore_runs
from linnet.comparison.page import write_comparison_page
from linnet.comparison.plots import forest_plot, heat_map, learning_curves
from linnet.comparison.remarks.equal_weights import note_equal_weights
from linnet.comparison.remarks.run_notes import note_outliers, note_short_trainings
from linnet.comparison.remarks.samples import note_samples_of_sentences, refuse_large_samples
from linnet.comparison.remarks.sizes import count_sizes
from linnet.comparison.results import Results, title_of
from linnet.comparison.runner import GridWatcher, SilentGridWatcher, run_locally
from linnet.comparison.tables import write_tables
from linnet.comparison.verdict import compare_choices
from linnet.contracts import tasks
from linnet.errors import BadFile, BadSetting, LinnetError, problems_of, refuse
from linnet.storage.durable import remove_parts
from linnet.storage.folder_lock import lock_folder

if TYPE_CHECKING:
    from linnet.models.encoders import Encoder

__all__ = ["compare", "exchange_kept", "plan", "report", "run"]


def compare(  # noqa: PLR0913 — each is an option of the command
    path: str | Path,
    *,
    workers: int = 1,
    threads: int | None = None,
    ray: str | None = None,
    metric: str | None = None,
    on: str | None = None,
    output: str | None = None,
    documents: str | Sequence[str] = (),
    watcher: GridWatcher | None = None,
) -> Results:
    """Make the remaining runs of a grid, write its tables, plots and page, and return the results.

    In Python this is `linnet.compare`.

    Args:
        path: the grid file.
        workers: number of runs at a time.
        threads: of each worker; by default all processors are divided among the workers.
        ray: address of a Ray cluster ("auto", "local") that makes the runs instead.
        metric: a matching or a score of the task; the grid's own if not given.
        on: `test`, or `devel` to choose settings; the grid's own if not given.
        output: folder of the grid, instead of the one in its file.
        documents: files that say which sentences are one document, each as `[CORPUS=]FILE`.
        watcher: receives the progress.
    """
    grid = with_documents(load_grid(Path(path), output=output, metric=metric, on=on), documents)
    plan(grid, workers=workers)
    run(grid, workers=workers, threads=threads, ray=ray, watcher=watcher or SilentGridWatcher())
    return report(grid)


def exchange_kept(grid: Grid, kept: Path) -> list[str]:
    """Restore the runs that the file has, add those to it that are finished, and return notes for the user.

    Raises:
        BadFile: if the file holds something else, or a corpus is another one than that of the kept runs.
    """
    notes = restore_runs(grid, kept).sentences(kept) if kept.exists() else []
    keep_runs(grid, kept)  # also those that a killed grid has left
    return notes


def plan(grid: Grid, *, workers: int) -> Budget:
    """Check everything that can be checked before training, and return the number and time of the remaining runs."""
    _check_runs(grid)
    corpora = read_grid_corpora(grid)
    check_test_splits(grid, corpora)
    check_vocabularies(grid)
    refuse(problems_of(*(facts.check for facts in corpora.values())))
    check_data(grid, corpora)
    refuse_large_samples(grid.runs, corpora)
    budget = estimate(grid.runs, corpora, Log(grid.output), workers=workers)
    notes = (*note_equal_weights(grid.runs, corpora), *note_samples_of_sentences(grid.runs, corpora))
    return replace(budget, notes=(*notes, *budget.notes))


def _check_runs(grid: Grid) -> None:
    """Refuse a grid with runs that cannot start, all their problems together."""
    from linnet.training.checks import check_encoder

    problems: dict[str, LinnetError] = {}
    encoders = {name: _find_local_encoder(name) for name in {planned.settings.encoder for planned in grid.runs}}
    for planned in grid.runs:
        encoder = encoders[planned.settings.encoder]
        try:
            refuse(tasks.get(grid.task).problems(planned.settings))
            if encoder is not None:
                check_encoder(planned.settings, encoder)
        except LinnetError as error:
            problems[error.problem] = error
    if problems:
        remedies = dict.fromkeys(error.remedy for error in problems.values())
        raise BadSetting(f"{grid.path}: " + "\n  ".join(problems), "; ".join(remedies))


def _find_local_encoder(name: str) -> "Encoder | None":
    """Return the encoder if this machine has it; another one may have it, and a run without it fails with a reason."""
    from linnet.models.encoders import find_encoder

    try:
        return find_encoder(name)
    except LinnetError:
        return None


def run(
    grid: Grid, *, workers: int, threads: int | None, ray: str | None, watcher: GridWatcher, kept: Path | None = None
) -> None:
    """Make the runs that are not finished, log duration and error of each, and add each to the file of kept runs."""
    remaining = [planned for planned in grid.runs if not planned.is_finished]
    if not remaining:
        _log_finished(grid)
        return
    attempts = AttemptWatcher(watcher)
    if ray is not None:
        from linnet.comparison.ray_runner import run_on_ray

        entries = run_on_ray(remaining, address=ray, threads=threads, watcher=attempts)
    else:
        _check_encoders(remaining)
        entries = run_locally(remaining, workers=workers, threads=threads, watcher=attempts)
    record_data(grid, read_grid_corpora(grid))
    with lock_folder(grid.output):
        log = Log(grid.output)
        for entry in find_unlogged(grid, log):
            log.add(entry)
        try:
            for entry in entries:
                log.add(entry)
                if kept is not None:
                    keep_runs(grid, kept)
        finally:
            for entry in attempts.list_interrupted():
                log.add(entry)


def _log_finished(grid: Grid) -> None:
    """Log the last runs of a grid that was killed; a grid whose runs were not made in its folder has no log."""
    if (grid.output / DATA).is_file() and find_unlogged(grid, Log(grid.output)):
        with lock_folder(grid.output):
            log = Log(grid.output)
            for entry in find_unlogged(grid, log):
                log.add(entry)


def _check_encoders(runs: Sequence[PlannedRun]) -> None:
    """Refuse runs that can only fail because their encoders can neither be found nor fetched."""
    from linnet.models.encoders import find_encoder

    names = dict.fromkeys(planned.settings.encoder for planned in runs)
    refuse(problems_of(*(partial(find_encoder, name) for name in names)))


def report(grid: Grid, *, kept: Path | None = None) -> Results:
    """Compare the finished runs, and write tables, plots and page into the grid's folder.

    Links that are judged meanwhile are added to the file of kept runs.
    """
    errors = {
        name: entry.error
        for name, entry in Log(grid.output).entries.items()
        if entry.error and not entry.is_interrupted
    }
    results = _add_remarks(grid, compare_choices(grid, errors=errors))
    if kept is not None and is_linked(grid.metric):
        keep_runs(grid, kept)
    with _without_remains(grid.output):
        write_tables(results, grid.output)
        if results.comparisons:
            forest_plot(results, grid.output / "forest.png")
            heat_map(results, grid.output / "heat-map.png")
        if results.size_axis:
            learning_curves(results, grid.output / "learning-curves.png")
        write_comparison_page(results, grid.output)
    return results


def _add_remarks(grid: Grid, results: Results) -> Results:
    """Return the results with notes about the runs, and with the sizes of the splits."""
    sizes = tuple(replace(each, drawn=results.drawn_at(each.place)) for each in count_sizes(grid))
    try:
        equal = note_equal_weights([each for each in grid.runs if each.is_finished], read_grid_corpora(grid))
    except BadFile:  # kept runs are reported where the corpora are not
        equal = []
    notes = (*results.notes, *equal, *note_short_trainings(grid.runs), *note_outliers(results.cells))
    shown = {f"size of {title_of(each.place)}" if each.place else "size": each.sentence for each in sizes}
    return replace(results, notes=notes, sizes=sizes, details={**results.details, **shown})


@contextmanager
def _without_remains(folder: Path) -> Iterator[None]:
    """Remove what a killed process has left in the folder, unless another one works in it."""
    with ExitStack() as stack:
        with suppress(BadFile):
            if folder.is_dir() and stack.enter_context(lock_folder(folder)):
                remove_parts(folder)
        yield
