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
is made.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from pydantic import Field

from linnet import __version__
from linnet.compare.results import Labels
from linnet.errors import BadSetting, LinnetError
from linnet.settings import Settings, TrainSettings
from linnet.settings_files import load_settings, put_setting, to_toml, with_overrides
from linnet.toml import read_toml

__all__ = ["Axis", "Grid", "PlannedRun", "load_grid"]

SEED, SIZE = "seed", "train_sentences"
MOST_PROBLEMS = 12  # shown of a grid's


class GridSettings(Settings):
    """What a grid file holds."""

    output: str = Field(description="Folder of the grid; the runs and the reports go there.")
    baseline: dict[str, str | float | int | bool] = Field(
        min_length=1, description="The axes that are compared, each with the value that the others are held against."
    )
    recipe: dict[str, Any] | str = Field({}, description="What all runs share: settings of a recipe, or a recipe file.")
    axes: dict[str, list[Any] | dict[str, dict[str, Any]]] = Field(
        min_length=1, description="A setting with its values, or a name with labelled settings."
    )
    metric: str = Field("strict", description="The matching whose micro F1 is compared.")


@dataclass(frozen=True)
class Axis:
    """One dimension of a grid: its values by label, each a few settings."""

    name: str
    values: Mapping[str, Mapping[str, Any]]


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
    metric: str
    baseline: Labels
    axes: tuple[Axis, ...]
    runs: tuple[PlannedRun, ...]
    notes: tuple[str, ...]

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
        return SIZE if any(axis.name == SIZE for axis in self.axes) else None


def load_grid(path: Path, *, output: str | None = None, metric: str | None = None) -> Grid:
    """Return the grid of a file with every run's settings checked.

    Raises:
        BadSetting: with all problems together, before anything is run.
    """
    read = load_settings(GridSettings, path, output=output, metric=metric)
    shared = read_toml(path.parent / read.recipe) if isinstance(read.recipe, str) else read.recipe
    given = tuple(_axis(name, values, path) for name, values in read.axes.items())
    _check_combinations(given, shared, path)
    baseline = _baseline(read.baseline, given, path)
    axes = (*_place_of(shared, given, baseline), *given)
    runs = tuple(_runs(shared, axes, baseline, Path(read.output), path))
    return Grid(path.stem, path, Path(read.output), read.metric, baseline, axes, runs, tuple(_notes(given)))


def _axis(name: str, values: list[Any] | dict[str, dict[str, Any]], path: Path) -> Axis:
    if isinstance(values, dict):
        found = Axis(name, values)
    else:
        labels = [_label(name, value) for value in values]
        repeated = sorted({label for label in labels if labels.count(label) > 1})
        if repeated:
            raise BadSetting(
                f"{path}: axis {name!r} has {', '.join(repeated)} twice",
                f"give each value once; values with the same name can be told apart in a table [axes.{name}]",
            )
        found = Axis(name, {label: {name: value} for label, value in zip(labels, values, strict=True)})
    if not found.values:
        raise BadSetting(f"{path}: axis {name!r} has no values", "give it some, or leave it out")
    return found


def _place_of(shared: Mapping[str, Any], axes: tuple[Axis, ...], baseline: Labels) -> Iterator[Axis]:
    """Yield the corpus as the one place of the comparison, where no axis makes places."""
    if "data" in shared and all(axis.name in baseline or axis.name == SEED for axis in axes):
        yield Axis("data", {_label("data", shared["data"]): {"data": shared["data"]}})


def _label(name: str, value: object) -> str:
    """Return how a value is called: a corpus or a model folder by its own name, all else as it is written."""
    if isinstance(value, str):
        return Path(value).name if name in ("data", "encoder") and "/" in value else value
    return f"{value:g}" if isinstance(value, float) else str(value).lower() if isinstance(value, bool) else str(value)


