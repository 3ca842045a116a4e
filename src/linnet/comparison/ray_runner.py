"""How are the runs of a grid made on a Ray cluster?

Every run is a task. Ray places it where there are free processors; a task whose machine or process is lost is run
again, and goes on from its checkpoint. All machines must see the working folder, the corpora and the grid's folder
under the same paths.
"""

import os
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from linnet.comparison.grid import PlannedRun
from linnet.comparison.identity import LogEntry
from linnet.comparison.runner import GridWatcher, make_run
from linnet.errors import BadSetting, LinnetError
from linnet.settings.training import TrainSettings
from linnet.storage.processors import LOCAL, connect_to_ray
from linnet.training.job import SilentWatcher

__all__ = ["run_on_ray"]

RETRIES = 3  # after a lost worker


def run_on_ray(
    runs: Sequence[PlannedRun], *, address: str, threads: int | None, watcher: GridWatcher
) -> Iterator[LogEntry]:
    """Connect to Ray, then make the runs as its tasks, and yield how each ended, as they end."""
    ray = connect_to_ray(address)
    _check_room(ray, address, threads or 1)
    return _entries(ray, runs, threads or 1, watcher)


def _check_room(ray: Any, address: str, threads: int) -> None:
    """Refuse tasks that would wait for ever; a cluster may still grow, this machine does not."""
    n_cpus = int(ray.cluster_resources().get("CPU", 0))
    if address == LOCAL and threads > n_cpus:
        ray.shutdown()
        raise BadSetting(f"--threads is {threads}, but this machine has {n_cpus}", f"give at most {n_cpus}")


def _entries(ray: Any, runs: Sequence[PlannedRun], threads: int, watcher: GridWatcher) -> Iterator[LogEntry]:
    waiting: dict[Any, PlannedRun] = {}
    try:
        with redirect_stdout(sys.stderr):  # where Ray tells of lost workers; our output is for results
            task = ray.remote(num_cpus=threads, max_retries=RETRIES)(_make_run)
            for run in runs:
                waiting[task.remote(run.settings, str(Path.cwd()), threads)] = run
                watcher.started(run.name)
            while waiting:
                done, _ = ray.wait(list(waiting), num_returns=1)
                for reference in done:
                    entry = _entry(ray, reference, waiting.pop(reference))
                    watcher.ended(entry)
                    yield entry
    finally:
        for reference in waiting:
            ray.cancel(reference, force=True)
        ray.shutdown()


def _make_run(settings: TrainSettings, place: str, threads: int) -> tuple[float, str | None, str]:
    """Make one run where the paths of its settings hold; return how long it took, and what was wrong with it."""
    import torch

    started = time.monotonic()
    os.chdir(place)
    torch.set_num_threads(threads)
    error, details = None, ""
    try:
        make_run(settings, SilentWatcher())
    except LinnetError as problem:
        error = f"{problem.problem} ({problem.remedy})"
    except Exception as problem:  # the grid goes on, whatever happened to this run
        error, details = f"{type(problem).__name__}: {problem}", traceback.format_exc()
    return time.monotonic() - started, error, details


def _entry(ray: Any, reference: Any, run: PlannedRun) -> LogEntry:
    try:
        return LogEntry(run.name, *ray.get(reference))
    except ray.exceptions.RayError as error:  # lost again and again, or never begun
        lines = str(error).strip().split("\n")
        return LogEntry(run.name, 0.0, f"{type(error).__name__}: {lines[0]}", str(error))
