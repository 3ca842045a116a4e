"""Files that say which sentences of a grid's corpora are one document, as the command line names them.

A grid file names them in its recipe or on an axis, as the setting `documents`. What is named here is for the split that
is judged, also for runs that are finished: their documents change what is resampled, not what was learned.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from linnet.comparison.axes import label_of
from linnet.comparison.grid import Grid, PlannedRun
from linnet.errors import BadSetting
from linnet.settings.short_forms import parse_named_files
from linnet.settings.training import TrainSettings

__all__ = ["name_documents", "with_documents"]

SETTING, OPTION = "documents", "--documents"


def with_documents(grid: Grid, given: str | Sequence[str]) -> Grid:
    """Return the grid with files of documents for its corpora, each given as `[CORPUS=]FILE`.

    Raises:
        BadSetting: if a corpus is not in the grid, or a file has no name where there are several corpora.
    """
    if not given:
        return grid
    files = parse_named_files([given] if isinstance(given, str) else given, OPTION)
    labels = [_label_of(run, grid) for run in grid.runs]
    _check_names(files, list(dict.fromkeys(labels)))
    runs = zip(grid.runs, labels, strict=True)
    return replace(
        grid, runs=tuple(_with_file(run, files.get(label, files.get("")), grid.split) for run, label in runs)
    )


def name_documents(settings: TrainSettings, file: str, split: str) -> TrainSettings:
    """Return the settings of a run with a file of documents for one split.

    Raises:
        BadSetting: if the task has no such setting.
    """
    if SETTING not in type(settings).model_fields:
        raise BadSetting(f"{OPTION} {file}: the task {settings.task!r} does not know documents", "leave it out")
    named = {**(getattr(settings, SETTING) or {}), split: file}
    return settings.model_copy(update={SETTING: named})


def _label_of(run: PlannedRun, grid: Grid) -> str:
    """Return the label of the corpus that a run is judged on; choices are judged on the same one."""
    axis = next((axis.name for axis in grid.axes if "data" in axis.settings), None)
    if axis in grid.choice_axes:  # on one test file, whatever they learn from
        return label_of("data", grid.runs[0].settings.data)
    return label_of("data", run.settings.data) if axis is None else run.place[axis]


def _check_names(files: Mapping[str, str], known: Sequence[str]) -> None:
    if "" in files and len(known) > 1:
        raise BadSetting(
            f"{OPTION} {files['']}: the grid has several corpora, {', '.join(known)}",
            f"say whose documents these are: `{OPTION} {known[0]}={files['']}`",
        )
    unknown = [name for name in files if name and name not in known]
    if unknown:
        raise BadSetting(
            f"{OPTION} {unknown[0]}={files[unknown[0]]}: the grid has no corpus {unknown[0]!r}",
            f"it has {', '.join(known)}",
        )


def _with_file(run: PlannedRun, file: str | None, split: str) -> PlannedRun:
    if file is None:
        return run
    named = name_documents(run.settings, file, split)
    if SETTING not in run.settings.without_effect:
        raise BadSetting(
            f"{OPTION} {file}: the documents change what these runs learn or predict (`sample_documents` or "
            "`same_abbreviations`)",
            f'name the file in the grid, so that it belongs to its runs: `{SETTING} = {{ {split} = "{file}" }}`',
        )
    return replace(run, settings=named)