def _check_combinations(axes: tuple[Axis, ...], shared: Mapping[str, Any], path: Path) -> None:
    """Refuse two axes that set the same thing: one of them would be without effect."""
    owner: dict[str, str] = {}
    for axis in axes:
        for setting in {setting for each in axis.values.values() for setting in each}:
            if setting in owner:
                raise BadSetting(
                    f"{path}: the axes {owner[setting]!r} and {axis.name!r} both set {setting!r}",
                    "let one axis set it, or join the two in one table of labelled settings",
                )
            owner[setting] = axis.name
    if "output" in shared or "output" in owner:
        raise BadSetting(f"{path}: the runs get their folders from the grid", "remove `output` from recipe and axes")


def _baseline(given: Mapping[str, Any], axes: tuple[Axis, ...], path: Path) -> Labels:
    by_name = {axis.name: axis for axis in axes}
    problems = []
    baseline = {}
    for name, value in given.items():
        label = _label(name, value)
        if name == SEED or name not in by_name:
            problems.append(f"the baseline names {name!r}, which is no axis to compare")
        elif label not in by_name[name].values:
            problems.append(
                f"the baseline's {name} is {label!r}, outside of the grid: {', '.join(by_name[name].values)}"
            )
        else:
            baseline[name] = label
    if problems:
        compared = ", ".join(name for name in by_name if name != SEED)
        raise BadSetting(f"{path}: " + "\n  ".join(problems), f"name a value of one of the axes: {compared}")
    return baseline


def _runs(
    shared: Mapping[str, Any], axes: tuple[Axis, ...], baseline: Labels, output: Path, path: Path
) -> Iterator[PlannedRun]:
    runs, problems = [], []
    for labels in product(*(axis.values for axis in axes)):
        chosen = dict(zip((axis.name for axis in axes), labels, strict=True))
        try:
            settings = _settings(shared, axes, chosen, output, path)
        except LinnetError as error:
            problems.append(error.problem)
            continue
        place = {name: label for name, label in chosen.items() if name not in baseline and name != SEED}
        choice = {name: chosen[name] for name in chosen if name in baseline}
        runs.append(PlannedRun(place, choice, settings.seed, settings))
    if problems:
        found = list(dict.fromkeys(problems))
        more = [f"and {len(found) - MOST_PROBLEMS:,} more"] * (len(found) > MOST_PROBLEMS)
        raise BadSetting("\n  ".join(found[:MOST_PROBLEMS] + more), "correct them all, then start again")
    return iter(runs)


def _settings(
    shared: Mapping[str, Any], axes: tuple[Axis, ...], chosen: Labels, output: Path, path: Path
) -> TrainSettings:
    values: dict[str, Any] = {}
    for name, value in {**shared, "output": "unnamed"}.items():
        put_setting(values, name, value)
    for axis in axes:
        for name, value in axis.values[chosen[axis.name]].items():
            put_setting(values, name, value)
    settings = with_overrides(TrainSettings, values, (), where=str(path))
    return settings.model_copy(update={"output": str(output / "runs" / _folder_name(settings, chosen))})


def _folder_name(settings: TrainSettings, chosen: Labels) -> str:
    """Return a name that tells people what it is, and the grid whether it is the same: recipe and version."""
    content = to_toml(settings.model_copy(update={"output": "", "threads": None}))
    digest = hashlib.sha256(f"{__version__}\n{content}".encode()).hexdigest()[:8]
    words = [f"{name}-{label}" if name == SEED else label for name, label in chosen.items()]
    plain = [re.sub(r"[^A-Za-z0-9.]+", "-", word).strip("-.") or "x" for word in words]
    return "--".join([*plain, digest])


def _notes(axes: tuple[Axis, ...]) -> Iterator[str]:
    for axis in axes:
        if len(axis.values) == 1 and axis.name != SEED:
            yield f"the axis {axis.name!r} has one value, {next(iter(axis.values))}: nothing differs on it"
    n_seeds = next((len(axis.values) for axis in axes if axis.name == SEED), 1)
    if n_seeds == 1:
        yield "one seed: the intervals know of other sentences, but not of other seeds; give several (axis `seed`)"
