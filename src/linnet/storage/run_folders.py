"""Recognition of run folders by the recipe in them."""

from pathlib import Path

from linnet.errors import BadFile
from linnet.storage.files import resolve_path
from linnet.storage.toml import read_toml

__all__ = ["RECIPE", "is_run"]

RECIPE = "recipe.toml"


def is_run(folder: Path) -> bool:
    """Was this folder written by a run? If so, `output` in its recipe names the folder itself."""
    place = resolve_path(folder)
    if not (folder / RECIPE).is_file() or Path.cwd().is_relative_to(place):
        return False
    try:
        output = Path(str(read_toml(folder / RECIPE).get("output", "")))
        there = resolve_path(output)
    except BadFile:
        return False
    # a relative output was relative to the working directory of the run, which is not known
    is_end = bool(output.parts) and ".." not in output.parts and place.parts[-len(output.parts) :] == output.parts
    return there == place or is_end
