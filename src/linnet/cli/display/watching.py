"""Progress of long work on standard error: bars on a terminal, elsewhere lines for a log."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

from linnet.cli.display.progress_log import ProgressLog

if TYPE_CHECKING:
    from linnet.training.history import EpochRow

__all__ = ["TrainingBar", "counting", "training_bar", "training_bars"]


class TrainingBar:
    """Shows updates, loss, speed, remaining time and the devel scores so far.

    Args:
        progress: the bar on a terminal; one that is disabled shows nothing.
        name: of the training.
        score: what the devel score is called.
        log: takes the same as lines where there is no terminal.
    """

    def __init__(
        self, progress: Progress, name: str = "training", score: str = "F1", *, log: ProgressLog | None = None
    ) -> None:
        self.progress, self.score, self.log = progress, score, log
        self.name, self.best = name, ""
        self.task = progress.add_task(name, total=None, loss="", rate="", best="")

    def rename(self, name: str) -> None:
        """Begin anew, for the next of several trainings."""
        self.name, self.best = name, ""
        self.progress.reset(self.task, description=name, loss="", rate="", best="")
        if not self.progress.disable:  # in a log every line has the name
            self.progress.console.print(name, highlight=False)

    def begin(self, n_steps: int, first_step: int) -> None:
        """Set the length of the bar."""
        self.progress.update(self.task, description=self.name, total=n_steps, completed=first_step)
        if self.log is not None:
            self.log.begin(self.name, n_steps, first_step)
            self.log.say(f"{self.name}: {n_steps - first_step:,} updates to make")

    def prepare(self, what: str, done: int, total: int) -> None:
        """Show how many bytes of the text are prepared, which comes before the training."""
        self.progress.update(self.task, description=what, completed=done, total=total)
        if self.log is not None:
            if self.log.what != what:
                self.log.begin(what, total // 1000, done // 1000)
            self.log.move(done // 1000, "kB")

    def step(self, step: int, loss: float, tokens_per_second: float) -> None:
        """Move the bar."""
        self.progress.update(
            self.task, completed=step, loss=f"loss {loss:.4f}", rate=f"{tokens_per_second:,.0f} tokens/s"
        )
        if self.log is not None:
            self.log.move(step, "updates", f"loss {loss:.4f}", self.best, f"{tokens_per_second:,.0f} tokens/s")

    def epoch(self, row: "EpochRow", *, is_best: bool) -> None:
        """Print the epoch above the bar."""
        score = "" if row.score is None else f"devel {self.score} {100 * row.score:.2f}{' (best)' * is_best}"
        devel_loss = "" if row.devel_loss is None else f"devel loss {row.devel_loss:.4f}  "
        speed = f"{row.seconds:.0f} s, {row.tokens_per_second:,.0f} tokens/s"
        best = f"best {self.score} {100 * row.score:.2f}" if is_best and row.score is not None else self.best
        self.print(f"epoch {row.epoch}: loss {row.loss:.4f}  {devel_loss}{score}  {speed}", best=best)

    def print(self, line: str, *, best: str) -> None:
        """Print a line above the bar or in the log, and keep the best score for those that follow."""
        self.best = best
        self.progress.update(self.task, best=best)
        if not self.progress.disable:
            self.progress.console.print(line, highlight=False)
        if self.log is not None:
            self.log.say(f"{self.name}, {line}")


@contextmanager
def training_bar(score: str = "F1") -> Iterator[TrainingBar]:
    """Give a watcher for the trainer, shown while the block runs, which calls the devel score so."""
    with training_bars() as watch:
        yield watch("training", score)


@contextmanager
def training_bars() -> Iterator[Callable[..., TrainingBar]]:
    """Give a function that makes a watcher for each of several trainings."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[loss]}"),
        TextColumn("{task.fields[rate]}"),
        TextColumn("{task.fields[best]}"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    is_first = os.environ.get("RANK", "0") == "0"  # of several processes only the first shows
    log = ProgressLog() if is_first and not console.is_terminal else None
    is_shown = console.is_terminal and is_first
    progress = Progress(*columns, console=console, disable=not is_shown, transient=True)
    with progress if is_shown else nullcontext():  # some versions of rich end with an empty line in a log, too
        yield partial(TrainingBar, progress, log=log)


class Counter:
    """Counts what has been done where nobody knows how much there is."""

    def __init__(self, progress: Progress, what: str, log: ProgressLog | None = None) -> None:
        self.progress, self.what, self.log = progress, what, log
        self.task = progress.add_task(what, total=None)
        self.share: float | None = None

    def __call__(self, number: int = 1) -> None:
        self.progress.advance(self.task, number)
        if self.log is not None:
            self.log.move(int(self.progress.tasks[0].completed), self.what, share=self.share)

    def read(self, share: float) -> None:
        """Take the share of the input that has been read."""
        self.share = share


@contextmanager
def counting(what: str) -> Iterator[Counter]:
    """Give a counter, shown while the block runs."""
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TextColumn("{task.completed:,.0f}"))
    log = None if console.is_terminal else ProgressLog()
    progress = Progress(*columns, console=console, disable=not console.is_terminal, transient=True)
    with progress if console.is_terminal else nullcontext():
        yield Counter(progress, what, log)
