"""How is long work shown? On a terminal, on standard error; elsewhere not at all."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from linnet.training.history import EpochRow

__all__ = ["TrainingBar", "counting", "training_bar", "training_bars"]


class TrainingBar:
    """Shows updates, loss, speed, remaining time and the devel scores so far."""

    def __init__(self, progress: Progress, name: str = "training", score: str = "F1") -> None:
        self.progress, self.score = progress, score
        self.task = progress.add_task(name, total=None, loss="", rate="", best="")

    def rename(self, name: str) -> None:
        """Begin anew, for the next of several trainings."""
        self.progress.reset(self.task, description=name, loss="", rate="", best="")
        if not self.progress.disable:
            self.progress.console.print(name, highlight=False)

    def begin(self, n_steps: int, first_step: int) -> None:
        """Set the length of the bar."""
        self.progress.update(self.task, total=n_steps, completed=first_step)

    def step(self, step: int, loss: float, tokens_per_second: float) -> None:
        """Move the bar."""
        self.progress.update(
            self.task, completed=step, loss=f"loss {loss:.4f}", rate=f"{tokens_per_second:,.0f} tokens/s"
        )

    def epoch(self, row: "EpochRow", *, is_best: bool) -> None:
        """Print the epoch above the bar."""
        score = "" if row.score is None else f"devel {self.score} {100 * row.score:.2f}{' (best)' * is_best}"
        devel_loss = "" if row.devel_loss is None else f"devel loss {row.devel_loss:.4f}  "
        speed = f"{row.seconds:.0f} s, {row.tokens_per_second:,.0f} tokens/s"
        line = f"epoch {row.epoch}: loss {row.loss:.4f}  {devel_loss}{score}  {speed}"
        if not self.progress.disable:
            self.progress.console.print(line, highlight=False)
        if is_best and row.score is not None:
            self.progress.update(self.task, best=f"best {self.score} {100 * row.score:.2f}")


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
    is_shown = console.is_terminal and os.environ.get("RANK", "0") == "0"  # of several processes only the first shows
    with Progress(*columns, console=console, disable=not is_shown, transient=True) as progress:
        yield partial(TrainingBar, progress)


class Counter:
    """Counts what has been done where nobody knows how much there is."""

    def __init__(self, progress: Progress, what: str) -> None:
        self.progress = progress
        self.task = progress.add_task(what, total=None)

    def __call__(self, number: int = 1) -> None:
        self.progress.advance(self.task, number)


@contextmanager
def counting(what: str) -> Iterator[Counter]:
    """Give a counter, shown while the block runs."""
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TextColumn("{task.completed:,.0f}"))
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        yield Counter(progress, what)
