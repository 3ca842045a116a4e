"""Makes a file once for all processes of a test run: what takes seconds is not computed by each of them."""

import os
from collections.abc import Callable
from pathlib import Path

COMMON_FOLDER = "LINNET_TESTS_FOLDER"  # the variable with the folder that all processes of a test run share


def make_once(name: str, make: Callable[[Path], None]) -> Path:
    """Return the file of that name; the first process that asks for it makes it, and the others wait for it."""
    from filelock import FileLock  # comes with torch

    from tests import tiny

    path = Path(os.environ.get(COMMON_FOLDER) or tiny.workshop()) / name
    with FileLock(f"{path}.lock"):
        if not path.exists():
            part = path.with_name(f"{name}.part")
            make(part)
            part.rename(path)
    return path
