"""How are TOML files read and written?"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from linnet.errors import BadFile

__all__ = ["read_toml", "toml_text"]

Values = dict[str, Any]  # what TOML gives


def read_toml(path: Path) -> Values:
    """Return what a TOML file holds."""
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise BadFile(f"{path}: cannot be read ({error.strerror})", "give the path of a recipe") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadFile(f"{path}: this is not TOML ({error})", "see `recipes/` for examples") from None


def toml_text(values: Mapping[str, Any]) -> str:
    """Return plain values as a TOML file: settings first, then sections, then lists of sections.

    >>> print(toml_text({"a": 1, "b": {"c": "x"}, "d": [{"e": 2}]}), end="")
    a = 1
    <BLANKLINE>
    [b]
    c = "x"
    <BLANKLINE>
    [[d]]
    e = 2
    """
    return "\n".join(_lines(values, "")) + "\n"


def _lines(values: Mapping[str, Any], section: str) -> Iterator[str]:
    for key, value in values.items():
        if not isinstance(value, dict) and not _is_sections(value):
            yield f"{_key(key)} = {_value(value)}"
    for key, value in values.items():
        name = f"{section}{_key(key)}"
        if isinstance(value, dict):
            yield f"\n[{name}]"
            yield from _lines(value, f"{name}.")
        elif _is_sections(value):
            for each in value:
                yield f"\n[[{name}]]"
                yield from _lines(each, f"{name}.")


def _is_sections(value: object) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(each, dict) for each in value)


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else _value(key)


def _value(value: object) -> str:
    """Write a scalar as JSON does, which TOML reads, but for one character that only TOML wants escaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
