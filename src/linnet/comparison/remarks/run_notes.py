"""Notes about the runs of a grid: trainings that were too short, and outliers among the seeds.

A seed is an outlier if its modified z-score, 0.6745 |x - median| / MAD, is above 3.5 (Iglewicz and Hoaglin 1993, How to
detect and handle outliers) and it is at least a point away from the median.
"""

from collections.abc import Iterable, Iterator, Sequence
from statistics import median

from linnet.comparison.grid import PlannedRun
from linnet.comparison.results import Cell, title_of
from linnet.errors import LinnetError
from linnet.reports.hints import LAST_IS_BEST
from linnet.training.run_folder import open_run

__all__ = ["note_outliers", "note_short_trainings"]

FEWEST_SEEDS = 4  # of which one can stand out
LARGEST_Z = 3.5
SMALLEST_DISTANCE = 0.01  # of fractions: one point
MOST_NAMES = 6  # of combinations in a note


def note_short_trainings(runs: Sequence[PlannedRun]) -> list[str]:
    """Return a note if the best epoch of some finished runs is the last one."""
    counts: dict[str, list[int]] = {}
    for run in runs:
        if run.is_finished:
            count = counts.setdefault(title_of({**run.place, **run.choice}), [0, 0])
            count[0] += _is_last_best(run)
            count[1] += 1
    found = {title: count for title, count in counts.items() if count[0]}
    if not found:
        return []
    n_short, n_all = (sum(count[at] for count in counts.values()) for at in (0, 1))
    listed = [f"{title}: {short} of {n_runs}" for title, (short, n_runs) in found.items()]
    more = f"; and {len(listed) - MOST_NAMES:,} more" if len(listed) > MOST_NAMES else ""
    return [
        f"in {n_short:,} of {n_all:,} runs the best epoch is the last ({'; '.join(listed[:MOST_NAMES])}{more}): longer "
        "training may change scores and verdicts; try more epochs"
    ]


def note_outliers(cells: Iterable[Cell]) -> list[str]:
    """Return a note for each combination in which single seeds are far from all others."""
    return [
        f"{title_of({**cell.place, **cell.choice})}: seed {seed} has {100 * score:.2f}, far from the median "
        f"{100 * middle:.2f} of {len(cell.score_by_seed)} seeds; it alone can widen the interval, so look at its "
        "report before you trust the mean"
        for cell in cells
        for seed, score, middle in _find_outliers(cell)
    ]


def _is_last_best(run: PlannedRun) -> bool:
    try:
        hints = open_run(run.folder).metrics.get("hints", [])
    except LinnetError:  # its scores are read elsewhere, with the error
        return False
    return any(LAST_IS_BEST in hint for hint in hints)


def _find_outliers(cell: Cell) -> Iterator[tuple[int, float, float]]:
    """Yield seed, score and median of each outlier."""
    scores = cell.score_by_seed
    if len(scores) < FEWEST_SEEDS:
        return
    middle = median(scores.values())
    spread = median(abs(score - middle) for score in scores.values())
    for seed, score in scores.items():
        distance = abs(score - middle)
        if distance >= SMALLEST_DISTANCE and 0.6745 * distance > LARGEST_Z * spread:
            yield seed, score, middle
