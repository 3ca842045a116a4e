"""How are the runs of a grid made, several at a time, so that one that fails does not stop the others?

Each worker is a process that loads PyTorch once and then makes one run after the other. A run that was interrupted goes
on from its checkpoint. A worker that dies (out of memory, killed) is replaced, and its run is recorded as failed; it is
tried again when the grid is started again.
"""

import os
import signal
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any, Protocol

from linnet.comparison.grid import PlannedRun
from linnet.comparison.identity import LogEntry
from linnet.errors import BadSetting, LinnetError
from linnet.settings.training import TrainSettings
from linnet.storage.processors import count_processors

__all__ = ["GridWatcher", "SilentGridWatcher", "make_run", "run_locally", "threads_for"]

SECONDS_BETWEEN_NEWS = 0.5  # a worker tells how far it is no more often than that


class GridWatcher(Protocol):
    """Whoever wants to show how a grid goes."""

    def started(self, name: str) -> None:
        """Say that a run was begun."""

    def moved(self, name: str, share: float, score: float | None) -> None:
        """Say which share of a run's updates is made, and the best devel score so far."""

    def ended(self, entry: LogEntry) -> None:
        """Say that a run ended, well or not."""


class SilentGridWatcher:
    """Shows nothing."""

    def started(self, name: str) -> None:
        """Say nothing."""

    def moved(self, name: str, share: float, score: float | None) -> None:
        """Say nothing."""

    def ended(self, entry: LogEntry) -> None:
        """Say nothing."""


def threads_for(workers: int) -> int:
    """Return how many threads each of so many workers may use, so that together they fill the machine once."""
    return max(1, count_processors() // workers)


def run_locally(
    runs: Sequence[PlannedRun], *, workers: int, threads: int | None, watcher: GridWatcher
) -> Iterator[LogEntry]:
    """Make the runs in so many processes, and yield how each ended, as they end."""
    if workers < 1:
        raise BadSetting(f"--workers is {workers}", "give 1 or more")
    waiting = list(reversed(runs))
    with _workers(min(workers, len(runs)), threads or threads_for(workers)) as crew:
        while waiting or any(worker.run for worker in crew):
            for worker in crew:
                if worker.run is None and waiting:
                    worker.begin(waiting.pop())
                    watcher.started(worker.name)
            ready = wait([worker.connection for worker in crew if worker.run])
            for worker in [each for each in crew if each.connection in ready]:
                entry = worker.listen(watcher)
                if entry is not None:
                    watcher.ended(entry)
                    yield entry


def make_run(settings: TrainSettings, watcher: Any) -> None:
    """Train as the settings say, from the last checkpoint where there is one."""
    from linnet.training.train import train

    train(settings, watcher=watcher, resume=True)


@dataclass
class _Worker:
    """A process that makes runs, seen from outside."""

    threads: int
    run: PlannedRun | None = None
    started: float = 0.0

    def __post_init__(self) -> None:
        self.start()

    @property
    def name(self) -> str:
        return self.run.name if self.run else ""

    def start(self) -> None:
        context = get_context("spawn")  # a fork would share the threads' locks of a loaded PyTorch
        self.connection, inside = context.Pipe()
        self.process: BaseProcess = context.Process(target=_work, args=(inside, self.threads), daemon=True)
        with _limited_threads(self.threads):
            self.process.start()
        inside.close()

    def begin(self, run: PlannedRun) -> None:
        self.run, self.started = run, time.monotonic()
        try:
            self.connection.send(run.settings)
        except OSError:  # it died after its last run
            self._restart()
            self.connection.send(run.settings)

    def listen(self, watcher: GridWatcher) -> LogEntry | None:
        """Take one piece of news; return how the run ended, if that is the news."""
        try:
            kind, *news = self.connection.recv()
        except (EOFError, OSError):
            return self._replaced()
        if kind == "moved":
            watcher.moved(self.name, *news)
            return None
        entry = LogEntry(self.name, *news)
        self.run = None
        return entry

    def _replaced(self) -> LogEntry:
        code = self._restart()
        how = f"was killed by signal {-code} (9 is often a lack of memory)" if code < 0 else f"ended with code {code}"
        entry = LogEntry(self.name, time.monotonic() - self.started, f"the process of this run {how}")
        self.run = None
        return entry

    def _restart(self) -> int:
        """Put a new process in the place of a dead one; return how the old one ended."""
        self.process.join()
        code = self.process.exitcode or 0
        self.connection.close()
        self.start()
        return code


@contextmanager
def _workers(number: int, threads: int) -> Iterator[list[_Worker]]:
    crew = [_Worker(threads) for _ in range(number)]
    try:
        yield crew
    finally:
        for worker in crew:
            worker.process.terminate()
        for worker in crew:
            worker.process.join()
            worker.connection.close()


@contextmanager
def _limited_threads(number: int) -> Iterator[None]:
    """Let a process that is started here begin with so many threads in every library that counts them itself."""
    names = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, str(number)))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _work(connection: Connection, threads: int) -> None:
    """Make one run after the other, as they come."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupted grid ends its workers itself
    Thread(target=_end_with_grid, daemon=True).start()
    import torch

    while True:
        try:
            settings = connection.recv()
        except EOFError:
            return
        torch.set_num_threads(threads)
        started = time.monotonic()
        error, details = None, ""
        try:
            make_run(settings, _Reporter(connection))
        except LinnetError as problem:
            error = f"{problem.problem} ({problem.remedy})"
        except Exception as problem:  # the grid goes on, whatever happened to this run
            error, details = f"{type(problem).__name__}: {problem}", traceback.format_exc()
        connection.send(("ended", time.monotonic() - started, error, details))


def _end_with_grid() -> None:
    """End this worker when its grid has gone without saying so, or it would still hold the folder of its run."""
    grid = parent_process()
    if grid is not None:
        grid.join()
        os._exit(1)


class _Reporter:
    """Tells the grid how far a run is, now and then."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.n_steps, self.share = 1, 0.0
        self.best: float | None = None
        self.told = 0.0

    def begin(self, n_steps: int, first_step: int) -> None:
        self.n_steps = max(1, n_steps)

    def step(self, step: int, loss: float, tokens_per_second: float) -> None:
        self.share = step / self.n_steps
        if time.monotonic() - self.told > SECONDS_BETWEEN_NEWS:
            self._tell()

    def epoch(self, row: Any, *, is_best: bool) -> None:
        self.best = row.score if is_best else self.best
        self._tell()

    def _tell(self) -> None:
        self.told = time.monotonic()
        self.connection.send(("moved", self.share, self.best))
