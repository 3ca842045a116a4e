"""Progress of a grid on standard error: a live table on a terminal, elsewhere lines for a log."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from linnet.cli.display.printing import new_table
from linnet.cli.display.progress_log import ProgressLog, duration

if TYPE_CHECKING:
    from linnet.comparison.budget import Budget
    from linnet.comparison.grid import Grid
    from linnet.comparison.identity import LogEntry

__all__ = ["GridTable", "grid_table"]

MOST_ENDED = 8  # of the runs that ended, shown above the bar
MOST_RUNNING = 16  # of those under way; a cluster gets all of them at once
SHARE_TO_JUDGE = 0.05  # of the updates of a run that was scored on devel; fewer say little about its speed
MOST_DONE = 0.95  # share of a run under way: after its last update, test is scored
SHARE_WITHOUT_DEVEL = 0.25  # of one that was not: scoring takes time, too


class Running(NamedTuple):
    """How far a run is that is under way."""

    started: float
    share: float  # of its updates
    best: float | None  # devel score
    since: float | None = None  # when this process heard of its first updates
    first: float = 0.0  # the share at that time; a resumed run begins with more than none


class GridTable:
    """Shows which runs are under way, which ended with which score, and when all will be done."""

    def __init__(self, grid: "Grid", budget: "Budget") -> None:
        self.folder_of = {run.name: run.folder for run in grid.runs}
        self.split = grid.split
        self.n_left, self.workers = budget.n_left, max(1, min(budget.workers, budget.n_left))
        self.waiting = dict(budget.expected)  # those that did not end, and how long each is expected to take
        self.running: dict[str, Running] = {}
        self.ended_rows: list[tuple[str, str, str]] = []
        self.took: list[tuple[float, float | None]] = []  # seconds of those that ended well, and what was expected
        self.began = time.monotonic()
        columns = (TextColumn("runs"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rest]}"))
        self.progress = Progress(*columns)
        self.task = self.progress.add_task("runs", total=self.n_left, rest="")

    def started(self, name: str) -> None:
        """Show a run that was begun."""
        self.running[name] = Running(time.monotonic(), 0.0, None)

    def moved(self, name: str, share: float, score: float | None) -> None:
        """Show how far a run is."""
        run, now = self.running[name], time.monotonic()
        begun = {"since": now, "first": share} if run.since is None else {}
        self.running[name] = run._replace(share=share, best=score, **begun)

    def ended(self, entry: "LogEntry") -> None:
        """Show how a run ended."""
        self.running.pop(entry.name, None)
        expected = self.waiting.pop(entry.name, None)
        self.took += [(entry.seconds, expected)] if entry.error is None else []
        self.ended_rows.append((entry.name, self._score(entry), f"{entry.seconds:.0f} s"))
        self.progress.update(self.task, completed=self.n_ended, rest=self.rest())

    @property
    def n_ended(self) -> int:
        """How many runs ended, well or not."""
        return self.n_left - len(self.waiting)

    def rest(self) -> str:
        """Return when all will be done, from what was expected of the runs and how long they take in fact."""
        pace = self._pace()
        passed, made = time.monotonic() - self.began, sum(seconds for seconds, _ in self.took)
        typical = made / len(self.took) if self.took else None
        left = 0.0
        for name, expected in self.waiting.items():
            seconds = typical if expected is None else pace * expected
            if seconds is None:
                return ""
            left += seconds * (1 - min(self.running[name].share, MOST_DONE) if name in self.running else 1.0)
        at_a_time = max(self.workers, made / max(passed, 1e-9))  # a cluster makes more than we know
        return f"about {duration(left / at_a_time)} left"

    def _pace(self) -> float:
        """Return how many times as long as expected the runs take: those that ended, and those under way so far."""
        now = time.monotonic()
        done = [(seconds, expected) for seconds, expected in self.took if expected is not None]
        for name, run in self.running.items():
            expected = self.waiting.get(name)
            least = SHARE_WITHOUT_DEVEL if run.best is None else SHARE_TO_JUDGE
            if expected is not None and run.since is not None and run.share - run.first >= least:
                done.append((now - run.since, (run.share - run.first) * expected))
        return sum(seconds for seconds, _ in done) / sum(expected for _, expected in done) if done else 1.0

    def _score(self, entry: "LogEntry") -> str:
        if entry.error is not None:
            return f"failed: {entry.error.splitlines()[0][:60]}"
        from linnet.training.run_folder import open_run

        return _describe_score(open_run(self.folder_of[entry.name]).metrics, self.split)

    def __rich__(self) -> RenderableType:
        self.progress.update(self.task, rest=self.rest())
        table: Table = new_table("", "run", "state", "time")
        for row in self.ended_rows[-MOST_ENDED:]:
            table.add_row(*row)
        for name, run in list(self.running.items())[:MOST_RUNNING]:
            table.add_row(
                name, f"{run.share:.0%}{_devel(run)}", f"{time.monotonic() - run.started:.0f} s", style="bold"
            )
        if len(self.running) > MOST_RUNNING:
            table.add_row(f"and {len(self.running) - MOST_RUNNING:,} more", "", "")
        return Group(table, self.progress)


class GridLines(GridTable):
    """The same where there is no terminal: a line for each run that ended, and now and then what is under way."""

    def __init__(self, log: ProgressLog, grid: "Grid", budget: "Budget") -> None:
        super().__init__(grid, budget)
        self.log = log

    def moved(self, name: str, share: float, score: float | None) -> None:
        """Print how far the runs are, where a line is due."""
        super().moved(name, share, score)
        if self.log.is_due:
            running = list(self.running.items())
            states = [f"{each} {run.share:.0%}{_devel(run)}" for each, run in running[:MOST_RUNNING]]
            states += [f"and {len(running) - MOST_RUNNING:,} more"] * (len(running) > MOST_RUNNING)
            self.log.say(
                ", ".join(filter(None, [f"[{self.n_ended}/{self.n_left}] running: {'; '.join(states)}", self.rest()]))
            )

    def ended(self, entry: "LogEntry") -> None:
        """Print how a run ended."""
        super().ended(entry)
        name, state, seconds = self.ended_rows[-1]
        count = f"[{self.n_ended}/{self.n_left}]"
        line = ", ".join(part for part in (f"{count} {name}: {state}", seconds, self.rest()) if part)
        self.log.say(line)


def _describe_score(metrics: dict[str, Any], split: str) -> str:
    """Return the main score of a run on the split that is compared, or on the split that it has scores for."""
    found = metrics.get(split) if split != metrics.get("split") else None
    scored = split if found else metrics.get("split")
    if not scored:
        return ""
    found = found or metrics
    return f"{scored} {100 * found['scores'][metrics['metric']]['value']:.2f}"


def _devel(run: Running) -> str:
    return "" if run.best is None else f", devel {100 * run.best:.2f}"


@contextmanager
def grid_table(grid: "Grid", budget: "Budget") -> Iterator[GridTable]:
    """Give a watcher for the grid's runner, shown while the block runs."""
    console = Console(stderr=True, highlight=False, markup=False, emoji=False)  # an error may hold [brackets]
    if not console.is_terminal:
        yield GridLines(ProgressLog(), grid, budget)
        return
    shown = GridTable(grid, budget)
    with Live(shown, console=console, refresh_per_second=2):
        yield shown
