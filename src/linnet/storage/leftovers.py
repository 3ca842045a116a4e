"""Removes the temporary files and folders that killed processes have left beside an output.

A temporary file or folder is locked (flock) while its process lives, so one that is not locked has no owner. On systems
without such locks (Windows, some network drives) nothing is removed.
"""

import os
import re
from contextlib import suppress
from pathlib import Path

from linnet.storage.removal import remove_remains

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ["remove_leftovers"]


def remove_leftovers(path: Path, *, folders: bool = False) -> None:
    """Remove the temporary files of an output that no living process owns.

    Args:
        path: of the output.
        folders: also remove folders. One of them may be the older output, moved aside when its process was killed; so
            call it when the new output has its name.
    """
    form = re.compile(rf"\.{re.escape(path.name)}\.(?:\d+|[a-z0-9_]{{8}})\.part")
    with suppress(OSError):  # they stay until the next time
        for entry in [each for each in path.parent.iterdir() if form.fullmatch(each.name) and not each.is_symlink()]:
            if entry.is_file() or (folders and entry.is_dir()):
                _remove_unowned(entry)


def _remove_unowned(part: Path) -> None:
    if fcntl is None:
        return
    descriptor = os.open(part, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if part.is_dir():
            remove_remains(part)
        else:
            part.unlink(missing_ok=True)
    except OSError:  # its process lives, or the drive has no locks
        return
    finally:
        os.close(descriptor)
