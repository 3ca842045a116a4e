"""Reads JSON and refuses objects with duplicate keys."""

import json
from collections import Counter
from typing import Any

__all__ = ["DECODER", "DoubledKey", "load_json"]


class DoubledKey(ValueError):
    """A key stands twice in one object; reading on would keep the last."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the key {key!r} stands twice in one object")
        self.key = key


def load_json(text: str) -> Any:  # whatever JSON can hold; the readers check it
    """Return what a JSON text holds.

    Raises:
        DoubledKey: where an object has a key twice.
        ValueError: where it is no JSON, or has a number of thousands of digits.
        RecursionError: where it is nested too deeply.
    """
    return DECODER.decode(text)


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        n_by_key = Counter(key for key, _ in pairs)
        raise DoubledKey(next(key for key, number in n_by_key.items() if number > 1))
    return found


DECODER = json.JSONDecoder(object_pairs_hook=_without_doubles)
