"""What does the grid runner add to the time of its runs, and how much sooner are two workers done?

    python benchmarks/grid.py [--runs 6] [--epochs 2] [--sentences N] [--encoder minilm] [--data demo]

Equal short trainings, made by one worker and then, in a folder of their own, by two, with one thread each.

- Overhead: the wall time from the start of the runner to its end, over the summed times of the runs, minus one. The
  time of a run is measured in the worker, from receiving the settings to the finished folder: reading, encoding,
  training, choosing the epoch, scoring, reports, and in a worker's first run loading transformers, as in any training.
  Everything else counts as overhead: starting the worker's process, loading torch there, fingerprints of the data,
  handing over, the log, ending the worker. Planning before and tables after are not part of it.
- Speed-up: the wall time of one worker over that of two, starts and ends included.

Exits with 1 if the overhead is 3 % or more, or the speed-up below 1.7. A machine with one core shows no speed-up, and
one that is busy shows nothing.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from linnet.comparison.comparing import plan, run
from linnet.comparison.grid import Grid, load_grid
from linnet.comparison.identity import LogEntry
from linnet.comparison.runner import SilentGridWatcher

MOST_OVERHEAD = 0.03
LEAST_SPEED_UP = 1.7


@dataclass
class StopWatch(SilentGridWatcher):
    """Knows when each run ended, by itself and by the clock on the wall."""

    began: float = field(default_factory=time.monotonic)
    ends: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def ended(self, entry: LogEntry) -> None:
        if entry.error is not None:
            raise SystemExit(f"{entry.name}: {entry.error}\n{entry.details}")
        self.ends.append(time.monotonic() - self.began)
        self.seconds.append(entry.seconds)


@dataclass(frozen=True)
class Measured:
    """How long a grid took, and its runs."""

    wall: float
    seconds: list[float]
    ends: list[float]

    @property
    def overhead(self) -> float:
        return self.wall / sum(self.seconds) - 1

    @property
    def start(self) -> float:
        """Seconds before the first run began."""
        return self.ends[0] - self.seconds[0]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=6, help="an even number")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--sentences", type=int, default=None, help="of the training split; all if not given")
    parser.add_argument("--encoder", default="minilm")
    parser.add_argument("--data", default="demo")
    parser.add_argument("--max-length", type=int, default=256)
    options = parser.parse_args()
    n_cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as folder:
        one = measured(write_grid(Path(folder) / "one.toml", options), workers=1)
        two = measured(write_grid(Path(folder) / "two.toml", options), workers=2) if n_cores > 1 else None
    return report(one, two)


def write_grid(path: Path, options: argparse.Namespace) -> Grid:
    """Write a grid of equal runs: the seeds cost the same, and so do the two schemes."""
    sample = "" if options.sentences is None else f"train_sentences = {options.sentences}\n"
    path.write_text(
        f"output = {json.dumps(str(path.with_suffix('')))}\n"
        'baseline = { scheme = "none" }\n'
        f"[recipe]\ndata = {json.dumps(options.data)}\nencoder = {json.dumps(options.encoder)}\n{sample}"
        f"epochs = {options.epochs}\nmax_length = {options.max_length}\n"
        f'[axes]\nseed = {list(range(1, options.runs // 2 + 1))}\nscheme = ["none", "welt"]\n',
        encoding="utf-8",
    )
    return load_grid(path)


def measured(grid: Grid, *, workers: int) -> Measured:
    plan(grid, workers=workers)
    watch = StopWatch()
    run(grid, workers=workers, threads=1, ray=None, watcher=watch)
    return Measured(time.monotonic() - watch.began, watch.seconds, watch.ends)


def report(one: Measured, two: Measured | None) -> int:
    n_runs, total = len(one.seconds), sum(one.seconds)
    print(f"one worker: {n_runs} runs of {total / n_runs:.1f} s on average, {total:.1f} s; wall {one.wall:.1f} s")
    rest = one.wall - total - one.start
    print(f"  {one.start:.2f} s before the first run, {rest / n_runs:.3f} s for each run besides")
    short = [] if one.overhead < MOST_OVERHEAD else ["overhead"]
    print(f"overhead {one.overhead:.2%}, at most {MOST_OVERHEAD:.0%}")
    if two is None:
        print("two workers: skipped, there is one core")
    else:
        speed_up = one.wall / two.wall
        print(f"two workers: {sum(two.seconds):.1f} s of runs; wall {two.wall:.1f} s")
        print(f"speed-up {speed_up:.2f}, at least {LEAST_SPEED_UP}")
        short += [] if speed_up >= LEAST_SPEED_UP else ["speed-up"]
    print(f"falls short of: {', '.join(short)}" if short else "all targets reached")
    return int(bool(short))


if __name__ == "__main__":
    sys.exit(main())
