"""How do runs that share a folder of prepared text find what is there, and never write it at the same time?

What is prepared stands under a fingerprint of all that it depends on. Whoever makes something holds the folder until it
is there; another run that wants to make something is refused meanwhile, one that finds all it needs is not.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from linnet.storage.files import writing
from linnet.storage.folder_lock import lock_folder

__all__ = ["IS_KEPT", "digest_of", "found_or_made"]

VERSION = 1  # of what is written; another one makes everything anew

# what stands under a fingerprint; tokenised text that is not all there goes on, the rest is made anew
IS_KEPT = re.compile(r"(?:cleaned|vocabulary|tokens)-[0-9a-f]{16}(?:\.part)?")
HALF_MADE = re.compile(r"\.(?:cleaned|vocabulary)-[0-9a-f]{16}\.\w+\.part")

Made = TypeVar("Made")


def digest_of(*parts: Any) -> str:  # Any: whatever JSON can hold
    """Return a fingerprint of the parts, for a name."""
    return hashlib.sha256(json.dumps([VERSION, *parts]).encode()).hexdigest()[:16]


def found_or_made(place: Path, find: Callable[[Path], Made | None], make: Callable[[], Made]) -> Made:
    """Return what stands at this place, or else make it while no other process can.

    Args:
        place: of the result, in the folder that runs share.
        find: returns what is there, None where it is not, or not whole.
        make: puts it there.

    Raises:
        BadFile: where another process is making something in that folder, or it cannot be written.
    """
    found = find(place)
    if found is not None:
        return found
    with writing(place.parent):
        place.parent.mkdir(parents=True, exist_ok=True)
    with lock_folder(place.parent) as is_alone:
        found = find(place)  # the process that held the folder may just have made it
        if found is not None:
            return found
        if is_alone:
            _sweep(place.parent)
        return make()


def _sweep(folder: Path) -> None:
    """Remove what processes have left that were killed; the caller is alone in the folder."""
    for part in folder.iterdir():
        if HALF_MADE.fullmatch(part.name) and part.is_dir():
            shutil.rmtree(part, ignore_errors=True)
