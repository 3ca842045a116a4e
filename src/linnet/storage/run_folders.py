"""Which folders were made by a run?"""

from pathlib import Path

from linnet.errors import BadFile
from linnet.storage.toml import read_toml

__all__ = ["RECIPE", "is_run"]

RECIPE = "recipe.toml"


def is_run(folder: Path) -> bool:
    """Was this folder made by a run? Its recipe then names the folder itself, which that of a project does not."""
    place = folder.resolve()
    if not (folder / RECIPE).is_file() or Path.cwd().is_relative_to(place):
        return False
    try:
        named = Path(str(read_toml(folder / RECIPE).get("output", "")))
    except BadFile:
        return False
    is_behind = bool(named.parts) and ".." not in named.parts and place.parts[-len(named.parts) :] == named.parts
    return named.resolve() == place or is_behind  # relative to where the run was started, wherever that was
