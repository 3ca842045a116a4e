"""Reads JSON; duplicate keys and deep nesting are errors in the value, as broken JSON is."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from linnet.errors import BadFile

__all__ = ["DECODER", "DoubledKey", "NestedTooDeeply", "iterate_strings", "load_json", "read_object"]


class DoubledKey(ValueError):
    """A key stands twice in one object; reading on would keep the last."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the key {key!r} stands twice in one object")
        self.key = key


class NestedTooDeeply(ValueError):
    """Brackets are nested more deeply than Python's stack allows."""

    def __init__(self) -> None:
        super().__init__("the JSON is nested too deeply")


def load_json(text: str) -> Any:  # whatever JSON can hold; the readers check it
    """Return what a JSON text holds.

    Raises:
        DoubledKey: where an object has a key twice.
        NestedTooDeeply: where it has thousands of brackets inside each other.
        ValueError: where it is no JSON, or has a number of thousands of digits; both of the above are one.
    """
    try:
        return DECODER.decode(text)
    except RecursionError:
        raise NestedTooDeeply from None


def read_object(path: Path, remedy: str) -> dict[str, Any]:
    """Return the object that a JSON file of ours holds.

    Raises:
        BadFile: with this remedy, where the file holds something else.
    """
    try:
        found = load_json(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadFile(f"{path}: this is not JSON ({error})", remedy) from None
    if not isinstance(found, dict):
        raise BadFile(f"{path}: this is no JSON object", remedy)
    return found


def iterate_strings(value: Any) -> Iterator[str]:  # any JSON value
    """Yield every string of a decoded value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from iterate_strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from iterate_strings(item)


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        n_by_key = Counter(key for key, _ in pairs)
        raise DoubledKey(next(key for key, number in n_by_key.items() if number > 1))
    return found


DECODER = json.JSONDecoder(object_pairs_hook=_without_doubles)
