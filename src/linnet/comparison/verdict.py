"""Verdicts of a grid: significance tests of every choice against the baseline.

Each comparison is a hierarchical paired bootstrap over seeds and test sentences (`metrics.statistics.hierarchical`;
`docs/comparing-method.md` describes it). The comparisons at single places are one family for Holm's correction, those
over all places another.
"""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from linnet import __version__
from linnet.comparison.corpora import corpus_warnings
from linnet.comparison.differences import Difference, compare_family
from linnet.comparison.grid import Grid, PlannedRun
from linnet.comparison.outcomes import PlaceOutcomes, read_outcomes
from linnet.comparison.results import Cell, Comparison, Failure, Labels, Pair, Results
from linnet.contracts import PublishedScore, tasks
from linnet.metrics.statistics.hierarchical import (
    PairedDifference,
    PairedScores,
    mean_over_places,
    paired_difference,
    pooled_difference,
)
from linnet.models.model_folder import read_facts

__all__ = ["compare_choices"]

Key = tuple[str, ...]  # the labels of a place or of a choice


class _PairedRuns(NamedTuple):
    """The scores of a choice and of the baseline at one place, for the seeds that both have."""

    place: Labels
    choice: Labels
    seeds: list[int]
    scores: PairedScores
    n_units: int


def compare_choices(
    grid: Grid, *, errors: Mapping[str, str] | None = None, metric: str | None = None, n_resamples: int = 1000,
    seed: int = 0,
) -> Results:  # fmt: skip
    """Return the scores of a grid's finished runs, and each choice compared with the baseline.

    Args:
        grid: with some or all of its runs finished.
        errors: why runs failed, by name.
        metric: a matching or a score of the task; the grid's own if not given.
        n_resamples: how often the test sentences are drawn.
        seed: of these draws.
    """
    metric = metric or grid.metric
    cells: list[Cell] = []
    pairs: list[Pair] = []
    paired: list[_PairedRuns] = []
    for runs in _group_by_place(grid.runs):
        outcomes = _read_finished(runs, metric=metric, n_resamples=n_resamples, seed=seed, split=grid.split)
        cells += _cells(grid, runs, outcomes, metric)
        if outcomes is not None:
            others = [choice for choice in _choices(runs) if choice != grid.baseline]
            paired += _pair_with_baseline(grid.baseline, others, runs[0].place, outcomes)
            pairs += _agreements(grid.baseline, others, runs[0].place, outcomes)
    return Results(
        name=grid.name,
        metric=tasks.get(grid.task).metric_title(metric) + ("" if grid.split == "test" else f" on {grid.split}"),
        baseline=grid.baseline,
        place_axes=grid.place_axes,
        choice_axes=grid.choice_axes,
        size_axis=grid.size_axis,
        seeds=grid.seeds,
        cells=tuple(cells),
        comparisons=(*_compare_at_places(grid, paired), *_compare_over_places(grid, paired)),
        pairs=tuple(pairs),
        failures=tuple(_failures(grid, errors or {})),
        missing=sum(not run.is_finished for run in grid.runs),
        notes=(*grid.notes, *corpus_warnings(grid)),
        caption=grid.caption,
        split=grid.split,
        details=_details(grid, n_resamples),
    )


def _group_by_place(runs: Sequence[PlannedRun]) -> Iterable[list[PlannedRun]]:
    places: dict[Key, list[PlannedRun]] = {}
    for run in runs:
        places.setdefault(_key(run.place), []).append(run)
    return places.values()


def _read_finished(runs: Sequence[PlannedRun], **options: Any) -> PlaceOutcomes | None:
    finished = [run for run in runs if run.is_finished]
    return read_outcomes(finished, **options) if finished else None


def _key(labels: Labels) -> Key:
    return tuple(labels.values())


def _choices(runs: Iterable[PlannedRun | _PairedRuns]) -> list[Labels]:
    return list({_key(run.choice): run.choice for run in runs}.values())


def _cells(grid: Grid, runs: Sequence[PlannedRun], outcomes: PlaceOutcomes | None, metric: str) -> Iterable[Cell]:
    """Yield a cell for each choice at one place."""
    task = tasks.get(grid.task)
    for choice in _choices(runs):
        repetitions = [run for run in runs if run.choice == choice]
        published = task.published(repetitions[0].settings, metric) if grid.split == "test" else None
        yield _cell(grid, repetitions, outcomes, published)


