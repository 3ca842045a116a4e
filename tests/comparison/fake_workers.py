"""Workers that train nothing: what a run does is said by its `label`, so that it holds in processes of their own."""

import json
import os
import signal
import sys
import time
import types
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from linnet.comparison import runner
from linnet.errors import BadSetting
from linnet.settings.training import TrainSettings
from linnet.storage.folder_lock import lock_folder
from linnet.training.history import EpochRow
from tests.comparison.fake_runs import fingerprints_of, finish, planned

__all__ = ["BUSY", "FINE", "KILLED", "REFUSED", "SURPRISED", "TROUBLE", "lost_once", "make_run", "work"]

BUSY, FINE, REFUSED, SURPRISED, KILLED = "busy", "fine", "refused", "surprised", "killed"
TROUBLE = "trouble"  # a file beside the runs: while it is there, things go wrong


def work(connection: Connection, threads: int) -> None:
    """Do as `runner._work` does, with a torch that only counts threads and runs that only leave their folder."""
    torch: Any = types.ModuleType("torch")
    torch.n_threads = 0
    torch.set_num_threads = lambda number: setattr(torch, "n_threads", number)
    sys.modules["torch"] = torch
    runner.make_run = make_run
    runner._work(connection, threads)


def make_run(settings: TrainSettings, watcher: Any) -> None:
    """End as the label says: with a finished folder, an error, or the death of the process."""
    folder = Path(settings.output)
    if settings.label == BUSY:
        folder.mkdir(parents=True)
        with lock_folder(folder):
            (folder / "begun").touch()
            time.sleep(120)
    is_in_trouble = (folder.parent / TROUBLE).exists()
    if is_in_trouble and settings.label == REFUSED:
        raise BadSetting("the loss is not a number at update 3", "lower the learning rate")
    if is_in_trouble and settings.label == SURPRISED:
        raise ZeroDivisionError("[division] by zero")
    watcher.begin(10, 0)
    watcher.step(5, 0.5, 100.0)
    watcher.epoch(EpochRow(1, 10, 0.4, 1e-4, 0.75, 1.0, 100.0), is_best=True)
    if is_in_trouble and settings.label == KILLED:
        os.kill(os.getpid(), signal.SIGKILL)
    finish(planned(folder, seed=settings.seed), fingerprints=fingerprints_of(settings.data))
    seen = {"process": os.getpid(), "threads": sys.modules["torch"].n_threads, "omp": os.environ["OMP_NUM_THREADS"]}
    (folder / "seen.json").write_text(json.dumps(seen), encoding="utf-8")


def lost_once(settings: TrainSettings, place: str, threads: int) -> tuple[float, str | None, str]:
    """Do as `ray_runner._make_run` does, but let the process die at the first attempt, if that is the label."""
    folder = Path(place) / settings.output
    marker = folder.with_suffix(".lost")
    if settings.label == KILLED and not marker.exists():
        marker.parent.mkdir(parents=True, exist_ok=True)
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    finish(planned(folder, seed=settings.seed))
    return float(threads), None, ""
