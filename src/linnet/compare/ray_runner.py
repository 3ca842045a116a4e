"""How are the runs of a grid made on a Ray cluster?

Every run is a task. Ray places it where there are free processors; a task whose machine or process is lost is run
again, and goes on from its checkpoint. All machines must see the working folder, the corpora and the grid's folder
under the same paths.
"""

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from linnet.compare.grid import PlannedRun
from linnet.compare.identity import LogEntry
from linnet.compare.runner import GridWatcher, make_run
from linnet.errors import BadSetting, LinnetError, MissingExtra
from linnet.settings import TrainSettings
from linnet.training.job import SilentWatcher

__all__ = ["connect", "run_on_ray"]

RETRIES = 3  # after a lost worker


def run_on_ray(
    runs: Sequence[PlannedRun], *, address: str, threads: int | None, watcher: GridWatcher
) -> Iterator[LogEntry]:
    """Make the runs as Ray tasks, and yield how each ended, as they end."""
    ray = connect(address)
    task = ray.remote(num_cpus=threads or 1, max_retries=RETRIES)(_make_run)
    waiting = {}
    for run in runs:
        waiting[task.remote(run.settings, str(Path.cwd()), threads or 1)] = run
        watcher.started(run.name)
    try:
        while waiting:
            done, _ = ray.wait(list(waiting), num_returns=1)
            for reference in done:
                run = waiting.pop(reference)
                entry = _entry(ray, reference, run)
                watcher.ended(entry)
                yield entry
    finally:
        for reference in waiting:
            ray.cancel(reference, force=True)
        ray.shutdown()


def connect(address: str) -> Any:  # Any: ray has no types of its own
    """Return Ray, connected to a cluster, or started here where the address is `local`."""
    try:
        import ray
    except ImportError:
        raise MissingExtra("running on a cluster needs Ray", "pip install 'linnet[ray]'") from None
    options: dict[str, Any] = {"log_to_driver": False, "configure_logging": False, "include_dashboard": False}
    if address != "local":
        options = {"address": address, "log_to_driver": False}
    try:
        ray.init(**options)
    except (ConnectionError, RuntimeError, ValueError, OSError, TimeoutError) as error:
        reason = str(error).strip().split("\n")[0]
        raise BadSetting(
            f"--ray {address}: no Ray cluster answers there ({reason})",
            "start one with `ray start --head`, give its address, or use `--ray local`",
        ) from None
    return ray


def _make_run(settings: TrainSettings, place: str, threads: int) -> tuple[float, str | None]:
    """Make one run where the paths of its settings hold; return how long it took, and what was wrong with it."""
    import torch

    started = time.monotonic()
    os.chdir(place)
    torch.set_num_threads(threads)
    try:
        make_run(settings, SilentWatcher())
    except LinnetError as error:
        return time.monotonic() - started, f"{error.problem} ({error.remedy})"
    return time.monotonic() - started, None


def _entry(ray: Any, reference: Any, run: PlannedRun) -> LogEntry:
    try:
        return LogEntry(run.name, *ray.get(reference))
    except ray.exceptions.RayError as error:
        lines = str(error).strip().split("\n")
        return LogEntry(run.name, 0.0, f"{type(error).__name__}: {lines[-1]}", str(error))
