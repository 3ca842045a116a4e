"""Corpora that the runs of a grid learn from and are tested on."""

from linnet.comparison.grid import Grid
from linnet.contracts import CorpusFacts, tasks

__all__ = ["read_grid_corpora"]


def read_grid_corpora(grid: Grid) -> dict[str, CorpusFacts]:
    """Return the corpora of a grid by key, found but not yet counted.

    Raises:
        BadFile: where one is missing or broken, before anything is trained.
        LinnetError: where a corpus cannot have the score that is compared, or less of it is better.
    """
    task = tasks.get(grid.task)
    found: dict[str, CorpusFacts] = {}
    for run in grid.runs:
        keys = [run.settings.corpus_key, *(each.corpus_key for each in run.settings.corpora)]
        if any(key not in found for key in keys):
            found |= task.corpora(run.settings, grid.metric)
    return found
