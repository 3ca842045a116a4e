"""A cache of prepared text that several runs share: a result is loaded if it is there, and else built under a lock.

Each result has a name with the fingerprint of everything it depends on. The run that builds a result locks the folder
until it is written. Meanwhile another run that has to build something is refused; a run that finds all it needs is not.
"""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from linnet.storage.files import writing
from linnet.storage.folder_lock import lock_folder
from linnet.storage.removal import remove_remains

__all__ = ["PREPARED_FOLDER", "compute_fingerprint", "load_or_build"]

VERSION = 1  # of the files; with another one everything is built again

# results under their fingerprints; incomplete tokenised text is continued, the rest is built again
PREPARED_FOLDER = re.compile(r"(?:cleaned|vocabulary|tokens)-[0-9a-f]{16}(?:\.part)?")
PARTIAL_FOLDER = re.compile(r"\.(?:cleaned|vocabulary)-[0-9a-f]{16}\.\w+\.part")

Result = TypeVar("Result")


def compute_fingerprint(*parts: Any) -> str:  # Any: JSON values
    """Return a fingerprint of the parts, to be used in a name."""
    return hashlib.sha256(json.dumps([VERSION, *parts]).encode()).hexdigest()[:16]


def load_or_build(place: Path, load: Callable[[Path], Result | None], build: Callable[[], Result]) -> Result:
    """Return the result at a place, or build it there while no other process can.

    Args:
        place: of the result, in the folder that runs share.
        load: returns the result, or None if it is missing or incomplete.
        build: writes the result to its place and returns it.

    Raises:
        BadFile: if another process is building in that folder, or it cannot be written.
    """
    result = load(place)
    if result is not None:
        return result
    with writing(place.parent):
        place.parent.mkdir(parents=True, exist_ok=True)
    with lock_folder(place.parent) as is_alone:
        result = load(place)  # another process may just have built it
        if result is not None:
            return result
        if is_alone:
            _remove_partial_folders(place.parent)
        return build()


def _remove_partial_folders(folder: Path) -> None:
    """Remove what killed processes have left; the caller must have locked the folder."""
    for part in folder.iterdir():
        if PARTIAL_FOLDER.fullmatch(part.name) and part.is_dir():
            remove_remains(part)
