"""Progress of long work as lines for a log: often in the first seconds, then every minute.

Used where standard error is no terminal, so that a file or a container's log shows what is done and what is left.
"""

import sys
import time
from collections.abc import Callable

from linnet.documents.counted import counted_units, estimated

__all__ = ["ProgressLog", "duration"]

FIRST_GAP = 3.0  # seconds between the first lines
LAST_GAP = 60.0  # seconds between the lines of long work
GROWTH = 0.2  # a gap is this share of the time that has passed


def write_to_log(line: str) -> None:
    """Print a line on standard error."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201 — commands print


class ProgressLog:
    """Writes how far a piece of work is, when it is time for another line.

    Args:
        write: takes each line.
        clock: tells the seconds.
    """

    def __init__(
        self, write: Callable[[str], None] = write_to_log, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.write, self.clock = write, clock
        self.opened = self.last = clock()  # the gaps grow with all that the command has done
        self.begin("")

    def begin(self, what: str, total: int | None = None, first: int = 0) -> None:
        """Begin a piece of work; rates and the time left are counted from here."""
        self.what, self.total, self.first, self.began = what, total, first, self.clock()

    @property
    def is_due(self) -> bool:
        """Is it time for another line?"""
        now = self.clock()
        return now - self.last >= min(LAST_GAP, max(FIRST_GAP, GROWTH * (now - self.opened)))

    def move(self, done: int, unit: str, *details: str, share: float | None = None) -> None:
        """Write how much is done, how fast it goes and what is left, where a line is due; arguments as of `state`."""
        if self.is_due:
            self.say(self.state(done, unit, *details, share=share))

    def state(self, done: int, unit: str, *details: str, share: float | None = None, is_exact: bool = True) -> str:
        """Return how much is done, how fast it goes and what is left.

        Args:
            done: how many units, with those from before.
            unit: what is counted, in the plural.
            details: what else there is to say, such as the loss.
            share: of the whole that is done, where the number of units is not known.
            is_exact: is the number of all units known, or estimated?
        """
        seconds = max(self.clock() - self.began, 1e-9)
        if self.total:
            share = done / self.total
        about = "" if is_exact else "about "
        total = self.total if is_exact or not self.total else estimated(self.total)
        count = (
            f"{done:,}/{about}{counted_units(total, unit)} ({share:.0%})"
            if total and share is not None
            else counted_units(done, unit)
        )
        before = self.first / self.total if self.total else 0.0
        parts = [f"{self.what}: {count}" if self.what else count, *details]
        parts.append(f"{(done - self.first) / seconds:,.1f} {unit}/s")
        if share is not None and not self.total:
            parts.append(f"{share:.0%} of the input")
        if share is not None and share > before:
            parts.append(f"about {duration(seconds * (1 - share) / (share - before))} left")
        return ", ".join(part for part in parts if part)

    def say(self, line: str) -> None:
        """Write a line now; the next one about progress is due after the usual gap."""
        self.last = self.clock()
        self.write(line)


def duration(seconds: float) -> str:
    """Return a length of time in the unit that suits it.

    >>> duration(42.3), duration(400), duration(40_000), duration(4_000_000)
    ('42 s', '7 min', '11.1 h', '46 days')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    hours = seconds / 3600
    return f"{hours:.1f} h" if hours < 72 else f"{hours / 24:.0f} days"
