"""Remembers which runs of a grid are under way, so that the log has attempts that are interrupted."""

import time
from collections.abc import Iterator

from linnet.comparison.identity import INTERRUPTED, LogEntry
from linnet.comparison.runner import GridWatcher

__all__ = ["AttemptWatcher"]


class AttemptWatcher:
    """Passes the progress of a grid on, and remembers the runs under way."""

    def __init__(self, watcher: GridWatcher) -> None:
        self.watcher = watcher
        self.started_at: dict[str, float] = {}

    def started(self, name: str) -> None:
        """Remember when a run has started."""
        self.started_at[name] = time.monotonic()
        self.watcher.started(name)

    def moved(self, name: str, share: float, score: float | None) -> None:
        """Pass the progress of a run on."""
        self.watcher.moved(name, share, score)

    def ended(self, entry: LogEntry) -> None:
        """Forget a run that has ended; the runner logs it."""
        self.started_at.pop(entry.name, None)
        self.watcher.ended(entry)

    def list_interrupted(self) -> Iterator[LogEntry]:
        """Yield an entry for each run that has started and not ended."""
        now = time.monotonic()
        for name, started in self.started_at.items():
            yield LogEntry(name, now - started, INTERRUPTED)
