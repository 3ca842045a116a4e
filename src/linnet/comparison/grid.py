"""Reads a grid file and plans its runs.

A grid is a recipe that all runs share, and axes on which they differ. An axis is either a setting with its values, or a
name with a table of labelled settings:

    output = "runs/weighting"
    baseline = { weighting = "none" }

    [recipe]
    encoder = "minilm"

    [axes]
    data = ["corpora/ncbi-disease", "corpora/linnaeus"]
    seed = [1, 2, 3, 4, 5]

    [axes.weighting]
    none = { scheme = "none" }
    welt = { scheme = "welt" }

The axes that the baseline names are compared, and the seeds are repetitions. All other axes make the places where the
comparison is made. Settings that depend on several axes at once are given in rows of `when` (`linked.py`).
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from linnet import __version__
from linnet.comparison.axes import OUTPUT, SEED, Axis, label_of, note_axes, read_axes, with_full_names
from linnet.comparison.judging.rules import JudgingRules
from linnet.comparison.linked import Linked, list_problems, read_linked
from linnet.comparison.results import Labels, title_of
from linnet.contracts import tasks
from linnet.errors import BadFile, BadSetting, LinnetError
from linnet.settings.files import load_settings, put_setting
from linnet.settings.training import TrainSettings
from linnet.storage.toml import read_toml
from linnet.training.options import refuse_ineffective_options, training_settings

__all__ = ["Grid", "PlannedRun", "load_grid"]

ON_DEVEL = (
    "judged on devel, which chose the epoch of every run: good for choosing settings; "
    "report the chosen ones on test, once"
)


class GridSettings(JudgingRules):
    """The content of a grid file."""

    output: str = Field(description="Folder of the grid; the runs and the reports go there.")
    baseline: dict[str, str | float | int | bool] = Field(
        min_length=1, description="The axes that are compared, each with the value that the others are compared with."
    )
    recipe: dict[str, Any] | str = Field({}, description="What all runs share: settings of a recipe, or a recipe file.")
    axes: dict[str, Any] = Field(min_length=1, description="A setting with values, or a name with labelled settings.")
    when: tuple[dict[str, Any], ...] = Field(
        (), description="Rows of settings for combinations of axis values: the values, and `set` with the settings."
    )
    title: str | None = Field(None, description="Title of the page, the tables and the plots; the file's name if none.")
    caption: str | None = Field(None, description="First sentence of the captions of the tables; the title if none.")
    on: Literal["test", "devel"] = Field("test", description="Split whose predictions are compared.")
    metric: str | None = Field(
        None, description="The matching whose micro F1 is compared, strict if none; or a score of the task; or linked."
    )
    vocabulary: str | dict[str, str] | None = Field(
        None, description="For the metric linked: vocabulary or linking run, or a table with one for each corpus."
    )


@dataclass(frozen=True)
class PlannedRun:
    """One run of a grid with its settings."""

    place: Labels
    choice: Labels
    seed: int
    settings: TrainSettings

    @property
    def name(self) -> str:
        """The name of its folder."""
        return Path(self.settings.output).name

    @property
    def folder(self) -> Path:
        """The run folder."""
        return Path(self.settings.output)

    @property
    def is_finished(self) -> bool:
        """Has the training been completed?"""
        return (self.folder / "linnet.json").is_file()


@dataclass(frozen=True)
class Grid:
    """A checked grid with all its runs."""

    name: str
    path: Path
    output: Path
    metric: str  # empty for the first score of the corpus
    baseline: Labels
    axes: tuple[Axis, ...]
    runs: tuple[PlannedRun, ...]
    notes: tuple[str, ...]
    linked: Linked
    caption: str = ""
    split: str = "test"  # that the runs are judged on
    vocabulary: str | Mapping[str, str] | None = None  # that links what the runs find
    rules: JudgingRules = field(default_factory=JudgingRules)

    @property
    def task(self) -> str:
        """The task of all runs."""
        return self.runs[0].settings.task

    @property
    def choice_axes(self) -> tuple[str, ...]:
        """The axes that are compared."""
        return tuple(axis.name for axis in self.axes if axis.name in self.baseline)

    @property
    def place_axes(self) -> tuple[str, ...]:
        """The axes over which the comparison is repeated."""
        return tuple(axis.name for axis in self.axes if axis.name not in self.baseline and axis.name != SEED)

    @property
    def seeds(self) -> tuple[int, ...]:
        """The repetitions."""
        return tuple(dict.fromkeys(run.seed for run in self.runs))

    @property
    def size_axis(self) -> str | None:
        """The axis of training sizes, if there is one."""
        return next((axis.name for axis in self.axes if axis.is_of_sizes), None)


def load_grid(path: Path, *, output: str | None = None, metric: str | None = None, on: str | None = None) -> Grid:
    """Return the grid of a file with every run's settings checked.

    Raises:
        BadSetting: with all problems together, before anything is run.
    """
    if on not in (None, "test", "devel"):
        raise BadSetting(f"--on is {on!r}", "give `test` or `devel`")
    file = _read_file(path, output=output, metric=metric, on=on)
    shared = with_full_names(_read_recipe(file.recipe, path))
    given = read_axes(file.axes, shared, path)
    baseline = _read_baseline(file.baseline, given, path)
    axes = (*_corpus_axis(shared, given, baseline), *given)
    linked = read_linked(file.when, axes, path)
    runs = _plan_runs(shared, (axes, linked), baseline, Path(file.output), path)
    _refuse_equal_runs(runs, path)
    return Grid(
        name=file.title or path.stem,
        path=path,
        output=Path(file.output),
        metric=file.metric or tasks.get(_task_of(runs, path)).default_metric,
        baseline=baseline,
        axes=axes,
        runs=runs,
        notes=(*note_axes(given), *([ON_DEVEL] if file.on == "devel" else [])),
        linked=linked,
        caption=file.caption or "",
        split=file.on,
        vocabulary=file.vocabulary,
        rules=JudgingRules(**file.model_dump(include=set(JudgingRules.model_fields))),
    )


def _read_file(path: Path, **given: Any) -> GridSettings:
    try:
        return load_settings(GridSettings, path, **given)
    except BadFile as error:
        if "recipe" not in error.remedy:
            raise
        remedy = "give the path of a grid file, such as `recipes/grid-small.toml`"
        raise BadFile(error.problem, remedy) from None


def _task_of(runs: Sequence[PlannedRun], path: Path) -> str:
    names = list(dict.fromkeys(run.settings.task for run in runs))
    if len(names) > 1:
        found = f"{path}: runs of {' and '.join(names)}, whose scores cannot be compared"
        raise BadSetting(found, "make a grid for each task")
    return names[0]


def _read_recipe(given: Mapping[str, Any] | str, path: Path) -> Mapping[str, Any]:
    """Return the settings that all runs share; the output folder of a recipe file is for a single run and left out."""
    if not isinstance(given, str):
        return given
    return {name: value for name, value in read_toml(path.parent / given).items() if name != OUTPUT}


def _corpus_axis(shared: Mapping[str, Any], axes: tuple[Axis, ...], baseline: Labels) -> Iterator[Axis]:
    """Yield an axis with the corpus of the recipe as the only place, if no axis of the file makes places."""
    if any(axis.name not in baseline and axis.name != SEED for axis in axes):
        return
    if "data" in shared and not any("data" in axis.settings for axis in axes):
        yield Axis("data", {label_of("data", shared["data"]): {"data": shared["data"]}})


def _read_baseline(given: Mapping[str, Any], axes: tuple[Axis, ...], path: Path) -> Labels:
    """Return the baseline with the labels of its values, in the order of the axes."""
    by_name = {axis.name: axis for axis in axes if axis.name != SEED}
    problems = []
    baseline = {}
    for name, value in given.items():
        labels = by_name[name].values if name in by_name else {}
        label = by_name[name].label_of(value) if name in by_name else ""
        if name not in by_name:
            problems.append(f"the baseline names {name!r}, which is no axis to compare")
        elif label not in labels:
            problems.append(f"the baseline's {name} is {label!r}, outside of the grid: {', '.join(labels)}")
        else:
            baseline[name] = label
    if problems:
        remedy = f"name a value of one of the axes: {', '.join(by_name)}" if by_name else "add an axis to compare"
        raise BadSetting(f"{path}: " + "\n  ".join(problems), remedy)
    return {name: baseline[name] for name in by_name if name in baseline}


def _plan_runs(
    shared: Mapping[str, Any], varied: tuple[tuple[Axis, ...], Linked], baseline: Labels, output: Path, path: Path
) -> tuple[PlannedRun, ...]:
    """Return a run for each combination of axis values; refuse settings that cannot work, all together."""
    runs, problems = [], []
    axes, linked = varied
    for labels in product(*(axis.values for axis in axes)):
        chosen = dict(zip((axis.name for axis in axes), labels, strict=True))
        try:
            own = _axis_settings(axes, chosen) | linked.settings_for(chosen)
            settings = _run_settings(shared, own, path)
        except LinnetError as error:
            _, *lines = error.problem.split("\n  ")  # the first line counts the problems of this run
            problems += lines or [error.problem]
            continue
        place = {name: label for name, label in chosen.items() if name not in baseline and name != SEED}
        choice = {name: chosen[name] for name in chosen if name in baseline}
        folder = output / "runs" / _folder_name(settings, chosen)
        runs.append(PlannedRun(place, choice, settings.seed, settings.model_copy(update={OUTPUT: str(folder)})))
    if problems:
        raise BadSetting(f"{path}: {list_problems(problems)}", "correct them all, then start again")
    return tuple(runs)


def _axis_settings(axes: tuple[Axis, ...], chosen: Labels) -> dict[str, Any]:
    """Return the settings of the chosen values, by their full names."""
    return {name: value for axis in axes for name, value in axis.values[chosen[axis.name]].items()}


def _run_settings(shared: Mapping[str, Any], own: Mapping[str, Any], path: Path) -> TrainSettings:
    """Return the settings of a run, without its folder: the shared ones, overridden by its own."""
    settings = training_settings(_nested({**shared, OUTPUT: "unnamed", **own}), where=str(path))
    refuse_ineffective_options(settings, _nested(own), where=str(path))  # else a run is compared with itself
    return settings


def _nested(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings by full names as nested sections."""
    values: dict[str, Any] = {}
    for name, value in settings.items():
        put_setting(values, name, value)
    return values


