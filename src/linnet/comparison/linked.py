"""Linked settings of a grid, which depend on combinations of axis values: the rows of `when` in a grid file.

    [[when]]
    corpus = "linnaeus"
    encoder = ["biobert", "scibert"]
    set = { max_length = 320, batch_size = 8 }

A row names values of axes and the settings of all runs with these values. Linked settings are not an axis: they add no
runs, places or choices. Every combination must have exactly one value of each linked setting; a grid where a
combination has none, or two different ones, is refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import product
from pathlib import Path
from typing import Any

from linnet.comparison.axes import OUTPUT, SEED, Axis, unknown_settings, with_full_names
from linnet.comparison.results import Labels
from linnet.errors import BadSetting
from linnet.settings.files import short_name

__all__ = ["Linked", "LinkedRow", "list_problems", "read_linked"]

SET = "set"
MOST_PROBLEMS = 12  # shown in one message
REMEDY = (
    "a row of [[when]] has axes with one of their values, or a list of them, and the settings of these runs: "
    'encoder = "biobert", set = { epochs = 20 }'
)


@dataclass(frozen=True)
class LinkedRow:
    """Settings of all runs with certain values of some axes."""

    number: int  # in the file, from 1
    labels: Mapping[str, tuple[str, ...]]  # of the values that the row holds for, by axis
    settings: Mapping[str, Any]  # by their full names; checked by pydantic later

    def holds_for(self, chosen: Labels) -> bool:
        """Does the row hold for a run with these values of the axes?"""
        return all(chosen[axis] in labels for axis, labels in self.labels.items())


@dataclass(frozen=True)
class Linked:
    """All linked settings of a grid."""

    axes: tuple[Axis, ...]  # that the rows name, in the order of the grid
    rows: tuple[LinkedRow, ...]

    @property
    def settings(self) -> tuple[str, ...]:
        """The full names of all settings in the rows."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.settings))

    @property
    def title(self) -> str:
        """The linked settings and their axes, as one text."""
        return f"{', '.join(map(short_name, self.settings))} by {' and '.join(axis.name for axis in self.axes)}"

    def settings_for(self, chosen: Labels) -> dict[str, Any]:
        """Return the linked settings of runs with these values of the axes."""
        return {name: value for row in self.rows if row.holds_for(chosen) for name, value in row.settings.items()}

    def combinations(self) -> list[tuple[Labels, dict[str, Any]]]:
        """Return each combination of the axes that the rows name, with its settings."""
        return [(chosen, self.settings_for(chosen)) for chosen in _combinations(self.axes)] if self.rows else []


def read_linked(given: Sequence[Mapping[str, Any]], axes: Sequence[Axis], path: Path) -> Linked:
    """Return the linked settings of a grid file.

    Args:
        given: the rows of `when`.
        axes: of the grid, all of them.
        path: the grid file, for messages.

    Raises:
        BadSetting: with all problems together.
    """
    by_name = {axis.name: axis for axis in axes}
    problems: list[str] = []
    rows = [_read_row(number, row, by_name, problems) for number, row in enumerate(given, 1)]
    _refuse(problems, REMEDY, path)
    linked = Linked(tuple(axis for axis in axes if any(axis.name in row.labels for row in rows)), tuple(rows))
    _refuse(
        [problem for name in linked.settings for problem in _gaps_and_conflicts(name, linked)],
        'let one row hold for each combination; a list names several values: encoder = ["biobert", "scibert"]',
        path,
    )
    return linked


def list_problems(problems: Sequence[str]) -> str:
    """Return the problems as lines, without repetitions, at most `MOST_PROBLEMS` and the number of the others."""
    distinct = list(dict.fromkeys(problems))
    more = [f"and {len(distinct) - MOST_PROBLEMS:,} more"] * (len(distinct) > MOST_PROBLEMS)
    return "\n  ".join(distinct[:MOST_PROBLEMS] + more)


