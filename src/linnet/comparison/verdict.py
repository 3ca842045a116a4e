"""Verdicts of a grid: significance tests of every choice against the baseline.

Each comparison is a hierarchical paired bootstrap over seeds and test sentences (`metrics.statistics.hierarchical`;
`docs/comparing-method.md` describes it). The comparisons at single places are one family for Holm's correction, those
over all places another.
"""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from linnet import __version__
from linnet.comparison.corpora import corpus_warnings
from linnet.comparison.differences import Difference, compare_family
from linnet.comparison.grid import Grid, PlannedRun
from linnet.comparison.judging.collapsed import compare_shares, count_collapsed, find_collapsed
from linnet.comparison.judging.links import is_linked, judge_links, title_of_links
from linnet.comparison.judging.pairing import (
    Key,
    PairedRuns,
    differences_at_places,
    differences_over_places,
    leave_out_collapsed,
    pair_runs,
)
from linnet.comparison.judging.planning import FEWEST_PILOT_SEEDS, Pilots, find_hollow_places, find_unfit
from linnet.comparison.judging.wording import name_margin
from linnet.comparison.kept.restored import check_not_restored
from linnet.comparison.outcomes import PlaceOutcomes, arrange_outcomes, read_outcomes
from linnet.comparison.results import (
    Cell,
    CollapsedRuns,
    Comparison,
    DrawnUnits,
    Failure,
    Labels,
    OtherReading,
    Pair,
    Results,
    title_of,
)
from linnet.contracts import PublishedScore, tasks
from linnet.errors import BadFile
from linnet.models.model_folder import FACTS, read_facts

__all__ = ["N_RESAMPLES", "compare_choices", "find_pilots"]

N_RESAMPLES = 4000  # so many that a p value near 0.05 hardly depends on the draws


def compare_choices(
    grid: Grid, *, errors: Mapping[str, str] | None = None, metric: str | None = None,
    n_resamples: int = N_RESAMPLES, seed: int = 0,
) -> Results:  # fmt: skip
    """Return the scores of a grid's finished runs, and each choice compared with the baseline.

    Args:
        grid: with some or all of its runs finished.
        errors: why runs failed, by name.
        metric: a matching or a score of the task; the grid's own if not given.
        n_resamples: how often the test units are drawn.
        seed: of these draws.
    """
    metric = metric or grid.metric
    cells: list[Cell] = []
    pairs: list[Pair] = []
    paired: list[PairedRuns] = []
    collapsed: list[CollapsedRuns] = []
    drawn: list[DrawnUnits] = []
    for runs in _group_by_place(grid.runs):
        outcomes = _read_finished(grid, runs, metric=metric, n_resamples=n_resamples, seed=seed)
        cells += _cells(grid, runs, outcomes, metric)
        if outcomes is not None:
            if outcomes.tested.units:
                is_sample = _is_sample_of_sentences(grid, runs)
                drawn.append(DrawnUnits(runs[0].place, outcomes.tested.units, outcomes.n_units, is_sample=is_sample))
            others = [choice for choice in _choices(runs) if choice != grid.baseline]
            paired += pair_runs(grid.baseline, others, runs[0].place, outcomes)
            collapsed += count_collapsed(outcomes, runs[0].place, _choices(runs), grid.baseline)
            pairs += _agreements(grid.baseline, others, runs[0].place, outcomes)
    return Results(
        name=grid.name,
        metric=_title_of(grid, metric) + ("" if grid.split == "test" else f" on {grid.split}"),
        baseline=grid.baseline,
        place_axes=grid.place_axes,
        choice_axes=grid.choice_axes,
        size_axis=grid.size_axis,
        seeds=grid.seeds,
        cells=tuple(cells),
        comparisons=tuple(_judge(grid, paired)),
        pairs=tuple(pairs),
        failures=tuple(_failures(grid, errors or {})),
        missing=sum(not run.is_finished for run in grid.runs),
        notes=(*grid.notes, *_warn_of_sentences(drawn), *corpus_warnings(grid)),
        caption=grid.caption,
        split=grid.split,
        collapsed=compare_shares(collapsed, grid.baseline),
        details=_details(grid, n_resamples),
        drawn=tuple(drawn),
    )


