"""Grids of runs that find mentions, judged by the links of these mentions: the metric `linked` and its kin."""

from collections.abc import Sequence

from linnet.comparison.grid import Grid, PlannedRun
from linnet.contracts import Outcomes
from linnet.contracts.linking import LINKING, linkings
from linnet.errors import BadSetting

__all__ = ["check_vocabularies", "is_linked", "judge_links", "title_of_links"]


def is_linked(metric: str) -> bool:
    """Does a metric judge the links of what runs find?"""
    return metric in linkings.get(LINKING).judged_metrics()


def title_of_links(metric: str) -> str:
    """Return the title of such a metric."""
    return linkings.get(LINKING).judged_metrics()[metric]


def check_vocabularies(grid: Grid) -> None:
    """Refuse a grid whose vocabularies cannot judge its runs, before anything is trained.

    Raises:
        LinnetError: if there is no vocabulary for a place, or it cannot be used with the corpus.
    """
    if not is_linked(grid.metric):
        return
    seen: set[tuple[str, str]] = set()
    for run in grid.runs:
        vocabulary = _vocabulary_at(grid, run)
        key = (run.settings.corpus_key, vocabulary)
        if key not in seen:
            linkings.get(LINKING).check_judging(run.settings, vocabulary=vocabulary, split=grid.split)
            seen.add(key)


def judge_links(grid: Grid, runs: Sequence[PlannedRun], *, metric: str, n_resamples: int, seed: int) -> Outcomes:
    """Return the outcomes of finished runs at one place."""
    return linkings.get(LINKING).judge_runs(
        [(run.folder, run.settings) for run in runs],
        vocabulary=_vocabulary_at(grid, runs[0]),
        metric=metric,
        n_resamples=n_resamples,
        seed=seed,
        split=grid.split,
    )


def _vocabulary_at(grid: Grid, run: PlannedRun) -> str:
    """Return the vocabulary for the place of a run."""
    given = grid.vocabulary
    if given is None:
        raise BadSetting(
            f"{grid.path}: the metric {grid.metric} needs a vocabulary",
            'add `vocabulary = "V"`, or a table with one for each corpus; `Label=V` links one label only',
        )
    if isinstance(given, str):
        return given
    found = [given[label] for label in run.place.values() if label in given]
    if not found:
        raise BadSetting(
            f"{grid.path}: `vocabulary` has {', '.join(given)}, and nothing for {', '.join(run.place.values())}",
            "name the vocabulary of each corpus as its axis does",
        )
    return found[0]
