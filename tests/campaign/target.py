"""A target of fuzzing: a reader with valid files and an independent count."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.campaign.counts import Held

__all__ = ["Contradiction", "Target"]


class Contradiction(Exception):
    """A file that was read whole, and not all of it is there."""


@dataclass(frozen=True)
class Target:
    """A reader with valid files, a function that reads one, and an independent count where there is one."""

    name: str
    suffix: str
    files: tuple[bytes, ...]
    read: Callable[[Path], Held | None]
    count: Callable[[bytes], Held | None] | None = None
