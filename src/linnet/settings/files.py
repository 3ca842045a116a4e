"""Reads settings from TOML files and options, and writes them as TOML.

All problems are reported together, with the nearest name for one that does not exist.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin

from pydantic import ValidationError

from linnet.errors import BadSetting, LinnetError
from linnet.settings.base import Settings
from linnet.storage.toml import parse_toml, read_toml, toml_text

__all__ = [
    "describe_settings",
    "load_settings",
    "put_setting",
    "put_settings",
    "short_name",
    "to_toml",
    "with_overrides",
]

S = TypeVar("S", bound=Settings)
MOST_PROBLEMS = 50  # that a message describes
SHORT_NAMES = {  # names of settings in a section: options, `--set`, grids and Python; the first one is shown
    "scheme": "loss.scheme",
    "beta": "loss.beta",
    "loss": "loss.name",
    "epochs": "optimiser.epochs",
    "batch_size": "optimiser.batch_size",
    "learning_rate": "optimiser.learning_rate",
    "max_length": "window.max_length",
    "warmup": "optimiser.warmup",
    "weight_decay": "optimiser.weight_decay",
    "dropout": "optimiser.dropout",
    "patience": "selection.patience",
    "lr": "optimiser.learning_rate",
    "bs": "optimiser.batch_size",
}
Values = dict[str, Any]  # what TOML gives; checked by pydantic


def load_settings(kind: type[S], path: Path | None, overrides: Sequence[str] = (), **given: Any) -> S:
    """Return the settings of a TOML file, with given values and then `key=value` overrides on top.

    Given values may use the short names (`epochs` for `optimiser.epochs`); `None` counts as not given.

    Raises:
        BadSetting: with all problems at once.
    """
    values = read_toml(path) if path is not None else {}
    put_settings(values, overrides, given)
    return with_overrides(kind, values, (), where=str(path) if path else "the options")


def with_overrides(
    kind: type[S],
    values: Mapping[str, Any],
    overrides: Sequence[str],
    *,
    where: str,
    by_task: Mapping[str, type[Settings]] | None = None,
    shown: Mapping[str, str] | None = None,
    further: Callable[[S], Sequence[LinnetError]] | None = None,
) -> S:
    """Return checked settings from plain values and `key=value` overrides (`optimiser.epochs=3`).

    Args:
        kind: class of the settings.
        values: as a TOML file has them.
        overrides: `key=value`.
        where: start of a message.
        by_task: the settings of all tasks. A setting that only another task has is left out where it has its default,
            as older recipes name the settings of all tasks; any other value is refused with the names of those tasks.
        shown: names of settings in messages, such as those of the options, where they differ.
        further: finds problems that show in no single value; where values are wrong it is asked about the others, so
            that all problems are reported together.
    """
    merged: Values = dict(values)
    put_settings(merged, overrides, {})
    foreign = _foreign_defaults(kind, by_task or {})
    try:
        return kind.model_validate(_without_defaults(merged, foreign))
    except ValidationError as error:
        lines = _all_problems(error, kind, foreign, str(merged.get("task", "")), shown or {})
        others = _without_wrong(kind, merged, error) if further else None
        more = further(others) if further and others is not None else ()
        lines += [each.problem for each in more]
        n_counted = max(0, error.error_count() - MOST_PROBLEMS)
        n_all = len(lines) + n_counted
        lines += [f"and {n_counted:,} more"] if n_counted else []
        count = f"{n_all:,} problem{'s' * (n_all > 1)} with the settings"
        remedies = dict.fromkeys(["correct them all, then start again", *(each.remedy for each in more)])
        raise BadSetting("\n  ".join([f"{where}: {count}", *lines]), "; ".join(remedies)) from None


def put_settings(values: Values, overrides: Sequence[str], given: Mapping[str, Any]) -> None:
    """Put given values and then `key=value` overrides into plain values, each by any of its names."""
    for key, value in given.items():
        if value is not None:
            put_setting(values, key, value)
    for override in overrides:
        key, equals, text = override.partition("=")
        if not equals or not key:
            raise BadSetting(f"--set {override}: expected key=value", "e.g. --set optimiser.learning_rate=1e-4")
        put_setting(values, key.strip(), _parse(text.strip()))


def put_setting(values: Values, name: str, value: Any) -> None:
    """Put one setting into plain values, by its dotted or its short name (`epochs` for `optimiser.epochs`)."""
    is_section = isinstance(value, Mapping)
    _put(values, name if is_section else SHORT_NAMES.get(name, name), value)


def short_name(full: str) -> str:
    """Return the name of a setting on the command line: its short name, or the full one where it has none.

    >>> short_name("optimiser.epochs"), short_name("optimiser.dropout")
    ('epochs', 'optimiser.dropout')
    """
    return next((short for short, name in SHORT_NAMES.items() if name == full), full)


def to_toml(settings: Settings) -> str:
    """Return the settings as a TOML file that `load_settings` reads back; settings without a value are left out."""
    values = settings.model_dump(exclude_none=True)
    return toml_text({key: value for key, value in values.items() if value != ()})


def describe_settings(kind: type[Settings], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield each setting's dotted name with its description, choices and default; `[]` stands for each of several."""
    for name, field in kind.model_fields.items():
        kinds = get_args(field.annotation) or (field.annotation,)
        sections = [each for each in kinds if isinstance(each, type) and issubclass(each, Settings)]
        is_repeated = ... in kinds
        if not sections or is_repeated:
            default = "required" if field.is_required() else f"default {json.dumps(field.default)}"
            yield prefix + name, f"{field.description}{_choices(field.annotation)} [{default}]"
        if sections:
            yield from describe_settings(sections[0], f"{prefix}{name}{'[]' * is_repeated}.")


