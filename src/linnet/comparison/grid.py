"""Which runs does a grid file ask for?

A grid is a recipe that all runs share and axes on which they differ. An axis is either a setting with its values, or a
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

The axes that the baseline names are compared; the seeds are repetitions; all other axes are places where the comparison
is made. Settings that depend on several axes at once stand in rows of `when` (`linked.py`).
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from pydantic import Field

from linnet import __version__
from linnet.comparison.axes import OUTPUT, SEED, Axis, label_of, read_axes, with_full_names
from linnet.comparison.linked import Linked, read_linked, shortened
from linnet.comparison.results import Labels, title_of
from linnet.contracts import tasks
from linnet.errors import BadSetting, LinnetError
from linnet.settings.base import Settings
from linnet.settings.files import load_settings, put_setting
from linnet.settings.training import TrainSettings
from linnet.storage.toml import read_toml
from linnet.training.options import refuse_ineffective_options, training_settings

__all__ = ["Grid", "PlannedRun", "load_grid"]


class GridSettings(Settings):
    """What a grid file holds."""

    output: str = Field(description="Folder of the grid; the runs and the reports go there.")
    baseline: dict[str, str | float | int | bool] = Field(
        min_length=1, description="The axes that are compared, each with the value that the others are held against."
    )
    recipe: dict[str, Any] | str = Field({}, description="What all runs share: settings of a recipe, or a recipe file.")
    axes: dict[str, Any] = Field(
        min_length=1, description="A setting with its values, or a name with labelled settings."
    )
    when: tuple[dict[str, Any], ...] = Field(
        (), description="Rows of settings for combinations of axis values: the values, and `set` with the settings."
    )
    metric: str | None = Field(
        None,
        description="The matching whose micro F1 is compared, strict if none; for other tasks one of their scores.",
    )


@dataclass(frozen=True)
class PlannedRun:
    """One run of a grid."""

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
        """Where it is kept."""
        return Path(self.settings.output)

    @property
    def is_finished(self) -> bool:
        """Was it run to its end?"""
        return (self.folder / "linnet.json").is_file()


@dataclass(frozen=True)
class Grid:
    """A checked grid with all its runs."""

    name: str
    path: Path
    output: Path
    metric: str  # empty for the first score of a task about texts
    baseline: Labels
    axes: tuple[Axis, ...]
    runs: tuple[PlannedRun, ...]
    notes: tuple[str, ...]
    linked: Linked

    @property
    def task(self) -> str:
        """What all runs are about."""
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


def load_grid(path: Path, *, output: str | None = None, metric: str | None = None) -> Grid:
    """Return the grid of a file with every run's settings checked.

    Raises:
        BadSetting: with all problems together, before anything is run.
    """
    read = load_settings(GridSettings, path, output=output, metric=metric)
    shared = with_full_names(_recipe(read.recipe, path))
    given = read_axes(read.axes, shared, path)
    baseline = _baseline(read.baseline, given, path)
    axes = (*_place_of(shared, given, baseline), *given)
    linked = read_linked(read.when, axes, path)
    runs = tuple(_runs(shared, (axes, linked), baseline, Path(read.output), path))
    _check_apart(runs, path)
    metric = read.metric or tasks.get(_task_of(runs, path)).default_metric
    return Grid(path.stem, path, Path(read.output), metric, baseline, axes, runs, tuple(_notes(given)), linked)


def _task_of(runs: Sequence[PlannedRun], path: Path) -> str:
    found = list(dict.fromkeys(run.settings.task for run in runs))
    if len(found) > 1:
        raise BadSetting(
            f"{path}: runs of {' and '.join(found)}, whose scores cannot be compared", "make a grid for each task"
        )
    return found[0]


def _recipe(given: Mapping[str, Any] | str, path: Path) -> Mapping[str, Any]:
    """Return what all runs share; a recipe file may say where a single run goes, which is nothing to a grid."""
    if not isinstance(given, str):
        return given
    return {name: value for name, value in read_toml(path.parent / given).items() if name != OUTPUT}


def _place_of(shared: Mapping[str, Any], axes: tuple[Axis, ...], baseline: Labels) -> Iterator[Axis]:
    """Yield the corpus as the one place of the comparison, where no axis makes places or sets it."""
    if any(axis.name not in baseline and axis.name != SEED for axis in axes):
        return
    if "data" in shared and not any("data" in axis.settings for axis in axes):
        yield Axis("data", {label_of("data", shared["data"]): {"data": shared["data"]}})


def _baseline(given: Mapping[str, Any], axes: tuple[Axis, ...], path: Path) -> Labels:
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


def _runs(
    shared: Mapping[str, Any], varied: tuple[tuple[Axis, ...], Linked], baseline: Labels, output: Path, path: Path
) -> Iterator[PlannedRun]:
    runs, problems = [], []
    axes, linked = varied
    for labels in product(*(axis.values for axis in axes)):
        chosen = dict(zip((axis.name for axis in axes), labels, strict=True))
        try:
            told = _told(axes, chosen) | linked.settings_for(chosen)
            settings = _settings(shared, told, path)
        except LinnetError as error:
            _, *lines = error.problem.split("\n  ")  # the first says how many there are of this run
            problems += lines or [error.problem]
            continue
        place = {name: label for name, label in chosen.items() if name not in baseline and name != SEED}
        choice = {name: chosen[name] for name in chosen if name in baseline}
        folder = output / "runs" / _folder_name(settings, chosen)
        runs.append(PlannedRun(place, choice, settings.seed, settings.model_copy(update={OUTPUT: str(folder)})))
    if problems:
        raise BadSetting(f"{path}: {shortened(problems)}", "correct them all, then start again")
    return iter(runs)


def _told(axes: tuple[Axis, ...], chosen: Labels) -> dict[str, Any]:
    """Return the settings of the chosen values, by their full names."""
    return {name: value for axis in axes for name, value in axis.values[chosen[axis.name]].items()}


def _settings(shared: Mapping[str, Any], given: Mapping[str, Any], path: Path) -> TrainSettings:
    """Return the settings of a run, without its folder: what all runs share, and over it what is given for this one."""
    values: dict[str, Any] = {}
    for name, value in {**shared, OUTPUT: "unnamed", **given}.items():
        put_setting(values, name, value)
    told: dict[str, Any] = {}
    for name, value in given.items():
        put_setting(told, name, value)
    settings = training_settings(values, where=str(path))
    refuse_ineffective_options(
        settings, told, where=str(path)
    )  # an axis that changes nothing would compare a run with itself
    return settings


def _folder_name(settings: TrainSettings, chosen: Labels) -> str:
    """Return a name that tells people what it is, and the grid whether it is the same: recipe and version."""
    # only what differs from the defaults: a setting that is new in a version must not make a grid begin anew
    content = settings.model_dump(exclude_defaults=True, exclude={OUTPUT, "threads"})
    digest = hashlib.sha256(f"{__version__}\n{json.dumps(content, sort_keys=True)}".encode()).hexdigest()[:8]
    words = [f"{name}-{label}" if name == SEED else label for name, label in chosen.items()]
    plain = [re.sub(r"[^A-Za-z0-9.]+", "-", word).strip("-.") or "x" for word in words]
    return "--".join([*plain, digest])


def _check_apart(runs: tuple[PlannedRun, ...], path: Path) -> None:
    """Refuse runs that nothing tells apart: the same seed of the same cell, or the same folder."""
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


def _notes(axes: tuple[Axis, ...]) -> Iterator[str]:
    for axis in axes:
        if len(axis.values) == 1 and axis.name != SEED:
            yield f"the axis {axis.name!r} has one value, {next(iter(axis.values))}: nothing differs on it"
    n_seeds = next((len(axis.values) for axis in axes if axis.name == SEED), 1)
    if n_seeds == 1:
        yield "one seed: the intervals know of other sentences, but not of other seeds; give several (axis `seed`)"