def _folder_name(settings: TrainSettings, chosen: Labels) -> str:
    """Return the labels of a run and a digest of its settings and of Linnet's version, as the name of its folder."""
    # without defaults: a new setting of a later version must not change the digest
    content = settings.model_dump(exclude_defaults=True, exclude={OUTPUT, *settings.without_effect})
    digest = hashlib.sha256(f"{__version__}\n{json.dumps(content, sort_keys=True)}".encode()).hexdigest()[:8]
    words = [f"{name}-{label}" if name == SEED else label for name, label in chosen.items()]
    plain = [re.sub(r"[^A-Za-z0-9.]+", "-", word).strip("-.") or "x" for word in words]
    return "--".join([*plain, digest])


def _refuse_equal_runs(runs: tuple[PlannedRun, ...], path: Path) -> None:
    """Refuse runs with the same seed in the same cell, or with the same folder."""
    cells = Counter((*run.place.values(), *run.choice.values(), f"seed {run.seed}") for run in runs)
    for cell, number in cells.items():
        if number > 1:
            raise BadSetting(f"{path}: {number} runs are {', '.join(cell)}", "give each value of `seed` once")
    names = Counter(run.name for run in runs)
    for run in runs:
        if names[run.name] > 1:
            raise BadSetting(
                f"{path}: two runs would have the folder {run.name}, one of them {title_of(run.choice)}",
                "let their labels differ in more than blanks and punctuation",
            )