def _refuse(problems: Sequence[str], remedy: str, path: Path) -> None:
    if problems:
        raise BadSetting(f"{path}: {list_problems(problems)}", remedy)


def _read_row(number: int, given: Mapping[str, Any], axes: Mapping[str, Axis], problems: list[str]) -> LinkedRow:
    """Return a row; its problems are added to `problems`."""
    where = f"row {number} of `when`"
    table = given.get(SET)
    settings = with_full_names(table) if isinstance(table, Mapping) else {}
    if not settings:
        problems.append(f"{where} sets nothing: expected `{SET}` with settings, found {table!r}")
    if len(given) == (SET in given):
        problems.append(f"{where} names no axis; settings of all runs belong in `recipe`")
    problems += [*unknown_settings(where, settings), *_refuse_settings(where, settings, axes)]
    labels: dict[str, tuple[str, ...]] = {}
    for name, values in given.items():
        if name == SET:
            continue
        if name not in axes or name == SEED:
            problems.append(f"{where} names {name!r}, which is {_explain_axis(name, axes)}")
        else:
            labels[name] = tuple(_read_labels(where, axes[name], values, problems))
    return LinkedRow(number, labels, settings)


def _explain_axis(name: str, axes: Mapping[str, Axis]) -> str:
    if name == SEED:
        return "the axis of repetitions; they may not differ in anything else"
    known = [axis for axis in axes if axis != SEED]
    return f"no axis of this grid{_nearest(name, known)}; there are {', '.join(known)}"


def _refuse_settings(where: str, settings: Mapping[str, Any], axes: Mapping[str, Axis]) -> Iterator[str]:
    """Yield a problem for each setting that a row may not set."""
    for setting in settings:
        owner = next((axis.name for axis in axes.values() if setting in axis.settings), None)
        if setting == OUTPUT:
            yield f"{where} sets {OUTPUT!r}, but the runs get their folders from the grid"
        elif setting == SEED:
            yield f"{where} sets {SEED!r}, but seeds are the repetitions of a grid"
        elif owner is not None:
            yield f"{where} sets {setting!r}, which the axis {owner!r} sets already"


def _read_labels(where: str, axis: Axis, values: object, problems: list[str]) -> Iterator[str]:
    """Yield the labels of an axis that a row names; unknown ones are added to `problems`."""
    listed = values if isinstance(values, list) else [values]
    if not listed:
        problems.append(f"{where} names no value of {axis.name!r}")
    for value in listed:
        label = axis.label_of(value) if isinstance(value, str | int | float) else str(value)
        if label in axis.values:
            yield label
        else:
            near = _nearest(label, list(axis.values))
            problems.append(
                f"{where}: the axis {axis.name!r} has no value {label!r}{near}; there are {', '.join(axis.values)}"
            )


def _gaps_and_conflicts(setting: str, linked: Linked) -> Iterator[str]:
    """Yield a problem for each combination without a value of the setting, or with different values."""
    rows = [row for row in linked.rows if setting in row.settings]
    axes = [axis for axis in linked.axes if any(axis.name in row.labels for row in rows)]
    for chosen in _combinations(axes):
        holding = [row for row in rows if row.holds_for(chosen)]
        title = ", ".join(f"{name} {label}" for name, label in chosen.items())
        others = [row for row in holding if row.settings[setting] != holding[0].settings[setting]]
        if not holding:
            yield f"no row of `when` sets {setting} for {title}"
        elif others:
            yield (
                f"rows {holding[0].number} and {others[0].number} of `when` set {setting} for {title} "
                f"to {holding[0].settings[setting]!r} and {others[0].settings[setting]!r}"
            )


def _combinations(axes: Sequence[Axis]) -> Iterator[Labels]:
    names = [axis.name for axis in axes]
    for labels in product(*(axis.values for axis in axes)):
        yield dict(zip(names, labels, strict=True))


def _nearest(name: str, known: Sequence[str]) -> str:
    near = get_close_matches(name, known, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""
