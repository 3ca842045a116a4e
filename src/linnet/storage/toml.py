"""Reading of TOML files, and writing of plain values as TOML."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from linnet.errors import BadFile
from linnet.storage.limits import longest_document, refuse_long
from linnet.storage.sources import open_source

__all__ = ["read_toml", "toml_text"]

Values = dict[str, Any]  # the content of a TOML file


def read_toml(path: Path) -> Values:
    """Return the content of a TOML file."""
    limit = longest_document()
    try:
        with open_source(path) as file:
            content = file.read(limit + 1)
        if len(content) > limit:
            raise refuse_long(str(path), "the file")
        return tomllib.loads(content.decode())
    except (OSError, ValueError, RecursionError) as error:
        raise _toml_error(path, error) from None


def _toml_error(path: Path, error: Exception) -> BadFile:
    if isinstance(error, RecursionError):
        return BadFile(f"{path}: the TOML is nested too deeply", "see `recipes/` for examples")
    if isinstance(error, OSError):
        return BadFile(f"{path}: cannot be read ({error.strerror})", "give the path of a recipe")
    return BadFile(f"{path}: this is not TOML ({error})", "see `recipes/` for examples")


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
    return "\n".join(_format_lines(values, "")) + "\n"


def _format_lines(values: Mapping[str, Any], section: str) -> Iterator[str]:
    for key, value in values.items():
        if not isinstance(value, dict) and not _is_sections(value):
            yield f"{_format_key(key)} = {_format_value(value)}"
    for key, value in values.items():
        name = f"{section}{_format_key(key)}"
        if isinstance(value, dict):
            yield f"\n[{name}]"
            yield from _format_lines(value, f"{name}.")
        elif _is_sections(value):
            for part in value:
                yield f"\n[[{name}]]"
                yield from _format_lines(part, f"{name}.")


def _is_sections(value: object) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(part, dict) for part in value)


def _format_key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else _format_value(key)


def _format_value(value: object) -> str:
    """Return a scalar as JSON, which TOML reads; only U+007F needs an escape that JSON does not write."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