def find_pilots(grid: Grid, *, n_resamples: int = N_RESAMPLES, seed: int = 0) -> Pilots:
    """Return how the choices differ in the finished runs, over all places or at the only one, and what is unfit."""
    paired: list[PairedRuns] = []
    for runs in _group_by_place(grid.runs):
        outcomes = _read_finished(grid, runs, metric=grid.metric, n_resamples=n_resamples, seed=seed)
        if outcomes is not None:
            others = [choice for choice in _choices(runs) if choice != grid.baseline]
            paired += pair_runs(grid.baseline, others, runs[0].place, outcomes)
    left_out = find_hollow_places(paired, grid.baseline)
    paired = [runs for runs in paired if _key(runs.place) not in left_out]
    kept = leave_out_collapsed(paired) if grid.rules.collapse == "exclude" else paired
    single, pooled = _families(grid, kept, n_places=_count_places(paired))
    at_places = tuple(each for each in single if each.test.n_seeds >= FEWEST_PILOT_SEEDS) if pooled else ()
    return Pilots(pooled or single, find_unfit(paired, grid.baseline), tuple(left_out.values()), at_places)


def _title_of(grid: Grid, metric: str) -> str:
    return title_of_links(metric) if is_linked(metric) else tasks.get(grid.task).metric_title(metric)


def _group_by_place(runs: Sequence[PlannedRun]) -> Iterable[list[PlannedRun]]:
    places: dict[Key, list[PlannedRun]] = {}
    for run in runs:
        places.setdefault(_key(run.place), []).append(run)
    return places.values()


def _read_finished(
    grid: Grid, runs: Sequence[PlannedRun], *, metric: str, n_resamples: int, seed: int
) -> PlaceOutcomes | None:
    finished = [run for run in runs if run.is_finished]
    if not finished:
        return None
    check_not_restored([run.folder for run in finished], grid.split)
    if is_linked(metric):
        tested = judge_links(grid, finished, metric=metric, n_resamples=n_resamples, seed=seed)
        return arrange_outcomes(finished, tested)
    return read_outcomes(finished, metric=metric, n_resamples=n_resamples, seed=seed, split=grid.split)


def _key(labels: Labels) -> Key:
    return tuple(labels.values())


def _choices(runs: Iterable[PlannedRun]) -> list[Labels]:
    return list({_key(run.choice): run.choice for run in runs}.values())


def _cells(grid: Grid, runs: Sequence[PlannedRun], outcomes: PlaceOutcomes | None, metric: str) -> Iterable[Cell]:
    """Yield a cell for each choice at one place."""
    task = tasks.get(grid.task)
    for choice in _choices(runs):
        repetitions = [run for run in runs if run.choice == choice]
        is_published = grid.split == "test" and not is_linked(metric)
        published = task.published(repetitions[0].settings, metric) if is_published else None
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
        collapsed=find_collapsed(outcomes, choice) if outcomes else (),
        published_beside=dict(published.beside) if published else {},
    )


def _command(run: PlannedRun) -> str:
    """Return the command that repeats a finished run; its folder holds the recipe."""
    return shlex.join(["linnet", "train", f"{run.folder}/recipe.toml", "--output", f"runs/{run.name}"])


def _agreements(baseline: Labels, choices: Sequence[Labels], place: Labels, outcomes: PlaceOutcomes) -> Iterable[Pair]:
    for choice in choices:
        agreement = outcomes.agreement(place, baseline, choice)
        if agreement is not None:
            yield agreement


