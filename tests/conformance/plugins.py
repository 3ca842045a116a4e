"""Packages outside of `linnet`: examples of the docs, announced by an entry point as an installer does."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from linnet.contracts import formats
from linnet.registry import Registry

__all__ = ["EXAMPLES", "FORMAT", "find_package", "install", "install_format"]

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
FORMAT, FORMAT_MODULE = "brackets", "own_format"


def install(folder: Path, module: str, group: str, entry_point: str) -> Path:
    """Install an example into a folder, announced by a line such as `name = module:OBJECT`."""
    shutil.copy(EXAMPLES / f"{module}.py", folder)
    facts = folder / f"{module}-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n", encoding="utf-8")
    (facts / "entry_points.txt").write_text(f"[{group}]\n{entry_point}\n", encoding="utf-8")
    return folder


@contextmanager
def find_package(site: Path, module: str, registry: Registry[Any]) -> Iterator[None]:
    """Let this process find the package, as one that starts now would, and forget it afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(site)
        patch.setattr(registry, "_entries", dict(registry._entries))
        patch.setattr(registry, "_is_filled", False)
        yield
    sys.modules.pop(module, None)


@contextmanager
def install_format(site: Path) -> Iterator[None]:
    """Install the format of docs/extending.md into a folder, for this process."""
    install(site, FORMAT_MODULE, formats.group, f"{FORMAT} = {FORMAT_MODULE}:BRACKETS")
    with find_package(site, FORMAT_MODULE, formats):
        yield
