"""Log of a grid's runs, and checks by fingerprint that its corpora have not changed.

The folder of a run is named after its recipe and Linnet's version, so a finished run with the right name has the right
settings. Its data may have changed since, so the fingerprints of the corpora are kept beside the runs and checked
before anything is trained.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from linnet.comparison.grid import Grid, PlannedRun
from linnet.contracts import CorpusFacts
from linnet.errors import BadFile, BadSetting
from linnet.models.model_folder import read_facts
from linnet.storage.files import new_file
from linnet.storage.json_keys import load_json
from linnet.training.run_folder import open_run

__all__ = ["DATA", "INTERRUPTED", "Log", "LogEntry", "check_data", "check_test_splits", "find_unlogged", "record_data"]

INTERRUPTED = "interrupted"  # in place of an error
DATA, LOG = "data.json", "log.jsonl"
MOST_NAMES = 5  # of runs in a message
Fingerprints = dict[str, str]  # by split


@dataclass(frozen=True)
class LogEntry:
    """Duration and error of one attempt at a run."""

    name: str
    seconds: float
    error: str | None = None
    details: str = ""  # the traceback of an unexpected error

    @property
    def is_interrupted(self) -> bool:
        """Was the grid interrupted while this run was under way? The next start goes on with it."""
        return self.error == INTERRUPTED


class Log:
    """The log file of a grid: an entry for each attempt at a run, of which the last one counts."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / LOG
        self.entries: dict[str, LogEntry] = {}
        text = self.path.read_text(encoding="utf-8", errors="replace") if self.path.is_file() else ""
        for line in text.split("\n")[:-1]:
            entry = _parse_entry(line)
            if entry is not None:
                self.entries[entry.name] = entry
        self._is_cut_off = bool(text) and not text.endswith("\n")

    def add(self, entry: LogEntry) -> None:
        """Append an entry to the file."""
        self.entries[entry.name] = entry
        line = json.dumps(vars(entry), ensure_ascii=False) + "\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write("\n" * self._is_cut_off + line)
        except OSError as error:
            raise BadFile(
                f"{self.path}: cannot be written ({error.strerror})", "check the permissions and the space left"
            ) from None
        self._is_cut_off = False


def find_unlogged(grid: Grid, log: Log) -> list[LogEntry]:
    """Return the entries of finished runs that the log lacks: the grid was killed between their end and their entry."""
    found = []
    for run in grid.runs:
        entry = log.entries.get(run.name)
        if run.is_finished and (entry is None or entry.error is not None):
            seconds = open_run(run.folder).metrics.get("seconds")
            found += [LogEntry(run.name, seconds)] if isinstance(seconds, int | float) else []
    return found


def _parse_entry(line: str) -> LogEntry | None:
    """Return the entry of a line; None where the line was cut off when a process was killed, or is damaged."""
    try:
        entry = LogEntry(**load_json(line))
    except (ValueError, TypeError):
        return None
    is_whole = isinstance(entry.name, str) and isinstance(entry.seconds, int | float)
    return entry if is_whole and isinstance(entry.error, str | None) and isinstance(entry.details, str) else None


def check_test_splits(grid: Grid, corpora: Mapping[str, CorpusFacts]) -> None:
    """Refuse corpora without the split that is judged on, and choices with different ones at one place."""
    split = grid.split
    without = sorted(
        {run.settings.data for run in grid.runs if split not in corpora[run.settings.corpus_key].fingerprints}
    )
    if without:
        raise BadSetting(
            f"{grid.path}: no {split} split in {', '.join(without)}", f"compare on corpora that have a {split} split"
        )
    at_place: dict[tuple[str, ...], dict[str, str]] = {}
    for run in grid.runs:
        data = run.settings.data
        tests = at_place.setdefault(tuple(run.place.values()), {})
        tests.setdefault(corpora[run.settings.corpus_key].fingerprints[split], data)
        if len(tests) > 1:
            raise BadSetting(
                f"{grid.path}: {' and '.join(tests.values())} are compared, but have different {split} splits",
                f"give them the same {split} file, or make the corpora conditions: leave their axis out of `baseline`",
            )


def check_data(grid: Grid, corpora: Mapping[str, CorpusFacts]) -> None:
    """Refuse runs that were made with other data under the same name."""
    now, before = _current_fingerprints(corpora), _recorded_fingerprints(grid)
    changed = {
        data: _differing_splits(before[data], now[data]) for data in now if before.get(data, now[data]) != now[data]
    }
    runs_by_data: dict[str, list[str]] = {}
    for run in grid.runs:
        data = run.settings.corpus_key
        differing = _differing_splits(_fingerprints(run), now[data]) if run.is_finished else []
        if differing:
            changed.setdefault(data, differing)
            runs_by_data.setdefault(data, []).append(run.name)
    if changed:
        changes = [
            f"{data} was another corpus then ({', '.join(changed[data])}){_name_runs(runs_by_data.get(data, []))}"
            for data in sorted(changed)
        ]
        raise BadFile(
            f"{grid.output}: holds runs that were made with other data: {'; '.join(changes)}",
            f"put the old data back, remove those runs and {DATA}, or give another folder (`--output`)",
        )


def record_data(grid: Grid, corpora: Mapping[str, CorpusFacts]) -> None:
    """Write the fingerprints of the corpora beside the runs, before the runs are made."""
    with new_file(grid.output / DATA) as file:
        json.dump({**_recorded_fingerprints(grid), **_current_fingerprints(corpora)}, file, indent=2)
        file.write("\n")


def _current_fingerprints(corpora: Mapping[str, CorpusFacts]) -> dict[str, Fingerprints]:
    return {path: dict(corpus.fingerprints) for path, corpus in corpora.items()}


def _recorded_fingerprints(grid: Grid) -> dict[str, Fingerprints]:
    path = grid.output / DATA
    if not path.is_file():
        return {}
    try:
        fingerprints: dict[str, Fingerprints] = load_json(path.read_text(encoding="utf-8"))
        if not isinstance(fingerprints, dict) or not all(isinstance(each, dict) for each in fingerprints.values()):
            raise ValueError("these are no fingerprints of corpora")
    except ValueError as error:
        raise BadFile(f"{path}: is broken ({error})", "remove it; it is written again") from None
    return fingerprints


def _fingerprints(run: PlannedRun) -> Fingerprints:
    return dict(read_facts(run.folder).fingerprints)


def _differing_splits(before: Fingerprints, now: Fingerprints) -> list[str]:
    return sorted(name for name in {*before, *now} if before.get(name) != now.get(name))


def _name_runs(names: list[str]) -> str:
    if not names:
        return ""
    more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
    return f" for {', '.join(names[:MOST_NAMES])}{more}"
