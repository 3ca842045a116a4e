"""Reads JSON and refuses objects with duplicate keys."""

import json
from typing import Any

__all__ = ["DoubledKey", "load_json"]


class DoubledKey(Exception):
    """A key stands twice in one object; reading on would keep the last."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def load_json(text: str) -> Any:  # whatever JSON can hold; the readers check it
    """Return what a JSON text holds.

    Raises:
        DoubledKey: where an object has a key twice.
        ValueError: where it is no JSON.
        RecursionError: where it is nested too deeply.
    """
    return json.loads(text, object_pairs_hook=_without_doubles)


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise DoubledKey(next(key for key in keys if keys.count(key) > 1))
    return found
