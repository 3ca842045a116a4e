"""Reading of TOML files, and writing of plain values as TOML.

A file may have a megabyte, and a dotted key 20 parts: the time that long keys take grows with the square of their
length.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from linnet.errors import BadFile
from linnet.storage.sources import open_source

__all__ = ["parse_toml", "read_toml", "toml_text"]

Values = dict[str, Any]  # the content of a TOML file
MEGABYTE = 1_000_000
MOST_PARTS = 20  # of a key
PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
LONG_KEY = re.compile(rf"(?:^|[\[{{,])[ \t]*+(?:{PART}[ \t]*+\.[ \t]*+){{{MOST_PARTS}}}", re.MULTILINE)


def read_toml(path: Path) -> Values:
    """Return the content of a TOML file."""
    try:
        with open_source(path) as file:
            content = file.read(MEGABYTE + 1)
        if len(content) > MEGABYTE:
            raise BadFile(f"{path}: is longer than 1 MB, which no settings are", "give the path of a recipe")
        return parse_toml(content.decode())
    except (OSError, ValueError, RecursionError) as error:
        raise _toml_error(path, error) from None


def parse_toml(text: str) -> Values:
    """Return the content of a text in TOML.

    Raises:
        ValueError: where it is no TOML, has a number of thousands of digits or a key of too many parts.
        RecursionError: where it is nested too deeply.
    """
    if (found := LONG_KEY.search(text)) is not None:
        line = text.count("\n", 0, found.end()) + 1
        raise ValueError(f"the key in line {line} has more than {MOST_PARTS} parts")
    return tomllib.loads(text)


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
