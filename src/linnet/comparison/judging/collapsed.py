"""Collapsed runs: trainings that learned next to nothing, their share for each choice, and a test of the shares.

A run has collapsed if its score is below 1 %, or if it predicts no mention although there are some. A choice that
collapses more often than the baseline is worse in a way of its own, which a mean over all runs would mix up with how
good the other runs are.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from linnet.comparison.outcomes import PlaceOutcomes
from linnet.comparison.results import CollapsedRuns, Labels
from linnet.contracts import Outcome
from linnet.metrics.statistics.ranks import fisher_exact
from linnet.metrics.statistics.significance import holm

__all__ = ["COLLAPSED_BELOW", "compare_shares", "count_collapsed", "find_collapsed"]

Key = tuple[str, ...]  # the labels of a place or of a choice

COLLAPSED_BELOW = 0.01  # a score


def find_collapsed(outcomes: PlaceOutcomes, choice: Labels) -> tuple[int, ...]:
    """Return the seeds of a choice whose runs have collapsed."""
    has_mentions = any(outcomes.tested.gold)
    return tuple(
        seed
        for (labels, seed), run in outcomes.runs.items()
        if labels == _key(choice) and _has_collapsed(run, has_mentions)
    )


def count_collapsed(
    outcomes: PlaceOutcomes, place: Labels, choices: Sequence[Labels], baseline: Labels
) -> Iterator[CollapsedRuns]:
    """Yield the finished and the collapsed runs of each choice at one place, the baseline's first."""
    for choice in (baseline, *(choice for choice in choices if choice != baseline)):
        seeds, n_runs = find_collapsed(outcomes, choice), len(outcomes.scores_by_seed(choice))
        yield CollapsedRuns(place=place, choice=choice, n_runs=n_runs, n_collapsed=len(seeds), seeds=seeds)


def compare_shares(counted: Sequence[CollapsedRuns], baseline: Labels) -> tuple[CollapsedRuns, ...]:
    """Return the shares of collapsed runs over all places, if there are several, then those at single places.

    Each share is tested against the baseline's at the same place. Holm's correction is over all choices and places, and
    over all choices for the sums. Places where no run has collapsed are left out.
    """
    places = {_key(each.place) for each in counted}
    affected = {_key(each.place) for each in counted if each.n_collapsed}
    single = [each for each in counted if _key(each.place) in affected]
    summed = _sum_over_places(counted) if affected and len(places) > 1 else []
    return (*_test_against(baseline, summed), *_test_against(baseline, single))


def _has_collapsed(run: Outcome, has_mentions: bool) -> bool:
    predicts_nothing = has_mentions and not any(run.predicted)
    return predicts_nothing or (run.score < COLLAPSED_BELOW and not run.right.all())


def _sum_over_places(counted: Iterable[CollapsedRuns]) -> list[CollapsedRuns]:
    by_choice: dict[Key, list[CollapsedRuns]] = {}
    for each in counted:
        by_choice.setdefault(_key(each.choice), []).append(each)
    return [
        CollapsedRuns(
            place={},
            choice=group[0].choice,
            n_runs=sum(each.n_runs for each in group),
            n_collapsed=sum(each.n_collapsed for each in group),
        )
        for group in by_choice.values()
    ]


def _test_against(baseline: Labels, counted: Sequence[CollapsedRuns]) -> list[CollapsedRuns]:
    """Return the shares with their p-values, before and after Holm's correction."""
    of_baseline = {_key(each.place): each for each in counted if each.choice == baseline}
    p_values = {
        str(at): _p_value(of_baseline[_key(each.place)], each)
        for at, each in enumerate(counted)
        if each.choice != baseline
    }
    adjusted: Mapping[str, float] = holm(p_values)
    return [
        replace(each, p_value=p_values.get(str(at)), adjusted_p=adjusted.get(str(at)))
        for at, each in enumerate(counted)
    ]


def _p_value(baseline: CollapsedRuns, found: CollapsedRuns) -> float:
    return fisher_exact(baseline.n_collapsed, baseline.n_runs, found.n_collapsed, found.n_runs)


def _key(labels: Labels) -> Key:
    return tuple(labels.values())