def _cell(
    grid: Grid, runs: Sequence[PlannedRun], outcomes: PlaceOutcomes | None, published: PublishedScore | None
) -> Cell:
    choice = runs[0].choice
    return Cell(
        place=runs[0].place,
        choice=choice,
        is_baseline=choice == grid.baseline,
        score_by_seed=outcomes.scores_by_seed(choice) if outcomes else {},
        label_scores=outcomes.label_scores(choice) if outcomes else {},
        commands=tuple(_command(run) for run in runs),
        published=published.value if published else None,
        source=published.source if published else "",
        beside=outcomes.beside_by_seed(choice) if outcomes else {},
        published_beside=dict(published.beside) if published else {},
    )


def _command(run: PlannedRun) -> str:
    """Return the command that repeats a finished run; its folder holds the recipe."""
    return shlex.join(["linnet", "train", f"{run.folder}/recipe.toml", "--output", f"runs/{run.name}"])


def _pair_with_baseline(
    baseline: Labels, choices: Sequence[Labels], place: Labels, outcomes: PlaceOutcomes
) -> Iterable[_PairedRuns]:
    """Yield the scores of each choice that has a seed in common with the baseline."""
    for choice in choices:
        pair = outcomes.pair(baseline, choice)
        if pair is not None:
            seeds, scores = pair
            yield _PairedRuns(place=place, choice=choice, seeds=seeds, scores=scores, n_units=outcomes.n_units)


def _agreements(baseline: Labels, choices: Sequence[Labels], place: Labels, outcomes: PlaceOutcomes) -> Iterable[Pair]:
    for choice in choices:
        agreement = outcomes.agreement(place, baseline, choice)
        if agreement is not None:
            yield agreement


def _compare_at_places(grid: Grid, paired: Sequence[_PairedRuns]) -> list[Comparison]:
    differences = [
        Difference(runs.place, runs.choice, paired_difference(*runs.scores, n_units=runs.n_units)) for runs in paired
    ]
    return compare_family(grid.baseline, differences, split=grid.split)


def _compare_over_places(grid: Grid, paired: Sequence[_PairedRuns]) -> list[Comparison]:
    """Compare over all places; places with the same test sentences are averaged first, because they vary together."""
    n_places = len({_key(runs.place) for runs in paired})
    if n_places < 2:
        return []
    tests = _test_fingerprints(grid)
    differences: list[Difference] = []
    for choice in _choices(paired):
        groups: dict[str, list[_PairedRuns]] = {}
        for runs in paired:
            if runs.choice == choice:
                groups.setdefault(tests[_key(runs.place)], []).append(runs)
        means = [_average(group) for group in groups.values()]
        known = [mean for mean in means if mean is not None]
        if sum(map(len, groups.values())) < n_places or len(known) < len(means):
            continue  # a mean over fewer places would not be comparable
        pooled = pooled_difference(known) if len(known) > 1 else known[0]
        differences.append(Difference({}, choice, pooled))
    return compare_family(grid.baseline, differences, split=grid.split)


def _average(group: Sequence[_PairedRuns]) -> PairedDifference | None:
    """Return the mean over places with the same test sentences, of the seeds that all of them have."""
    seeds = [seed for seed in group[0].seeds if all(seed in runs.seeds for runs in group)]
    if not seeds:
        return None
    places = []
    for runs in group:
        columns = [runs.seeds.index(seed) for seed in seeds]
        places.append(PairedScores(*(values[..., columns] for values in runs.scores)))
    return mean_over_places(places, n_units=group[0].n_units)


def _test_fingerprints(grid: Grid) -> dict[Key, str]:
    """Return the fingerprint of the judged split at each place."""
    return {_key(run.place): read_facts(run.folder).fingerprints[grid.split] for run in grid.runs if run.is_finished}


def _failures(grid: Grid, errors: Mapping[str, str]) -> Iterable[Failure]:
    for run in grid.runs:
        if not run.is_finished and run.name in errors:
            again = ["linnet", "compare", str(grid.path), "--output", str(grid.output)]
            yield Failure(run.name, errors[run.name], shlex.join(again))


def _details(grid: Grid, n_resamples: int) -> dict[str, str]:
    linked = {"linked settings": grid.linked.title} if grid.linked.rows else {}
    return {
        "grid": str(grid.path),
        **linked,
        "runs": str(grid.output / "runs"),
        "seeds": ", ".join(map(str, grid.seeds)),
        "resamples": f"{n_resamples:,} draws of the {grid.split} sentences",
        "version": f"Linnet {__version__}",
    }
