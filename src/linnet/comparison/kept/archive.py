"""File of kept runs: what finished runs predicted, with their settings and scores, in one compressed JSON object.

It has neither weights nor words of a corpus, so it is small and may be published where the texts may not. The gold
annotations of a test split are there once for all its runs. The file is the same, byte for byte, for the same runs.
"""

import gzip
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from math import inf
from pathlib import Path
from typing import Any

from linnet.errors import BadFile
from linnet.storage.files import new_binary_file, read_text
from linnet.storage.json_keys import load_json

__all__ = ["Archive", "KeptRun", "read_archive", "write_archive"]

FORMAT = 1
SURROGATE = re.compile("[\ud800-\udfff]")
REMEDY = "give a file that `linnet compare GRID --kept FILE` has written, or fetch it again"


@dataclass(frozen=True)
class KeptRun:
    """A finished run without weights and words."""

    place: dict[str, str]
    choice: dict[str, str]
    seed: int
    settings: dict[str, Any]  # all but folder, data and processors
    gold: str  # digest of the gold annotations
    predicted: dict[str, Any]
    files: dict[str, str]  # small files of the run folder, as they are
    epochs: list[str] = field(default_factory=list)  # lines of the history that have a devel score
    seconds: float | None = None  # that the training took
    split: str = "test"  # that was predicted
    links: dict[str, Any] = field(default_factory=dict)  # how its links were judged, for the metric `linked`

    @property
    def key(self) -> tuple[Any, ...]:
        """What the run is in its grid."""
        return (*sorted(self.place.items()), *sorted(self.choice.items()), self.seed)


@dataclass
class Archive:
    """The content of the file."""

    gold: dict[str, dict[str, Any]] = field(default_factory=dict)  # by digest
    runs: list[KeptRun] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)  # what others have put beside the runs; it stays

    def add_gold(self, shared: dict[str, Any]) -> str:
        """Add the gold annotations of a test split and return their digest."""
        digest = hashlib.sha256(_as_json(shared)).hexdigest()[:16]
        self.gold[digest] = shared
        return digest


def read_archive(path: Path) -> Archive:
    """Return the content of a file of kept runs.

    Raises:
        BadFile: if there is none, or it holds something else.
    """
    if not path.exists():
        raise BadFile(f"{path}: there is no such file", REMEDY)
    text = read_text(path)
    try:
        content = load_json(text)
        if not isinstance(content, dict) or content.pop("format", None) != FORMAT:
            raise ValueError(f"it is no file of kept runs of format {FORMAT}")
        runs = [_build_run(run) for run in content.pop("runs")]
        gold = content.pop("gold")
        if not _is_object(gold) or not all(map(_is_object, gold.values())):
            raise ValueError("`gold` is no object of objects")
        missing = {run.gold for run in runs} - gold.keys()
        if missing:
            raise ValueError(f"gold annotations are missing: {', '.join(sorted(missing))}")
    except (ValueError, TypeError, KeyError) as error:
        raise BadFile(f"{path}: kept runs cannot be read ({error})", REMEDY) from None
    return Archive(gold, runs, content)


def write_archive(path: Path, archive: Archive) -> None:
    """Write the file anew; the runs stand in the order of their seeds, places and choices."""
    runs = sorted(archive.runs, key=lambda run: (run.seed, sorted(run.place.items()), sorted(run.choice.items())))
    used = {run.gold for run in runs}
    content = {
        "format": FORMAT,
        **archive.more,
        "gold": {digest: archive.gold[digest] for digest in sorted(used)},
        "runs": [asdict(run) for run in runs],
    }
    packed = gzip.compress(_as_json(content), compresslevel=9, mtime=0)
    if path.is_file() and path.read_bytes() == packed:
        return
    with new_binary_file(path) as file:
        file.write(packed)


def _as_json(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def _build_run(found: Any) -> KeptRun:  # Any: of a JSON file
    """Return a run whose fields are as `write_archive` writes them, or raise ValueError or TypeError."""
    run = KeptRun(**found)
    for name, is_right in CHECKS.items():
        if not is_right(getattr(run, name)):
            raise ValueError(f"`{name}` of a run is {getattr(run, name)!r:.60}")
    return run


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_text(value: Any) -> bool:
    """Is this a text that can be written to a file, without half of a character?"""
    return isinstance(value, str) and not SURROGATE.search(value)


def _are_texts(value: Any) -> bool:
    return _is_object(value) and all(map(_is_text, value.values()))


def _are_epochs(value: Any) -> bool:
    """Are these lines of a history, each with an object?"""
    try:
        return isinstance(value, list) and all(_is_text(row) and _is_object(load_json(row)) for row in value)
    except ValueError:
        return False


def _is_duration(value: Any) -> bool:
    return value is None or (isinstance(value, float | int) and not isinstance(value, bool) and 0 <= value < inf)


CHECKS: Mapping[str, Callable[[Any], bool]] = {
    "place": _are_texts,
    "choice": _are_texts,
    "seed": lambda value: type(value) is int,
    "settings": _is_object,
    "gold": _is_text,
    "predicted": _is_object,
    "files": _are_texts,
    "epochs": _are_epochs,
    "seconds": _is_duration,
    "links": _is_object,
    "split": lambda value: value in ("devel", "test"),
}
