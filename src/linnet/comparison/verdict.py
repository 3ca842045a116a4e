"""Does a choice really help? Every cell of a grid, every comparison with the baseline, and what it is worth.

Each comparison is a hierarchical paired bootstrap over seeds and test sentences (`metrics.statistics.hierarchical`;
`docs/comparing-method.md` describes it). The comparisons at single places are one family for Holm's correction, those
over all places another.
"""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from linnet import __version__
from linnet.comparison.grid import Grid, PlannedRun
from linnet.comparison.outcomes import PlaceOutcomes, read_outcomes
from linnet.comparison.results import Cell, Comparison, Failure, Labels, Pair, Results, Verdict, title_of
from linnet.contracts import PublishedScore, tasks
from linnet.metrics.statistics.hierarchical import (
    PairedDifference,
    PairedScores,
    mean_over_places,
    paired_difference,
    pooled_difference,
)
from linnet.metrics.statistics.significance import holm
from linnet.models.model_folder import read_facts

__all__ = ["judge"]

ALPHA = 0.05
Place = tuple[str, ...]


class _Found(NamedTuple):
    """The scores of a choice and of the baseline at one place, for the seeds that both have."""

    place: Labels
    choice: Labels
    seeds: list[int]
    scores: PairedScores
    n_units: int


def judge(
    grid: Grid, *, errors: Mapping[str, str] | None = None, metric: str | None = None, n_resamples: int = 1000,
    seed: int = 0,
) -> Results:  # fmt: skip
    """Return what the finished runs of a grid say.

    Args:
        grid: with some or all of its runs finished.
        errors: why runs failed, by name.
        metric: a matching; the grid's own if not given.
        n_resamples: how often the test sentences are drawn.
        seed: of these draws.
    """
    metric, task = metric or grid.metric, tasks.get(grid.task)
    cells: list[Cell] = []
    pairs: list[Pair] = []
    found: dict[tuple[Place, Place], _Found] = {}
    for runs in _by_place(grid.runs):
        done = [run for run in runs if run.is_finished]
        outcomes = read_outcomes(done, metric=metric, n_resamples=n_resamples, seed=seed) if done else None
        place = runs[0].place
        for choice in _choices(runs):
            published = task.published(next(run.settings for run in runs if run.choice == choice), metric)
            cells.append(_cell(grid, [run for run in runs if run.choice == choice], outcomes, published))
            if choice == grid.baseline or outcomes is None:
                continue
            paired = outcomes.pair(grid.baseline, choice)
            if paired is not None:
                found[_key(place), _key(choice)] = _Found(place, choice, *paired, outcomes.n_units)
            agreement = outcomes.agreement(place, grid.baseline, choice)
            pairs += [agreement] if agreement else []
    comparisons = [*_at_places(grid, found), *_over_places(grid, found)]
    return Results(
        name=grid.name,
        metric=task.metric_title(metric),
        baseline=grid.baseline,
        place_axes=grid.place_axes,
        choice_axes=grid.choice_axes,
        size_axis=grid.size_axis,
        seeds=grid.seeds,
        cells=tuple(cells),
        comparisons=tuple(comparisons),
        pairs=tuple(pairs),
        failures=tuple(_failures(grid, errors or {})),
        missing=sum(not run.is_finished for run in grid.runs),
        notes=grid.notes,
        details=_details(grid, n_resamples),
    )


def _by_place(runs: Sequence[PlannedRun]) -> Iterable[list[PlannedRun]]:
    places: dict[Place, list[PlannedRun]] = {}
    for run in runs:
        places.setdefault(_key(run.place), []).append(run)
    return places.values()


def _key(labels: Labels) -> Place:
    return tuple(labels.values())


def _choices(runs: Sequence[PlannedRun]) -> list[Labels]:
    return list({_key(run.choice): run.choice for run in runs}.values())


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
    """Return what repeats a run that was made; before, its recipe is only in the grid file."""
    return shlex.join(["linnet", "train", f"{run.folder}/recipe.toml", "--output", f"runs/{run.name}"])


def _at_places(grid: Grid, found: Mapping[tuple[Place, Place], _Found]) -> list[Comparison]:
    differences = {
        key: (each.place, each.choice, paired_difference(*each.scores, n_units=each.n_units))
        for key, each in found.items()
    }
    return _adjusted(grid, differences)


