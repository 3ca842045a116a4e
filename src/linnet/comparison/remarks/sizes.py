"""Sizes of the splits of a grid: what its scores are computed on, and what its runs learned from."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from linnet.comparison.corpora import read_grid_corpora
from linnet.comparison.grid import Grid, PlannedRun
from linnet.comparison.results import Labels, SplitSizes
from linnet.errors import BadFile, LinnetError
from linnet.settings.training import TrainSettings
from linnet.storage.files import read_text
from linnet.training.publishing import CARD
from linnet.training.run_folder import open_run

__all__ = ["count_sizes"]

DATA = "## Data"  # heading of the card of a run, above what it learned from
SAMPLED = re.compile(r"^- train: ([\d,]+) of [\d,]+ sentences, sampled", re.MULTILINE)  # below it


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
    drawn = [_read_drawn(run) for run in runs]
    trained = [
        number or _count_training(run, sizes.get(run.settings.corpus_key, {}))
        for run, number in zip(runs, drawn, strict=True)
    ]
    known = [number for number in trained if number]
    return SplitSizes(
        place=place,
        split=split,
        unit=unit,
        n_units=n_units if isinstance(n_units, int) else None,
        n_mentions=scored["mentions"] if isinstance(scored.get("mentions"), int) else None,
        training=(min(known), max(known)) if known else None,
        is_of_documents=all(number and _draws_documents(run.settings) for run, number in zip(runs, drawn, strict=True)),
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
    if _draws_documents(settings) and DATA not in _read_card(run):
        return 0  # they come near the limit; only the card says how near
    names = (
        ("train",) if settings.train_on == "train" else ("train_dev",) if "train_dev" in sizes else ("train", "devel")
    )
    number = sum(sizes.get(name, (0, 0))[0] for name in names)
    limit = _limit_of(settings)
    return number if limit is None or _draws_documents(settings) else min(number, limit)


def _limit_of(settings: TrainSettings) -> int | None:
    limits = [corpus.train_sentences for corpus in settings.corpora if corpus.role == "target"]
    return next(filter(None, limits), settings.train_sentences)


def _draws_documents(settings: TrainSettings) -> bool:
    return _limit_of(settings) is not None and getattr(settings, "sample_documents", False)


def _read_drawn(run: PlannedRun) -> int:
    """Return how many sentences were drawn for a run, 0 if its card does not say that it learned from a sample."""
    found = SAMPLED.search(_read_card(run)) if _limit_of(run.settings) is not None else None
    return int(found[1].replace(",", "")) if found else 0


def _read_card(run: PlannedRun) -> str:
    """Return the card of a run; nothing if it cannot be read, or for a kept run, which has none."""
    try:
        return read_text(run.folder / CARD)
    except BadFile:
        return ""
