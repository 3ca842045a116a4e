"""Which runs of a grid are done, and were they made with the data that are there now?

A run's folder is named after its recipe and Linnet's version, so a run that is found is the one that is wanted, except
for its data: their fingerprints are kept beside the runs and looked at before anything is trained.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from linnet.compare.grid import Grid, PlannedRun
from linnet.contracts import ReadOptions
from linnet.errors import BadFile
from linnet.files import new_file
from linnet.formats.corpus import Corpus, read_corpus
from linnet.models.artifact import read_facts

__all__ = ["Log", "LogEntry", "check_data", "read_grid_corpora", "remember_data"]

DATA, LOG = "data.json", "log.jsonl"
Fingerprints = dict[str, str]  # by split


@dataclass(frozen=True)
class LogEntry:
    """How one attempt at a run ended."""

    name: str
    seconds: float
    error: str | None = None
    details: str = ""  # the whole traceback, where there is one


class Log:
    """How the attempts at a grid's runs ended, in a file beside them; the last entry of a run counts."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / LOG
        self.entries: dict[str, LogEntry] = {}
        if self.path.is_file():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                if line.endswith("}"):  # one that was cut off when the process ended says nothing
                    entry = LogEntry(**json.loads(line))
                    self.entries[entry.name] = entry

    def add(self, entry: LogEntry) -> None:
        """Keep an entry."""
        self.entries[entry.name] = entry
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(vars(entry), ensure_ascii=False) + "\n")


def read_grid_corpora(grid: Grid) -> dict[str, Corpus]:
    """Return the corpora of a grid by path, found but not yet read.

    Raises:
        BadFile: where one is missing or broken, before anything is trained.
    """
    found: dict[str, Corpus] = {}
    for run in grid.runs:
        settings = run.settings
        if settings.data not in found:
            options = ReadOptions(label=settings.label)
            found[settings.data] = read_corpus(settings.data, format=settings.format, options=options)
    return found


def check_data(grid: Grid, corpora: Mapping[str, Corpus]) -> None:
    """Refuse runs that were made with other data under the same name."""
    now, before = _now(corpora), _before(grid)
    changed = sorted(data for data in now if data in before and before[data] != now[data])
    other = [run.name for run in grid.runs if run.is_finished and _fingerprints(run) != now[run.settings.data]]
    if changed or other:
        what = [
            f"{data} was another corpus then ({', '.join(_differing(before[data], now[data]))})" for data in changed
        ]
        shown = ", ".join(other[:5]) + (f" and {len(other) - 5} more" if len(other) > 5 else "")
        raise BadFile(
            f"{grid.output}: holds runs that were made with other data: "
            + "; ".join([*what, *([shown] * bool(other))]),
            "put the old data back, remove those runs with their data.json, or give another folder (`--output`)",
        )


def remember_data(grid: Grid, corpora: Mapping[str, Corpus]) -> None:
    """Keep the fingerprints of the data that runs are about to be made with."""
    with new_file(grid.output / DATA) as file:
        json.dump({**_before(grid), **_now(corpora)}, file, indent=2)
        file.write("\n")


def _now(corpora: Mapping[str, Corpus]) -> dict[str, Fingerprints]:
    return {
        path: {name: split.fingerprint for name, split in corpus.splits.items()} for path, corpus in corpora.items()
    }


def _before(grid: Grid) -> dict[str, Fingerprints]:
    path = grid.output / DATA
    if not path.is_file():
        return {}
    try:
        found: dict[str, Fingerprints] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadFile(f"{path}: is broken ({error})", "remove it; it is written again") from None
    return found


def _fingerprints(run: PlannedRun) -> Fingerprints:
    return dict(read_facts(run.folder).fingerprints)


def _differing(before: Fingerprints, now: Fingerprints) -> list[str]:
    return sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