def _over_places(grid: Grid, found: Mapping[tuple[Place, Place], _Found]) -> list[Comparison]:
    """Compare over all places; those that share their test sentences are averaged before, for they vary together."""
    n_places = len({key[0] for key in found})
    if n_places < 2:
        return []
    tests = _tests(grid)
    differences: dict[tuple[Place, Place], tuple[Labels, Labels, PairedDifference]] = {}
    for choice in {key[1]: each.choice for key, each in found.items()}.values():
        groups: dict[str, list[_Found]] = {}
        for (place, labels), each in found.items():
            if labels == _key(choice):
                groups.setdefault(tests[place], []).append(each)
        means = [_mean(group) for group in groups.values()]
        known = [mean for mean in means if mean is not None]
        if sum(map(len, groups.values())) < n_places or len(known) < len(means):
            continue  # a mean over other places than the rest would not be comparable
        pooled = pooled_difference(known) if len(known) > 1 else known[0]
        differences[(), _key(choice)] = ({}, choice, pooled)
    return _adjusted(grid, differences)


def _mean(group: Sequence[_Found]) -> PairedDifference | None:
    """Return the mean over places with the same test sentences, of the seeds that all of them have."""
    seeds = [seed for seed in group[0].seeds if all(seed in each.seeds for each in group)]
    if not seeds:
        return None
    places = []
    for each in group:
        at = [each.seeds.index(seed) for seed in seeds]
        places.append(PairedScores(*(values[..., at] for values in each.scores)))
    return mean_over_places(places, n_units=group[0].n_units)


def _tests(grid: Grid) -> dict[Place, str]:
    """Return the fingerprint of the test split at each place."""
    return {_key(run.place): read_facts(run.folder).fingerprints["test"] for run in grid.runs if run.is_finished}


def _adjusted(
    grid: Grid, differences: Mapping[tuple[Place, Place], tuple[Labels, Labels, PairedDifference]]
) -> list[Comparison]:
    names = {str(key): key for key in differences}
    adjusted = holm({name: differences[key][2].p_value for name, key in names.items()})
    comparisons = []
    for name, key in names.items():
        place, choice, found = differences[key]
        plain = Comparison(
            place,
            choice,
            found.difference,
            found.low,
            found.high,
            found.p_value,
            adjusted[name],
            len(differences),
            found.smallest_detectable(family_size=len(differences)),
            found.wins,
            found.ties,
            found.losses,
            _verdict(found, adjusted[name]),
            "",
        )
        comparisons.append(replace(plain, sentence=_sentence(plain, grid.baseline, found)))
    return comparisons


def _verdict(found: PairedDifference, adjusted: float) -> Verdict:
    if found.standard_error == 0 and found.difference == 0:
        return "identical"
    if adjusted >= ALPHA:
        return "no evidence"
    return "better" if found.difference > 0 else "worse"


def _sentence(found: Comparison, baseline: Labels, difference: PairedDifference) -> str:
    what, against = title_of(found.choice), title_of(baseline)
    where = "Over all places" if found.is_pooled else f"On {title_of(found.place)}"
    if found.verdict == "identical":
        return f"{where}, {what} scores as {against} does, run for run."
    measured = (
        f"{100 * found.difference:+.2f} points ({100 * found.low:+.2f} to {100 * found.high:+.2f}), "
        f"p = {_p(found.adjusted_p)} after Holm"
    )
    seeds = "" if difference.covers_seeds else "; one seed, so nothing is known about others"
    if found.verdict == "no evidence":
        least = (
            f"below {100 * found.smallest_detectable:.2f} points" if found.smallest_detectable < 1 else "of any size"
        )
        return (
            f"{where}, there is no evidence that {what} differs from {against}: {measured}; "
            f"a true difference {least} would likely have been missed{seeds}."
        )
    return f"{where}, {what} is {found.verdict} than {against}: {measured}{seeds}."


def _p(value: float) -> str:
    return "below 0.001" if value < 0.001 else f"{value:.3f}"


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
        "resamples": f"{n_resamples:,} draws of the test sentences",
        "version": f"Linnet {__version__}",
    }
