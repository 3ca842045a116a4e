"""What do short names on the command line and in Python stand for?"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["in_sections"]

SECTIONS = {"vocab": "vocabulary.train", "extend": "vocabulary.extend"}


def in_sections(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return given settings with budget, vocabulary and texts where `PretrainSettings` has them.

    >>> in_sections({"hours": 2, "vocab": 8000, "texts": "a.txt", "steps": None})
    {'texts': ['a.txt'], 'budget': {'hours': 2}, 'vocabulary.train': 8000}
    """
    found = {key: value for key, value in given.items() if value is not None}
    found = {key: str(value) if isinstance(value, Path) else value for key, value in found.items()}
    texts = found.get("texts")
    if isinstance(texts, str):
        found["texts"] = [texts]
    elif isinstance(texts, list | tuple):
        found["texts"] = [str(each) if isinstance(each, Path) else each for each in texts]
    budget = {key: found.pop(key) for key in ("steps", "tokens", "hours") if key in found}
    if budget:
        found["budget"] = budget  # takes the place of the recipe's
    for short, name in SECTIONS.items():
        if short in found:
            found[name] = found.pop(short)
    return found
