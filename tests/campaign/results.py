"""Counts of a campaign, its defects, and the reproducers that are kept for them."""

import json
import random
import shutil
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Campaign", "Defect", "Tally", "format_table", "read_case", "rng_of"]

KEPT_OF_A_KIND = 3  # reproducers; further ones are counted
CASE = "case.json"
COLUMNS = ("part", "tried", "passed", "refused", "defects", "kinds", "seconds")


@dataclass(frozen=True)
class Defect:
    """A promise that was broken."""

    kind: str  # defects of one kind probably have one cause
    message: str
    case: Mapping[str, Any]  # what repeats it
    files: tuple[Path, ...] = ()  # files or folders to keep


@dataclass
class Tally:
    """What a part has tried, and how it ended."""

    tried: int = 0
    passed: int = 0
    refused: int = 0
    seconds: float = 0.0
    kinds: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    @property
    def defects(self) -> int:
        """How many defects there are, of all kinds."""
        return self.kinds.total()

    def add(self, other: "Tally") -> None:
        """Add the counts of another process."""
        self.tried += other.tried
        self.passed += other.passed
        self.refused += other.refused
        self.kinds += other.kinds
        self.notes += other.notes


@dataclass
class Campaign:
    """The seed, the time that is left to a part, the limits, and the folder of the reproducers."""

    seed: int
    keep: Path
    work: Path  # for temporary files; the caller removes it
    ends: float = 0.0  # of the current part, on the monotonic clock
    limits: Mapping[str, int] = field(default_factory=dict)  # the number of cases of a part
    workers: int = 2

    def has_time(self) -> bool:
        """Is there time for another case?"""
        return time.monotonic() < self.ends

    def is_wanted(self, part: str, number: int) -> bool:
        """Is this case (from 0) wanted, by the clock and by the limit?"""
        return self.has_time() and number < self.limits.get(part, number + 1)

    def record(self, tally: Tally, part: str, defect: Defect) -> None:
        """Count a defect and keep what repeats it, for the first ones of a kind."""
        tally.kinds[defect.kind] += 1
        if tally.kinds[defect.kind] > KEPT_OF_A_KIND:
            return
        name = "".join(letter if letter.isalnum() else "-" for letter in defect.kind)[:60]
        folder = self.keep / f"{part}-{name}-{defect.case.get('number', tally.kinds.total())}"
        folder.mkdir(parents=True, exist_ok=True)
        kept = []
        for path in defect.files:
            if path.is_dir():
                shutil.copytree(path, folder / path.name, dirs_exist_ok=True, symlinks=True)
            elif path.is_file():
                shutil.copyfile(path, folder / path.name)
            kept.append(path.name)
        case = {"part": part, "seed": self.seed, "kind": defect.kind, "files": kept, **defect.case}
        case["command"] = f"python -m tests.campaign --repeat {folder}"
        case["message"] = defect.message[-4000:]
        (folder / CASE).write_text(json.dumps(case, indent=2, default=str) + "\n", encoding="utf-8")


def rng_of(seed: int, *names: object) -> random.Random:
    """Return the random generator of one case, which depends on the seed and its names alone."""
    return random.Random(":".join(map(str, (seed, *names))))


def read_case(path: Path) -> tuple[dict[str, Any], Path]:
    """Return a kept case and its folder."""
    folder = path if path.is_dir() else path.parent
    found: dict[str, Any] = json.loads((folder / CASE).read_text(encoding="utf-8"))
    return found, folder


def format_table(tallies: Mapping[str, Tally]) -> str:
    """Return a table with a row for each part, then the kinds of defects."""
    rows = [COLUMNS]
    for part, tally in tallies.items():
        counts = (tally.tried, tally.passed, tally.refused, tally.defects, len(tally.kinds))
        rows.append((part, *(f"{count:,}" for count in counts), f"{tally.seconds:.0f}"))  # type: ignore[arg-type]
    lines = ["".join(f"{cell:>12}" if at else f"{cell:<10}" for at, cell in enumerate(row)) for row in rows]
    for part, tally in tallies.items():
        lines += [f"{part}: {note}" for note in tally.notes]
        lines += [f"{part}: defect, {number:,} times: {kind}" for kind, number in tally.kinds.most_common()]
    return "\n".join(lines)