def _choices(annotation: Any) -> str:  # Any: whatever a type can be written as
    """Return the values that a setting can have, where there are only some."""
    kinds = [annotation, *get_args(annotation)]
    words = [str(word) for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
    return f" One of {', '.join(words)}." if words else ""


def _put(values: Values, dotted: str, value: Any) -> None:
    *sections, last = dotted.split(".")
    for section in sections:
        inner = values.get(section)
        if isinstance(inner, list | tuple):
            raise BadSetting(
                f"{dotted}: {section!r} is a list of sections, and the name does not say which of them it means",
                "change it in the recipe; `--data` and `--eval` change the folders and the target",
            )
        values[section] = dict(inner) if isinstance(inner, Mapping) else {}
        values = values[section]
    values[last] = value


def _parse(text: str) -> Any:
    """Read the text as a TOML value; anything else is a string."""
    try:
        return parse_toml(f"value = {text}")["value"]
    except (ValueError, RecursionError):  # no TOML, numbers of thousands of digits, brackets thousands deep
        return text


def _foreign_defaults(kind: type[Settings], by_task: Mapping[str, type[Settings]]) -> Values:
    """Return the settings that only other tasks have, by dotted name, with their defaults."""
    own = _defaults(kind)
    return {
        name: default for other in by_task.values() for name, default in _defaults(other).items() if name not in own
    }


def _defaults(kind: type[Settings], prefix: str = "") -> Values:
    found: Values = {}
    for name, field in kind.model_fields.items():
        if isinstance(field.default, Settings):
            found |= _defaults(type(field.default), f"{prefix}{name}.")
        else:
            found[prefix + name] = field.default
    return found


def _without_defaults(values: Mapping[str, Any], foreign: Mapping[str, Any], prefix: str = "") -> Values:
    """Return the values without settings of other tasks that have their defaults."""
    kept: Values = {}
    for key, value in values.items():
        name = prefix + key
        if name in foreign and json.dumps(value) == json.dumps(foreign[name]):
            continue
        if isinstance(value, Mapping) and any(each.startswith(f"{name}.") for each in foreign):
            inner = _without_defaults(value, foreign, f"{name}.")
            if inner or not value:
                kept[key] = inner
        else:
            kept[key] = value
    return kept


def _all_problems(
    error: ValidationError, kind: type[Settings], foreign: Mapping[str, Any], task: str, shown: Mapping[str, str]
) -> list[str]:
    lines = []
    for problem in error.errors()[:MOST_PROBLEMS]:
        key = ".".join(str(part) for part in problem["loc"])
        given = [f"{key}.{name}" for name in problem["input"]] if isinstance(problem["input"], Mapping) else [key]
        if problem["type"] == "extra_forbidden" and all(name in foreign for name in given):
            lines += [f"the task {task!r} does not know the setting {name}" for name in given]
        elif problem["type"] == "extra_forbidden":
            lines.append(f"{key}: there is no such setting{_nearest(key, kind)}")
        elif problem["type"] == "missing":
            lines.append(f"{key}: is missing{_list_section(key, kind)}")
        elif problem["type"] == "tuple_type" and isinstance(problem["input"], Mapping):
            lines.append(f"{key}: is a single section, expected a list of sections; write [[{key}]] above each")
        else:
            lines.append(_describe_problem(_show_name(problem["loc"], shown), problem))
    return lines


def _without_wrong(kind: type[S], values: Mapping[str, Any], error: ValidationError) -> S | None:
    """Return the settings without the values that are wrong; None where that makes no settings."""
    kept = deepcopy(dict(values))
    for problem in error.errors():
        *sections, last = problem["loc"] or ("",)
        inner: Any = kept
        for section in sections:
            inner = inner.get(section) if isinstance(inner, dict) else None
        if isinstance(inner, dict):
            inner.pop(last, None)
    try:
        return kind.model_validate(kept)
    except ValidationError:
        return None


def _show_name(parts: Sequence[int | str], shown: Mapping[str, str]) -> str:
    first, *rest = parts or [""]
    return ".".join([shown.get(str(first), str(first)), *(str(part) for part in rest if part != "*")])


def _describe_problem(name: str, problem: Any) -> str:  # Any: pydantic's description of an error
    """Return what is wrong with a value; a check of ours over several settings says itself what it has found."""
    message = str(problem["ctx"]["error"]) if problem["type"] == "value_error" else problem["msg"]
    is_told = isinstance(problem["input"], Mapping) or "found" in message
    return f"{name}: {message}".removeprefix(": ") + ("" if is_told else f", found {problem['input']!r}")


def _list_section(key: str, kind: type[Settings]) -> str:
    """Return the settings of a section, where the key names one."""
    parts = [name for name, _ in describe_settings(kind) if name.startswith(f"{key}.")]
    return f" ({', '.join(parts)})" if parts else ""


def _nearest(key: str, kind: type[Settings]) -> str:
    from difflib import get_close_matches

    if key in SHORT_NAMES:
        return f"; did you mean {SHORT_NAMES[key]!r}?"
    names = sorted(
        dict(describe_settings(kind)), key=lambda name: "[]" in name
    )  # stable: settings that occur once come first
    sections = dict.fromkeys(name.rpartition(".")[0] for name in names if "." in name)
    near = get_close_matches(key, [*names, *sections], n=1) or [
        name for name in names if name.split(".")[-1] == key.split(".")[-1]
    ]
    return f"; did you mean {near[0]!r}?" if near else ""
