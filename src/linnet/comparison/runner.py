"""Runs a grid on this machine in parallel worker processes; a run that fails does not stop the others.

Each worker loads PyTorch once and then makes one run after the other. An interrupted run continues from its checkpoint.
A worker that dies (out of memory, killed) is replaced and its run is recorded as failed. The next start of the grid
tries it again.
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

__all__ = ["GridWatcher", "SilentGridWatcher", "attempt_run", "make_run", "run_locally", "threads_for"]

SECONDS_BETWEEN_REPORTS = 0.5  # of the progress of a run


class GridWatcher(Protocol):
    """Receives the progress of a grid, to show it."""

    def started(self, name: str) -> None:
        """Show that a run has started."""

    def moved(self, name: str, share: float, score: float | None) -> None:
        """Show the share of a run's updates that is done, and the best devel score so far."""

    def ended(self, entry: LogEntry) -> None:
        """Show that a run has ended, with success or failure."""


class SilentGridWatcher:
    """Shows nothing."""

    def started(self, name: str) -> None:
        """Show nothing."""

    def moved(self, name: str, share: float, score: float | None) -> None:
        """Show nothing."""

    def ended(self, entry: LogEntry) -> None:
        """Show nothing."""


def threads_for(workers: int) -> int:
    """Return the threads of each worker, so that all workers together use every processor once."""
    return max(1, count_processors() // workers)


def run_locally(
    runs: Sequence[PlannedRun], *, workers: int, threads: int | None, watcher: GridWatcher
) -> Iterator[LogEntry]:
    """Make the runs in worker processes, and yield a log entry for each run when it ends."""
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
            for worker in [worker for worker in crew if worker.connection in ready]:
                entry = worker.listen(watcher)
                if entry is not None:
                    watcher.ended(entry)
                    yield entry


def make_run(settings: TrainSettings, watcher: Any) -> None:
    """Train with these settings, from the last checkpoint if there is one."""
    from linnet.training.train import train

    train(settings, watcher=watcher, resume=True)


def attempt_run(settings: TrainSettings, watcher: Any) -> tuple[float, str | None, str]:
    """Make a run; return its seconds, its error (None after success), and the traceback of an unexpected error."""
    started = time.monotonic()
    error, details = None, ""
    try:
        make_run(settings, watcher)
    except LinnetError as problem:
        error = f"{problem.problem} ({problem.remedy})"
    except Exception as problem:  # the other runs of the grid go on
        error, details = f"{type(problem).__name__}: {problem}", traceback.format_exc()
    return time.monotonic() - started, error, details


@dataclass
class _Worker:
    """A worker process, as the process of the grid sees it."""

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
        """Receive one message; return the log entry of the run if the message is its end."""
        try:
            kind, *values = self.connection.recv()
        except (EOFError, OSError):
            return self._replace_process()
        if kind == "moved":
            watcher.moved(self.name, *values)
            return None
        entry = LogEntry(self.name, *values)
        self.run = None
        return entry

    def _replace_process(self) -> LogEntry:
        """Start a new process after the old one died; return the failure of its run."""
        code = self._restart()
        how = f"was killed by signal {-code} (9 is often a lack of memory)" if code < 0 else f"ended with code {code}"
        entry = LogEntry(self.name, time.monotonic() - self.started, f"the process of this run {how}")
        self.run = None
        return entry

    def _restart(self) -> int:
        """Replace a dead process by a new one; return the exit code of the old one."""
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
    """Limit the threads of numerical libraries in a process that is started inside the block."""
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
    """Make one run after the other, as the grid sends their settings."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a forked worker would heed it as the command does
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupted grid ends its workers itself
    Thread(target=_end_with_grid, daemon=True).start()
    import torch

    while True:
        try:
            settings = connection.recv()
        except EOFError:
            return
        torch.set_num_threads(threads)
        connection.send(("ended", *attempt_run(settings, _Reporter(connection))))


def _end_with_grid() -> None:
    """End this worker when the process of its grid is gone; otherwise it would keep the folder of its run locked."""
    grid = parent_process()
    if grid is not None:
        grid.join()
        os._exit(1)


class _Reporter:
    """Sends the progress of a run to the grid, at most every half second and after each epoch."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.n_steps, self.share = 1, 0.0
        self.best: float | None = None
        self.last_sent = 0.0

    def begin(self, n_steps: int, first_step: int) -> None:
        self.n_steps = max(1, n_steps)

    def step(self, step: int, loss: float, tokens_per_second: float) -> None:
        self.share = step / self.n_steps
        if time.monotonic() - self.last_sent > SECONDS_BETWEEN_REPORTS:
            self._send()

    def epoch(self, row: Any, *, is_best: bool) -> None:
        self.best = row.score if is_best else self.best
        self._send()

    def _send(self) -> None:
        self.last_sent = time.monotonic()
        self.connection.send(("moved", self.share, self.best))
