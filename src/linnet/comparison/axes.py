"""Axes of a grid: the dimensions on which its runs differ, and the settings of each value."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from linnet.contracts import tasks
from linnet.errors import BadSetting
from linnet.settings.files import SHORT_NAMES
from linnet.training.options import describe_training_settings

__all__ = [
    "FEWEST_SEEDS",
    "OUTPUT",
    "SEED",
    "SIZE",
    "Axis",
    "label_of",
    "note_axes",
    "read_axes",
    "unknown_settings",
    "with_full_names",
]

OUTPUT, SEED, SIZE = "output", "seed", "train_sentences"
FEWEST_SEEDS = 3  # below, a comparison comes with a caution
Values = Mapping[str, Any]  # settings as TOML gives them; checked by pydantic later


@dataclass(frozen=True)
class Axis:
    """One dimension of a grid: its values by label, each a few settings by their full names."""

    name: str
    values: Mapping[str, Values]

    @property
    def settings(self) -> set[str]:
        """The full names of all settings that its values set."""
        return {name for settings in self.values.values() for name in settings}

    @property
    def is_of_sizes(self) -> bool:
        """Does it set the size of the training data and nothing else? A value without settings is the whole split."""
        return self.settings == {SIZE}

    def label_of(self, value: object) -> str:
        """Return the label of a value in a grid file, which may be the label itself or the value of the setting."""
        return value if isinstance(value, str) and value in self.values else label_of(self.name, value)


def read_axes(given: Values, shared: Values, path: Path) -> tuple[Axis, ...]:
    """Return the axes of a grid file.

    Args:
        given: by name, a list of values of that setting, or a table of labelled settings.
        shared: the settings of all runs, by their full names.
        path: the grid file, for messages.
    """
    axes = tuple(_axis(name, values, path) for name, values in given.items())
    _check_names(axes, shared, path)
    _check_owners(axes, shared, path)
    return axes


def with_full_names(values: Values, section: str = "") -> dict[str, Any]:
    """Return settings by their full names; they may be given by short names, by full names or in sections.

    >>> with_full_names({"scheme": "welt", "loss": {"name": "focal"}, "window.max_length": 64})
    {'loss.scheme': 'welt', 'loss.name': 'focal', 'window.max_length': 64}
    """
    settings: dict[str, Any] = {}
    for name, value in values.items():
        is_table = isinstance(value, Mapping)
        full = section + name if section or is_table else SHORT_NAMES.get(name, name)
        if is_table and value and full in _sections():
            settings |= with_full_names(value, f"{full}.")
        else:
            settings[full] = value
    return settings


def unknown_settings(where: str, names: Iterable[str]) -> Iterator[str]:
    """Yield a problem for each full name that is no setting, with the nearest name of a setting."""
    for name in sorted(names):
        if name not in _names() and name not in _sections():
            yield f"{where}: there is no setting {name!r}{_nearest(name)}"


def label_of(name: str, value: object) -> str:
    """Return the label of a value: the last part of the path of a corpus or model, all else as it is written."""
    if isinstance(value, str):
        return Path(value).name if name in ("data", "encoder") and "/" in value else value
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _axis(name: str, values: object, path: Path) -> Axis:
    if isinstance(values, list):
        labels = [label_of(name, value) for value in values]
        repeated = sorted({label for label in labels if labels.count(label) > 1})
        if repeated:
            raise BadSetting(
                f"{path}: axis {name!r} has {', '.join(repeated)} twice",
                f"give each value once; values with the same name can be told apart in a table [axes.{name}]",
            )
        labelled = {label: {name: value} for label, value in zip(labels, values, strict=True)}
    elif isinstance(values, Mapping) and all(isinstance(settings, Mapping) for settings in values.values()):
        labelled = dict(values)
    else:
        raise BadSetting(
            f"{path}: axis {name!r} is {values!r}, expected a list or a table of labelled settings",
            f'e.g. {name} = [1, 2], or [axes.{name}] with lines such as welt = {{ scheme = "welt" }}',
        )
    if not labelled:
        raise BadSetting(f"{path}: axis {name!r} has no values", "give it some, or leave it out")
    return Axis(name, {label: with_full_names(settings) for label, settings in labelled.items()})


def _check_names(axes: Iterable[Axis], shared: Values, path: Path) -> None:
    """Refuse all names that are no settings, together."""
    names_by_origin = [("the recipe", shared), *((f"axis {axis.name!r}", axis.settings) for axis in axes)]
    problems = [problem for where, names in names_by_origin for problem in unknown_settings(where, names)]
    if problems:
        raise BadSetting(
            f"{path}: " + "\n  ".join(problems),
            "`linnet list settings` names them all; an axis of another name is a table of labelled settings",
        )


def _check_owners(axes: Iterable[Axis], shared: Values, path: Path) -> None:
    """Refuse two axes that set the same setting, because one of them would have no effect."""
    owner: dict[str, str] = {}
    for axis in axes:
        for setting in sorted(axis.settings):
            if setting in owner:
                raise BadSetting(
                    f"{path}: the axes {owner[setting]!r} and {axis.name!r} both set {setting!r}",
                    "let one axis set it, or join the two in one table of labelled settings",
                )
            owner[setting] = axis.name
    if OUTPUT in shared or OUTPUT in owner:
        raise BadSetting(f"{path}: the runs get their folders from the grid", "remove `output` from recipe and axes")
    if owner.get(SEED, SEED) != SEED:
        raise BadSetting(
            f"{path}: axis {owner[SEED]!r} sets the seed, but seeds are the repetitions of a grid",
            "give them on an axis of their own: seed = [1, 2, 3]",
        )


def _names() -> frozenset[str]:
    return _names_of(tuple(tasks.names()))


@cache
def _names_of(_: tuple[str, ...]) -> frozenset[str]:
    """Return the names of all settings, read anew where a task was registered since."""
    return frozenset(describe_training_settings())


def _sections() -> frozenset[str]:
    return frozenset(_parents(_names()))


def _parents(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        section, dot, _ = name.rpartition(".")
        if dot:
            yield section


def _nearest(name: str) -> str:
    known = [*SHORT_NAMES, *sorted(_names())]
    near = get_close_matches(name, known, n=1) or [full for full in known if full.split(".")[-1] == name.split(".")[-1]]
    return f"; did you mean {near[0]!r}?" if near else ""


def note_axes(axes: tuple[Axis, ...]) -> Iterator[str]:
    """Yield a note for each axis with one value, and for few seeds."""
    for axis in axes:
        if len(axis.values) == 1 and axis.name != SEED:
            yield f"the axis {axis.name!r} has one value, {next(iter(axis.values))}: nothing differs on it"
    n_seeds = next((len(axis.values) for axis in axes if axis.name == SEED), 1)
    if n_seeds == 1:
        yield "one seed: the intervals cover other sentences, but not other seeds; give several (axis `seed`)"
    elif n_seeds < FEWEST_SEEDS:
        yield f"{n_seeds} seeds: hardly any difference can be detected; give {FEWEST_SEEDS} at least, better five"
