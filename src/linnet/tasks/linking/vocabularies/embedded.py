"""Finds vocabularies by name: a folder, or `demo`, the vocabulary of the demo corpus that comes with Linnet.

`demo` is built from its table when a process first asks for it, which takes a fraction of a second; the same table
always gives the same bytes. `demo/SOURCE.md` names its source.
"""

import atexit
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import mkdtemp

from linnet.storage.removal import remove_remains

__all__ = ["DEMO", "find_vocabulary", "lasting_place"]

DEMO = "demo"


def find_vocabulary(place: str | Path) -> Path:
    """Return the folder of a vocabulary; a folder of that name comes before `demo`."""
    if str(place) == DEMO and not Path(place).exists():
        return _build_demo()
    return Path(place)


def lasting_place(folder: Path) -> str:
    """Return where a later process finds the vocabulary of a folder: its whole path, or `demo`."""
    return DEMO if _build_demo.cache_info().currsize and folder == _build_demo() else str(folder.resolve())


@cache
def _build_demo() -> Path:
    from linnet.tasks.linking.vocabularies.building import build_vocabulary

    table = Path(str(files("linnet") / "tasks" / "linking" / "vocabularies" / DEMO / "mesh.tsv"))
    folder = Path(mkdtemp(prefix="linnet-demo-"))
    atexit.register(remove_remains, folder)
    return build_vocabulary([table], folder / DEMO).folder
