"""File of kept runs: what finished runs predicted, with their settings and scores, in one compressed JSON object.

It has neither weights nor words of a corpus, so it is small and may be published where the texts may not. The gold
annotations of a test split are there once for all its runs. The file is the same, byte for byte, for the same runs.
"""

import gzip
import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from linnet.errors import BadFile
from linnet.storage.files import new_binary_file
from linnet.storage.json_keys import load_json

__all__ = ["Archive", "KeptRun", "read_archive", "write_archive"]

FORMAT = 1
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
    links: dict[str, Any] = field(
        default_factory=dict
    )  # how its links were judged, for the metric `linked` and its kin

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
    try:
        content = load_json(gzip.decompress(path.read_bytes()).decode("utf-8"))
        if not isinstance(content, dict) or content.pop("format", None) != FORMAT:
            raise ValueError(f"it is no file of kept runs of format {FORMAT}")
        runs = [KeptRun(**run) for run in content.pop("runs")]
        gold = dict(content.pop("gold"))
        missing = {run.gold for run in runs} - gold.keys()
        if missing:
            raise ValueError(f"gold annotations are missing: {', '.join(sorted(missing))}")
    except FileNotFoundError:
        raise BadFile(f"{path}: there is no such file", REMEDY) from None
    except (OSError, EOFError, zlib.error, ValueError, TypeError, KeyError) as error:
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
