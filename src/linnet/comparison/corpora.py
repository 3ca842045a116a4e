"""Corpora of a grid, for training and for testing, with their fingerprints and sizes."""

from linnet.comparison.grid import Grid
from linnet.contracts import CorpusFacts, tasks

__all__ = ["read_grid_corpora"]


def read_grid_corpora(grid: Grid) -> dict[str, CorpusFacts]:
    """Return the corpora of a grid by key; their sizes are counted later, when they are needed.

    Raises:
        BadFile: if a corpus is missing or broken.
        LinnetError: if the compared score does not exist for a corpus, or a lower score is better.
    """
    task = tasks.get(grid.task)
    corpora: dict[str, CorpusFacts] = {}
    for run in grid.runs:
        keys = [run.settings.corpus_key, *(corpus.corpus_key for corpus in run.settings.corpora)]
        if any(key not in corpora for key in keys):
            corpora |= task.corpora(run.settings, grid.metric)
    return corpora
