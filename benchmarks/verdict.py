"""How long does the verdict of a grid take, seven schemes with ten seeds each on 940 sentences?

Writes 70 finished runs, without a training, and compares them as `linnet compare --only-report` does: reads all
predictions, scores them, resamples the test units 4,000 times for all runs, tests six schemes against the first over
seeds and units with Holm's correction, equivalence and the smallest detectable difference. Tables and page are written
in the second figure. Both are processor time, the best of
three rounds. Exits with 1 if the verdict takes five seconds or more.

    python benchmarks/verdict.py
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # finished runs without a training stand beside the tests

from linnet.comparison.comparing import report
from linnet.comparison.grid import Grid
from linnet.comparison.verdict import compare_choices
from tests.comparison.fake_runs import finish, make_grid

N_SCHEMES, N_SEEDS, N_SENTENCES = 7, 10, 940
SHARE_WRONG = 0.2
N_ROUNDS = 3
MOST_SECONDS = 5.0


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        grid = write_runs(Path(folder))
        verdict = measure(lambda: compare_choices(grid))
        whole = measure(lambda: report(grid))
    print(
        f"{N_SCHEMES} schemes x {N_SEEDS} seeds, {N_SENTENCES} sentences: verdict {verdict:.2f} s, report {whole:.2f} s"
    )
    return int(verdict >= MOST_SECONDS)


def write_runs(folder: Path) -> Grid:
    """Return a grid whose runs are finished; each gets another fifth of the sentences wrong."""
    schemes = ["none = { scheme = 'none' }"]
    schemes += [f"w{number} = {{ scheme = 'ens', beta = 0.{number} }}" for number in range(1, N_SCHEMES)]
    seeds = ", ".join(map(str, range(1, N_SEEDS + 1)))
    grid = make_grid(folder, "\n".join([f"[axes]\nseed = [{seeds}]\n[axes.weighting]", *schemes]))
    generator = np.random.default_rng(0)
    difficulty = generator.random(N_SENTENCES)
    for run in grid.runs:
        wrong = np.flatnonzero((difficulty + generator.random(N_SENTENCES)) / 2 > 1 - SHARE_WRONG)
        finish(run, wrong.tolist(), n_sentences=N_SENTENCES)
    return grid


def measure(work: Callable[[], object]) -> float:
    """Return the processor seconds of the quickest of several rounds, so that other programs do not count."""
    seconds = []
    for _ in range(N_ROUNDS):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return min(seconds)


if __name__ == "__main__":
    sys.exit(main())
