"""Keeps the finished runs of a grid in a file, and restores their folders, so that a grid can go on elsewhere.

A kept run is that of a planned one if it has the same place, choice and seed, and the same settings. Folder, processors
and the path of the corpus do not count: whether the corpus is the same is checked by its fingerprints, as for all
finished runs.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import ValidationError

from linnet.comparison.grid import Grid, PlannedRun
from linnet.comparison.identity import Log, LogEntry
from linnet.comparison.kept.archive import REMEDY, Archive, KeptRun, read_archive, write_archive
from linnet.contracts import KeepsPredictions, tasks
from linnet.contracts.linking import LINKING, linkings
from linnet.documents.counted import counted
from linnet.errors import BadFile, BadSetting
from linnet.models.model_folder import FACTS
from linnet.settings.differences import differing_settings
from linnet.settings.files import to_toml
from linnet.settings.training import TrainSettings
from linnet.storage.run_folders import RECIPE
from linnet.training.run_folder import HISTORY, METRICS, open_run

__all__ = ["Restored", "count_kept", "keep_runs", "restore_runs", "settings_to_compare"]

FILES = ("config.json", METRICS, FACTS)  # the last one says that the run is finished
NOT_COMPARED = {"output", "data", "checkpoint_minutes", "tracker"}  # they do not change what is learned


@dataclass(frozen=True)
class Restored:
    """What a file of kept runs gave to a grid."""

    n_runs: int  # that are finished now and were not before
    n_other: int  # kept runs of the same name with other settings; they do not count
    has_words: bool  # of all corpora; without them the page cannot show sentences
    differing: tuple[str, ...] = ()  # the settings that these have others of

    def sentences(self, path: Path) -> list[str]:
        """Return what a user should know."""
        found = [f"{path}: {self.n_runs:,} kept runs count as finished"] if self.n_runs else []
        if self.n_other:
            named = f" ({', '.join(self.differing)})" if self.differing else ""
            runs = counted(self.n_other, "kept run has", "kept runs have")
            found.append(f"{path}: {runs} other settings than the grid{named}, so they do not count")
        if not self.has_words:
            found.append(f"{path}: the corpora are not here, so the page shows `_` for each word")
        return found


def restore_runs(grid: Grid, path: Path) -> Restored:
    """Write the folders of the grid's runs that the file has and that are not finished.

    Raises:
        BadFile: if the file cannot be read, or a corpus is another one than that of the kept runs.
        BadSetting: if the grid is judged on another split than the kept runs have predictions for.
    """
    archive = read_archive(path)
    fitting, others = _find_kept(grid, archive)
    differing = tuple(dict.fromkeys(name for run, found in others for name in _differing(run, found.settings)))
    if not fitting:
        return Restored(0, len(others), has_words=True, differing=differing)
    if other := next((found.split for _, found in fitting if found.split != grid.split), None):
        raise BadSetting(
            f"{path}: kept runs have predictions for {other}, none for {grid.split}",
            f"judge on {grid.split} where the run folders are, without `--kept`; or judge on {other}",
        )
    task = _keeping_task(grid)
    for run, found in fitting:
        _check_files(run, found, path)
    has_words = True
    for digest, data in dict.fromkeys((found.gold, run.settings.data) for run, found in fitting):
        group = [(run, found) for run, found in fitting if (found.gold, run.settings.data) == (digest, data)]
        predicted = [(run.folder, found.predicted) for run, found in group]
        try:
            has_words &= task.restore_predictions(predicted, archive.gold[digest], group[0][0].settings, grid.split)
        except ValueError as error:
            raise BadFile(f"{path}: kept predictions cannot be read ({error})", REMEDY) from None
    _write_folders(grid, fitting)
    return Restored(len(fitting), len(others), has_words, differing)


def count_kept(grid: Grid, path: Path) -> int:
    """Return how many runs of the grid are not finished, but kept in the file."""
    return len(_find_kept(grid, read_archive(path))[0])


def keep_runs(grid: Grid, path: Path) -> int:
    """Add the finished runs of the grid to the file, which need not exist, and return how many it has.

    Runs that the file has already stay there, also those of other seeds and choices than the grid's. Without any run
    no file is written.
    """
    task, log = _keeping_task(grid), Log(grid.output)
    archive = read_archive(path) if path.exists() else Archive()
    by_key = {run.key: run for run in archive.runs}
    for run in grid.runs:
        known = by_key.get(_key(run))
        if not run.is_finished:
            continue
        if known is None or not _are_settings_of(run, known.settings):
            by_key[_key(run)] = _keep_run(run, grid.split, task, archive, log)
        elif links := linkings.get(LINKING).keep_judged(run.folder):  # judged after the run was kept
            by_key[_key(run)] = replace(known, links=known.links | links)
    archive.runs = list(by_key.values())
    if archive.runs:
        write_archive(path, archive)
    return len(archive.runs)


def settings_to_compare(settings: TrainSettings) -> dict[str, Any]:
    """Return the settings that decide what a run learns, all of them, because a later version may change a default."""
    found: dict[str, Any] = settings.model_dump(mode="json", exclude=NOT_COMPARED | settings.without_effect)
    return found


def _are_settings_of(run: PlannedRun, kept: dict[str, Any]) -> bool:
    """Are these kept settings those of the run? What an earlier version did not have is as it is by default."""
    complete = _complete(run, kept)
    return complete is not None and settings_to_compare(complete) == settings_to_compare(run.settings)


def _differing(run: PlannedRun, kept: dict[str, Any]) -> Iterable[str]:
    """Return the names of the settings that differ, as far as they still exist."""
    complete = _complete(run, kept)
    return differing_settings([complete, run.settings]) if complete is not None else ()


def _complete(run: PlannedRun, kept: dict[str, Any]) -> TrainSettings | None:
    """Return kept settings with those that the file leaves out; None where one is gone."""
    try:
        return type(run.settings).model_validate({**kept, "data": run.settings.data, "output": "unnamed"})
    except ValidationError:
        return None


def _find_kept(
    grid: Grid, archive: Archive
) -> tuple[list[tuple[PlannedRun, KeptRun]], list[tuple[PlannedRun, KeptRun]]]:
    """Return the unfinished runs of the grid with what was kept of them: those of its settings, and those of others."""
    kept = {run.key: run for run in archive.runs}
    wanted = [(run, kept[_key(run)]) for run in grid.runs if not run.is_finished and _key(run) in kept]
    fitting = [(run, found) for run, found in wanted if _are_settings_of(run, found.settings)]
    names = {run.name for run, _ in fitting}
    return fitting, [(run, found) for run, found in wanted if run.name not in names]


def _key(run: PlannedRun) -> tuple[Any, ...]:
    return (*sorted(run.place.items()), *sorted(run.choice.items()), run.seed)


def _keeping_task(grid: Grid) -> KeepsPredictions:
    task = tasks.get(grid.task)
    if not isinstance(task, KeepsPredictions):
        raise BadSetting(
            f"{grid.path}: runs of {grid.task} cannot be kept in a file", "leave `--kept` out, and copy the run folders"
        )
    return task


def _keep_run(run: PlannedRun, split: str, task: KeepsPredictions, archive: Archive, log: Log) -> KeptRun:
    shared, predicted = task.keep_predictions(run.folder, split)
    history = run.folder / HISTORY
    rows = history.read_text(encoding="utf-8").splitlines() if history.is_file() else []
    entry = log.entries.get(run.name)
    return KeptRun(
        place=dict(run.place),
        choice=dict(run.choice),
        seed=run.seed,
        settings=settings_to_compare(run.settings),
        gold=archive.add_gold(shared),
        predicted=predicted,
        files={
            name: (run.folder / name).read_text(encoding="utf-8") for name in FILES if (run.folder / name).is_file()
        },
        epochs=[row for row in rows if "devel_" in row],
        seconds=entry.seconds if entry and entry.error is None else None,
        split=split,
        links=linkings.get(LINKING).keep_judged(run.folder),
    )


def _check_files(run: PlannedRun, kept: KeptRun, path: Path) -> None:
    """Refuse a kept run whose files would not make a finished run."""
    with TemporaryDirectory(prefix="linnet-kept-") as work:
        for name in FILES:
            if name in kept.files:
                Path(work, name).write_text(kept.files[name], encoding="utf-8")
        try:
            linkings.get(LINKING).restore_judged(Path(work), kept.links)
            open_run(Path(work))
        except BadFile as error:
            problem = error.problem.replace(work, run.name)
            raise BadFile(f"{path}: a kept run is broken: {problem}", REMEDY) from None


def _write_folders(grid: Grid, runs: Sequence[tuple[PlannedRun, KeptRun]]) -> None:
    log = Log(grid.output)
    for run, kept in runs:
        (run.folder / RECIPE).write_text(to_toml(run.settings), encoding="utf-8")
        (run.folder / HISTORY).write_text("".join(f"{row}\n" for row in kept.epochs), encoding="utf-8")
        if kept.seconds is not None and run.name not in log.entries:
            log.add(LogEntry(run.name, kept.seconds))
        linkings.get(LINKING).restore_judged(run.folder, kept.links)
        for name in FILES:
            if name in kept.files:
                (run.folder / name).write_text(kept.files[name], encoding="utf-8")
