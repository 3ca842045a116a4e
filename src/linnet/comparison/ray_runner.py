"""Runs a grid on a Ray cluster, each run as a Ray task.

Ray places a task where processors are free. A task whose machine or process is lost is run again and continues from its
checkpoint. All machines must see the working folder, the corpora and the grid's folder under the same paths.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from linnet.comparison.grid import PlannedRun
from linnet.comparison.identity import LogEntry
from linnet.comparison.runner import GridWatcher, attempt_run
from linnet.errors import BadSetting
from linnet.settings.training import TrainSettings
from linnet.storage.processors import LOCAL, connect_to_ray
from linnet.training.job import SilentWatcher

__all__ = ["run_on_ray"]

RETRIES = 3  # after a lost worker


def run_on_ray(
    runs: Sequence[PlannedRun], *, address: str, threads: int | None, watcher: GridWatcher
) -> Iterator[LogEntry]:
    """Connect to Ray, make the runs as its tasks, and yield a log entry for each run when it ends."""
    ray = connect_to_ray(address)
    _check_processors(ray, address, threads or 1)
    return _run_tasks(ray, runs, threads or 1, watcher)


def _check_processors(ray: Any, address: str, threads: int) -> None:
    """Refuse tasks that would wait for ever on this machine; a cluster may still grow."""
    n_cpus = int(ray.cluster_resources().get("CPU", 0))
    if address == LOCAL and threads > n_cpus:
        ray.shutdown()
        raise BadSetting(f"--threads is {threads}, but this machine has {n_cpus}", f"give at most {n_cpus}")


def _run_tasks(ray: Any, runs: Sequence[PlannedRun], threads: int, watcher: GridWatcher) -> Iterator[LogEntry]:
    waiting: dict[Any, PlannedRun] = {}
    try:
        with redirect_stdout(sys.stderr):  # Ray reports lost workers there; standard output is for results
            task = ray.remote(num_cpus=threads, max_retries=RETRIES)(_make_run)
            for run in runs:
                waiting[task.remote(run.settings, str(Path.cwd()), threads)] = run
                watcher.started(run.name)
            while waiting:
                done, _ = ray.wait(list(waiting), num_returns=1)
                for reference in done:
                    entry = _read_entry(ray, reference, waiting.pop(reference))
                    watcher.ended(entry)
                    yield entry
    finally:
        for reference in waiting:
            ray.cancel(reference, force=True)
        ray.shutdown()


def _make_run(settings: TrainSettings, place: str, threads: int) -> tuple[float, str | None, str]:
    """Make one run in the folder that its paths are relative to; return seconds, error and traceback."""
    import torch

    os.chdir(place)
    torch.set_num_threads(threads)
    return attempt_run(settings, SilentWatcher())


def _read_entry(ray: Any, reference: Any, run: PlannedRun) -> LogEntry:
    try:
        return LogEntry(run.name, *ray.get(reference))
    except ray.exceptions.RayError as error:  # lost too often, or never started
        lines = str(error).strip().split("\n")
        return LogEntry(run.name, 0.0, f"{type(error).__name__}: {lines[0]}", str(error))
