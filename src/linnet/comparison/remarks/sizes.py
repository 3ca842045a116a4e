"""Sizes of the splits of a grid: what its scores are computed on, and what its runs learned from."""

from collections.abc import Mapping, Sequence
from typing import Any

from linnet.comparison.corpora import read_grid_corpora
from linnet.comparison.grid import Grid, PlannedRun
from linnet.comparison.results import Labels, SplitSizes
from linnet.errors import BadFile, LinnetError
from linnet.training.run_folder import open_run

__all__ = ["count_sizes"]


def count_sizes(grid: Grid) -> tuple[SplitSizes, ...]:
    """Return the sizes at each place with a finished run."""
    runs_by_place: dict[tuple[str, ...], list[PlannedRun]] = {}
    for run in grid.runs:
        if run.is_finished:
            runs_by_place.setdefault(tuple(run.place.values()), []).append(run)
    if not runs_by_place:
        return ()
    try:
        sizes = {key: facts.sizes() for key, facts in read_grid_corpora(grid).items()}
    except BadFile:  # kept runs are reported where the corpora are not
        sizes = {}
    return tuple(_count(runs[0].place, runs, grid.split, sizes) for runs in runs_by_place.values())


def _count(
    place: Labels, runs: Sequence[PlannedRun], split: str, sizes: Mapping[str, Mapping[str, tuple[int, int]]]
) -> SplitSizes:
    scored = _find_scored(runs[0], split)
    unit = "sentences" if "sentences" in scored else "texts"
    n_units = scored.get("sentences", scored.get("examples"))
    trained = [_count_training(run, sizes.get(run.settings.corpus_key, {})) for run in runs]
    known = [number for number in trained if number]
    return SplitSizes(
        place=place,
        split=split,
        unit=unit,
        n_units=n_units if isinstance(n_units, int) else None,
        n_mentions=scored["mentions"] if isinstance(scored.get("mentions"), int) else None,
        training=(min(known), max(known)) if known else None,
    )


def _find_scored(run: PlannedRun, split: str) -> Mapping[str, Any]:
    """Return the scores of a run on a split; nothing where it has none."""
    try:
        metrics = open_run(run.folder).metrics
    except LinnetError:  # its predictions are read elsewhere, with the error
        return {}
    found = metrics if metrics.get("split") == split else metrics.get(split, {})
    return found if isinstance(found, dict) else {}


def _count_training(run: PlannedRun, sizes: Mapping[str, tuple[int, int]]) -> int:
    """Return the number of sentences or texts of the target corpus that a run learned from, 0 if it is not known."""
    settings = run.settings
    names = (
        ("train",) if settings.train_on == "train" else ("train_dev",) if "train_dev" in sizes else ("train", "devel")
    )
    number = sum(sizes.get(name, (0, 0))[0] for name in names)
    limits = [corpus.train_sentences for corpus in settings.corpora if corpus.role == "target"]
    limit = next(filter(None, limits), settings.train_sentences)
    if limit is not None and getattr(settings, "sample_documents", False):
        return 0  # whole documents come near the limit; how near is not known here
    return number if limit is None else min(number, limit)
