"""Corpora of a grid, for training and for testing, with their fingerprints and sizes."""

from linnet.comparison.axes import label_of
from linnet.comparison.grid import Grid
from linnet.comparison.judging.links import is_linked
from linnet.contracts import CorpusFacts, tasks
from linnet.errors import BadFile
from linnet.storage.json_keys import read_object

__all__ = ["corpus_warnings", "read_grid_corpora"]

AGAIN = "remove the folder of the run; the grid makes it again"
MOST_WARNINGS = 10  # of all runs of a grid, which may have sampled their corpora differently


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
            corpora |= task.corpora(run.settings, task.default_metric if is_linked(grid.metric) else grid.metric)
    return corpora


def corpus_warnings(grid: Grid) -> list[str]:
    """Return the warnings about the corpora of the finished runs, each once, as their `metrics.json` has them."""
    found: dict[str, None] = {}
    for run in grid.runs:
        path = run.folder / "metrics.json"
        if run.is_finished and path.is_file():
            name = label_of("data", run.settings.data)
            warnings = read_object(path, AGAIN).get("corpus_warnings", [])
            if not isinstance(warnings, list):
                raise BadFile(f"{path}: `corpus_warnings` is no list", AGAIN)
            found |= dict.fromkeys(f"{name}: {warning}" for warning in warnings)
    listed = list(found)
    more = [f"{len(listed) - MOST_WARNINGS:,} more warnings about corpora are in the cards of the runs"]
    return listed[:MOST_WARNINGS] + (more if len(listed) > MOST_WARNINGS else [])