def _judge(grid: Grid, paired: Sequence[PairedRuns]) -> list[Comparison]:
    """Return the verdicts at single places and over all, with and without collapsed runs where there are any."""
    kept = leave_out_collapsed(paired)
    is_report = grid.rules.collapse == "report"
    first, second = (paired, kept) if is_report else (kept, paired)
    affected = {(_key(runs.place), _key(runs.choice)) for runs in paired if runs.collapsed}
    affected |= {((), choice) for _, choice in affected}
    n_places = _count_places(paired)
    again = _families(grid, second, n_places=n_places) if affected else ([], [])
    comparisons: list[Comparison] = []
    for judged, others in zip(_families(grid, first, n_places=n_places), again, strict=True):
        readings = {
            (_key(each.place), _key(each.choice)): _as_reading(each, is_conditional=is_report)
            for each in compare_family(grid.baseline, others, margin=grid.rules.margin_share)
        }
        comparisons += compare_family(
            grid.baseline, judged, split=grid.split, margin=grid.rules.margin_share,
            others={key: reading for key, reading in readings.items() if key in affected},
        )  # fmt: skip
    return comparisons


def _count_places(paired: Sequence[PairedRuns]) -> int:
    return len({_key(runs.place) for runs in paired})


def _families(grid: Grid, paired: Sequence[PairedRuns], *, n_places: int) -> tuple[list[Difference], list[Difference]]:
    """Return the differences at single places, and those over all places: the two families for Holm's correction."""
    pooled = differences_over_places(paired, _test_fingerprints(grid), n_places=n_places, test=grid.rules.test)
    return differences_at_places(paired, test=grid.rules.test), pooled


def _warn_of_sentences(drawn: Sequence[DrawnUnits]) -> Iterable[str]:
    """Yield a note about the places where intervals are over sentences, for each of the two reasons."""
    for is_sample in (False, True):
        narrow = [title_of(each.place) for each in drawn if each.is_narrow and each.is_sample == is_sample]
        if narrow:
            reason = "devel is a sample of single sentences" if is_sample else "the files have no documents"
            remedy = (
                "; to draw whole documents, where the corpus has them, set `sample_documents = true` beside "
                "`devel_sentences` and make the runs again, or leave `devel_sentences` out"
                if is_sample
                else "; `--documents FILE` says which sentences are one document"
            )
            yield (
                f"intervals are over sentences, because {reason} ({'; '.join(filter(None, narrow))}): they are "
                f"probably too narrow, and p values too small{remedy}"
            ).replace(" ()", "")


def _is_sample_of_sentences(grid: Grid, runs: Sequence[PlannedRun]) -> bool:
    settings = runs[0].settings
    is_sampled = grid.split == "devel" and settings.devel_sentences is not None
    return is_sampled and not getattr(settings, "sample_documents", False)


def _as_reading(found: Comparison, *, is_conditional: bool) -> OtherReading:
    return OtherReading(
        is_conditional=is_conditional,
        difference=found.difference,
        low=found.low,
        high=found.high,
        adjusted_p=found.adjusted_p,
        n_seeds=found.n_seeds,
        verdict=found.verdict,
    )


def _test_fingerprints(grid: Grid) -> dict[Key, str]:
    """Return the fingerprint of the judged split at each place."""
    return {_key(run.place): _fingerprint(run.folder, grid.split) for run in grid.runs if run.is_finished}


def _fingerprint(folder: Path, split: str) -> str:
    found = read_facts(folder).fingerprints.get(split)
    if found is None:
        raise BadFile(f"{folder / FACTS}: has no fingerprint of {split}", "remove the run; the grid makes it again")
    return found


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
        **({"vocabulary": _name_vocabularies(grid)} if is_linked(grid.metric) else {}),
        "runs": str(grid.output / "runs"),
        "seeds": ", ".join(map(str, grid.seeds)),
        "margin of equivalence": name_margin(grid.rules.margin_share),
        "collapsed runs": "count in the verdicts" if grid.rules.collapse == "report" else "left out of the verdicts",
        "test over seeds": "mean differences (t)" if grid.rules.test == "t" else "ranks",
        "resamples": f"{n_resamples:,} draws of the units of {grid.split}",
        "version": f"Linnet {__version__}",
    }


def _name_vocabularies(grid: Grid) -> str:
    given = grid.vocabulary or ""
    return given if isinstance(given, str) else ", ".join(f"{label}: {place}" for label, place in given.items())
