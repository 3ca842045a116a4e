"""Progress of long work on standard error: bars on a terminal, elsewhere lines for a log."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from linnet.cli.display.progress_log import ProgressLog
from linnet.documents.counted import counted

if TYPE_CHECKING:
    from linnet.training.history import EpochRow

__all__ = ["TrainingBar", "counting", "training_bar", "training_bars"]

FINDS_BETWEEN_UPDATES = 32  # of the bar, while documents are read


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
        self.is_begun = False
        self.task = progress.add_task(name, total=None, loss="", rate="", best="")

    def rename(self, name: str) -> None:
        """Begin anew, for the next of several trainings."""
        self.name, self.best = name, ""
        self.progress.reset(self.task, description=name, loss="", rate="", best="")
        if not self.progress.disable:  # in a log every line has the name
            self.progress.console.print(name, highlight=False)

    def begin(self, n_steps: int, first_step: int) -> None:
        """Set the length of the bar."""
        self.is_begun = True
        self.progress.update(self.task, description=self.name, total=n_steps, completed=first_step)
        if self.log is not None:
            self.log.begin(self.name, n_steps, first_step)
            self.log.say(f"{self.name}: {counted(n_steps - first_step, 'update')} to make")

    def prepare(self, what: str, done: int, total: int, units: str) -> None:
        """Show how much of something is prepared before the training."""
        self.progress.update(self.task, description=what, completed=done, total=total)
        if self.log is not None:
            if self.log.what != what:
                self.log.begin(what, total, done)
            self.log.move(done, units)

    def step(self, step: int, loss: float, tokens_per_second: float) -> None:
        """Move the bar."""
        self.progress.update(
            self.task, completed=step, loss=f"loss {loss:.4f}", rate=f"{tokens_per_second:,.0f} tokens/s"
        )
        if self.log is not None:
            self.log.move(step, "updates", f"loss {loss:.4f}", self.best, f"{tokens_per_second:,.0f} tokens/s")

    def predict(self, n_batches: int, n_all: int) -> None:
        """Show how far the predictions for devel or test are, once the training has begun."""
        if not self.is_begun:
            return
        self.progress.update(self.task, rate=f"predicting {n_batches:,}/{n_all:,}")
        if self.log is not None and self.log.is_due:
            self.log.say(f"{self.name}: predicting held-out text, batch {n_batches:,} of {n_all:,}")

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
    bars: list[TrainingBar] = []

    def watch(name: str = "training", score: str = "F1") -> TrainingBar:
        bars.append(TrainingBar(progress, name, score, log=log))
        return bars[-1]

    from linnet.models.engines import watching_batches

    with (
        progress if is_shown else nullcontext(),  # some versions of rich end with an empty line in a log, too
        watching_batches(lambda n_batches, n_all: bars[-1].predict(n_batches, n_all) if bars else None),
    ):
        yield watch


class Counter:
    """Shows what has been done, of how much, how fast, and what is left.

    How much there is may be known (`begin`) or estimated: from what was read and the share of the input that it fills.
    What an interrupted job had done is no work of this process, so it does not count for the rate.

    Args:
        progress: the bar on a terminal; one that is disabled shows nothing.
        what: is counted, in the plural.
        log: takes the same as lines where there is no terminal.
        most: at this number the work ends, however much there is.
    """

    def __init__(
        self, progress: Progress, what: str, log: ProgressLog | None = None, *, most: int | None = None
    ) -> None:
        self.progress, self.what, self.log, self.most = progress, what, log, most
        self.pace = log or ProgressLog(write=lambda _: None)
        self.task = progress.add_task(what, total=None, state="")
        self.share: float | None = None
        self.total: int | None = None
        self.estimate = 0.0  # of the total
        self.n_found = self.n_kept = self.n_ended = 0
        self.done = 0.0  # by this process

    def __call__(self, number: int = 1) -> None:
        """Count what this process has finished."""
        self.n_ended += number
        self.reach(self.n_ended)

    def begin(self, total: int) -> None:
        """Take the number of all."""
        self.total = total
        self.pace.began = self.pace.clock()

    def find(self, number: int) -> None:
        """Count what was read; time runs from the first, when the model is loaded."""
        if not self.n_found:
            self.pace.began = self.pace.clock()
        self.n_found += number
        if not self.progress.disable and self.n_found % FINDS_BETWEEN_UPDATES == 1:
            self.reach(self.done)

    def keep(self, number: int) -> None:
        """Count what was finished before the job was resumed."""
        self.n_kept += number

    def read(self, share: float) -> None:
        """Take the share of the input that has been read; what was found until now fills the share before."""
        if self.share and share > self.share:
            self.estimate = self.n_found / self.share
        self.share = share

    def reach(self, number: float) -> None:
        """Take how many this process has done, also in parts, and show it."""
        self.done = max(self.done, number)
        total = self._estimate_total() if self.total is None else self.total
        self.pace.total, self.pace.first = total, self.n_kept
        done, is_exact = self.n_kept + self.done, self.total is not None or self.n_found == self.most
        state = self.pace.state(int(done), self.what, share=self.share, is_exact=is_exact)
        self.progress.update(self.task, completed=done, total=total, state=state)
        if self.log is not None and self.log.is_due:
            self.log.say(state)

    def _estimate_total(self) -> int | None:
        """Return how many there seem to be; None where nothing is known yet."""
        if self.estimate or (self.n_found and self.share == 1):
            found = max(round(self.estimate), self.n_found)
            return found if self.most is None else min(found, self.most)
        return self.most


@contextmanager
def counting(what: str, *, most: int | None = None) -> Iterator[Counter]:
    """Give a counter, shown while the block runs; `most` is where the work ends, however much there is."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[state]}"))
    log = None if console.is_terminal else ProgressLog()
    progress = Progress(*columns, console=console, disable=not console.is_terminal, transient=True)
    with progress if console.is_terminal else nullcontext():
        yield Counter(progress, what, log, most=most)
