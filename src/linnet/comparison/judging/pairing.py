"""Pairs the runs of each choice with the baseline's, seed by seed, and finds how they differ.

Places with the same test units, such as two encoders on one corpus, are averaged first because they vary together.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from linnet.comparison.differences import Difference
from linnet.comparison.judging.collapsed import find_collapsed
from linnet.comparison.outcomes import PlaceOutcomes
from linnet.comparison.results import Labels
from linnet.metrics.statistics.hierarchical import PairedDifference, PairedScores, paired_difference
from linnet.metrics.statistics.pooling import mean_over_places, pooled_difference
from linnet.metrics.statistics.ranks import by_ranks

__all__ = ["Key", "PairedRuns", "differences_at_places", "differences_over_places", "leave_out_collapsed", "pair_runs"]

Key = tuple[str, ...]  # the labels of a place or of a choice


class PairedRuns(NamedTuple):
    """The scores of a choice and of the baseline at one place, for the seeds that both have."""

    place: Labels
    choice: Labels
    seeds: Sequence[int]
    scores: PairedScores
    n_units: int
    collapsed: frozenset[int]  # seeds with which either of the two runs has collapsed
    effective_units: float | None = None

    def restricted(self, seeds: Sequence[int]) -> "PairedRuns":
        """Return the same runs with fewer seeds."""
        columns = [list(self.seeds).index(seed) for seed in seeds]
        scores = PairedScores(*(values[..., columns] for values in self.scores))
        return self._replace(seeds=seeds, scores=scores, collapsed=self.collapsed & set(seeds))


def pair_runs(
    baseline: Labels, choices: Sequence[Labels], place: Labels, outcomes: PlaceOutcomes
) -> Iterator[PairedRuns]:
    """Yield the scores of each choice that has a seed in common with the baseline."""
    of_baseline = find_collapsed(outcomes, baseline)
    for choice in choices:
        pair = outcomes.pair(baseline, choice)
        if pair is not None:
            seeds, scores = pair
            collapsed = frozenset((*of_baseline, *find_collapsed(outcomes, choice))) & set(seeds)
            yield PairedRuns(
                place=place,
                choice=choice,
                seeds=seeds,
                scores=scores,
                n_units=outcomes.n_units,
                collapsed=collapsed,
                effective_units=outcomes.effective_units,
            )


def leave_out_collapsed(paired: Iterable[PairedRuns]) -> list[PairedRuns]:
    """Return the runs without the seeds with which either of the two has collapsed; pairs without a seed are gone."""
    kept = [(runs, [seed for seed in runs.seeds if seed not in runs.collapsed]) for runs in paired]
    return [runs.restricted(seeds) for runs, seeds in kept if seeds]


def differences_at_places(paired: Sequence[PairedRuns], *, test: str) -> list[Difference]:
    """Return how each choice differs at each place, tested by means (`t`) or by ranks (`rank`)."""
    return [Difference(runs.place, runs.choice, _compare([runs], test)) for runs in paired]


def differences_over_places(
    paired: Sequence[PairedRuns], test_sets: Mapping[Key, str], *, n_places: int, test: str
) -> list[Difference]:
    """Return the mean over all places for each choice that all of them have, nothing for a single place.

    Args:
        paired: runs at single places.
        test_sets: the fingerprint of the test units, by place.
        n_places: that the mean is over.
        test: `t` or `rank`; ranks need seeds that all places have in common.
    """
    differences: list[Difference] = []
    for choice in {_key(runs.choice): runs.choice for runs in paired}.values():
        own = [runs for runs in paired if runs.choice == choice]
        if n_places < 2 or len(own) < n_places:
            continue  # a mean over fewer places would not be comparable
        groups: dict[str, list[PairedRuns]] = {}
        for runs in own:
            groups.setdefault(test_sets[_key(runs.place)], []).append(runs)
        shared = [_shared_seeds(group) for group in groups.values()]
        if all(shared):
            members = [
                [runs.restricted(seeds) for runs in group] for group, seeds in zip(groups.values(), shared, strict=True)
            ]
            differences.append(Difference({}, choice, _pool(members, test)))
    return differences


def _pool(groups: Sequence[Sequence[PairedRuns]], test: str) -> PairedDifference:
    """Return the mean over groups of places; the places of a group have the same test units and seeds."""
    if len(groups) == 1:
        return _compare(groups[0], test)
    means = [_compare(group, "t") for group in groups]
    pooled = pooled_difference(means, seeds=[group[0].seeds for group in groups])
    everywhere = _shared_seeds([group[0] for group in groups])
    if test == "t" or not everywhere:
        return pooled
    restricted = [[runs.restricted(everywhere) for runs in group] for group in groups]
    scores = [_mean_scores(group) for group in restricted]
    return by_ranks(pooled, np.mean([each.a for each in scores], axis=0), np.mean([each.b for each in scores], axis=0))


def _compare(group: Sequence[PairedRuns], test: str) -> PairedDifference:
    """Return the mean over places with the same test units and seeds."""
    means = [runs.scores for runs in group]
    n_units, effective = group[0].n_units, group[0].effective_units
    if len(means) > 1:
        difference = mean_over_places(means, n_units=n_units, effective_units=effective)
    else:
        difference = paired_difference(*means[0], n_units=n_units, effective_units=effective)
    if test == "t":
        return difference
    scores = _mean_scores(group)
    return by_ranks(difference, scores.a, scores.b)


def _mean_scores(group: Sequence[PairedRuns]) -> PairedScores:
    return PairedScores(*(np.mean(values, axis=0) for values in zip(*(runs.scores for runs in group), strict=True)))


def _shared_seeds(group: Sequence[PairedRuns]) -> list[int]:
    return [seed for seed in group[0].seeds if all(seed in runs.seeds for runs in group)]


def _key(labels: Labels) -> Key:
    return tuple(labels.values())
