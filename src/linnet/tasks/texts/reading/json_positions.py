"""Line numbers of the ids of a JSON file, and the refusal of duplicate ids."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linnet.errors import BadFile
from linnet.storage.files import read_text
from linnet.storage.json_keys import DoubledKey, NestedTooDeeply, load_json

__all__ = ["IDS", "KEYS", "JsonFile", "read_json", "refuse_duplicate"]

IDS = re.compile(r'"id"\s*:\s*"([^"\\]+)"')  # "id": "4f2"
KEYS = re.compile(r'"([^"\\]+)"\s*:')  # "21645374": ...


@dataclass(frozen=True)
class JsonFile:
    """What a JSON file holds, and the lines on which its ids stand."""

    path: Path
    content: Any  # whatever JSON can hold; its readers check it
    lines: Mapping[str, list[int]]

    def place(self, name: str, nth: int = 0) -> str:
        """Return file:line of an id, where it stands for the nth time (from 0); the file alone if it is not found."""
        lines = self.lines.get(name, [])
        return f"{self.path}:{lines[nth]}" if nth < len(lines) else str(self.path)


def read_json(path: Path, ids: re.Pattern[str]) -> JsonFile:
    """Return what a JSON file holds.

    Args:
        path: of the file.
        ids: `IDS` or `KEYS`: what the names look like whose lines are wanted.

    Raises:
        BadFile: where it is no JSON, or an object has a key twice, of which one would be lost.
    """
    text = read_text(path)
    lines: dict[str, list[int]] = {}
    number, seen = 1, 0
    for found in ids.finditer(text):
        number, seen = number + text.count("\n", seen, found.start()), found.start()
        lines.setdefault(found[1], []).append(number)
    try:
        content = load_json(text)
    except json.JSONDecodeError as error:
        raise BadFile(f"{path}:{error.lineno}: broken JSON ({error.msg})", "give one whole JSON object") from None
    except DoubledKey as double:
        pattern = re.escape(json.dumps(double.key, ensure_ascii=False)) + r"\s*:"
        at = [line + 1 for line, each in enumerate(text.split("\n")) for _ in re.finditer(pattern, each)]
        where = f" (lines {at[0]} and {at[1]})" if len(at) == 2 else ""  # others would belong to other objects
        raise BadFile(f"{path}: {double}{where}", "keep one of them, or rename one") from None
    except NestedTooDeeply:
        raise BadFile(f"{path}: the JSON is nested too deeply", "give a BioASQ, SQuAD or PubMedQA file") from None
    except ValueError as error:  # a number of thousands of digits
        raise BadFile(f"{path}: unreadable JSON ({error})", "give a BioASQ, SQuAD or PubMedQA file") from None
    return JsonFile(path, content, lines)


def refuse_duplicate(seen: dict[str, str], name: str, place: str, what: str = "id") -> None:
    """Remember where an id stands.

    Raises:
        BadFile: with both places where it stood somewhere before.
    """
    if name in seen:
        raise BadFile(f"{place}: the {what} {name!r} stands at {seen[name]} already", "keep one of them, or rename one")
    seen[name] = place
