"""Differences between settings: of several runs, and of one run from the defaults, by their short names."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_core import PydanticUndefined

from linnet.settings.base import Settings
from linnet.settings.files import short_name

__all__ = ["changed_settings", "differing_settings", "flatten", "value_text"]

# where things are, and how a training runs; not what is learned
UNSHOWN = {"data", "output", "threads", "checkpoint_minutes", "tracker", "files", "documents"}


def differing_settings(runs: Sequence[Settings]) -> dict[str, tuple[Any, ...]]:
    """Return the settings that differ, each with its value in every run; None where a run does not have it.

    Paths of corpora and outputs are left out, and what does not change what is learned.
    """
    each = [_shown(flatten(settings.model_dump())) for settings in runs]
    names = dict.fromkeys(name for values in each for name in values)
    found = {name: tuple(values.get(name) for values in each) for name in names}
    return {
        short_name(name): values for name, values in found.items() if any(value != values[0] for value in values[1:])
    }


def changed_settings(settings: Settings) -> dict[str, Any]:
    """Return the settings with another value than their default, without paths and what changes nothing learned.

    A section that is there only where it is wanted, such as `lora`, is compared with its own defaults.
    """
    sections = _defaults_of_sections(settings)
    defaults = flatten(_defaults(type(settings)) | sections)
    values = _shown(flatten(settings.model_dump()))
    found = {name: value for name, value in values.items() if value is not None and value != defaults.get(name, None)}
    for section in sections:
        if not any(name.startswith(f"{section}.") for name in found):
            found[section] = "with its defaults"
    return {short_name(name): value for name, value in found.items()}


def value_text(value: object) -> str:
    """Return the value of a setting in a word or two.

    >>> value_text(0.0003), value_text(None), value_text(True), value_text(({"name": "a", "weight": 2.0}, "b"))
    ('0.0003', 'not set', 'true', 'name a, weight 2; b')
    """
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {value_text(own)}" for key, own in value.items() if own is not None)
    if isinstance(value, list | tuple):
        return "; ".join(map(value_text, value)) or "none"
    return str(value)


def flatten(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return the settings of all sections by dotted name."""
    found: dict[str, Any] = {}
    for key, value in values.items():
        found |= flatten(value, f"{prefix}{key}.") if isinstance(value, Mapping) else {prefix + key: value}
    return found


def _shown(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that are shown; those of several corpora without their paths."""
    return {name: _without_paths(value) for name, value in values.items() if name.split(".")[0] not in UNSHOWN}


def _without_paths(value: Any) -> Any:
    if not isinstance(value, list | tuple):
        return value
    return tuple(
        {key: own for key, own in each.items() if key not in UNSHOWN} if isinstance(each, Mapping) else each
        for each in value
    )


def _defaults(kind: type[Settings]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, field in kind.model_fields.items():
        default = field.get_default(call_default_factory=True)
        if default is not PydanticUndefined:
            found[name] = default.model_dump() if isinstance(default, Settings) else default
    return found


def _defaults_of_sections(settings: Settings) -> dict[str, dict[str, Any]]:
    """Return the defaults of the sections that are there, though they are not by default."""
    usual = _defaults(type(settings))
    given = {name: getattr(settings, name) for name in type(settings).model_fields}
    return {
        name: _defaults(type(section))
        for name, section in given.items()
        if isinstance(section, Settings) and usual.get(name) is None
    }
