"""Scores and predictions of the finished runs at one place of a grid, by choice and seed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linnet.comparison.grid import PlannedRun
from linnet.comparison.results import Disagreement, Labels, Pair
from linnet.contracts import Outcome, Outcomes, tasks
from linnet.metrics.mentions.tally import Array
from linnet.metrics.statistics.hierarchical import PairedScores

__all__ = ["PlaceOutcomes", "RunKey", "arrange_outcomes", "read_outcomes"]

MOST_SENTENCES = 500  # that one of two choices gets right, the largest disagreements first; and that none gets right
RunKey = tuple[tuple[str, ...], int]  # the labels of the choice, and the seed


@dataclass(frozen=True)
class PlaceOutcomes:
    """The finished runs at one place: what each predicted on the same test sentences."""

    runs: Mapping[RunKey, Outcome]
    tested: Outcomes  # of the same runs, in the same order, as the task read them

    @property
    def n_units(self) -> int:
        """The number of test units that scores are resampled over."""
        return self.tested.n_units

    @property
    def effective_units(self) -> float | None:
        """How many units of equal size tell as much; None if all count alike."""
        return self.tested.effective_units

    @cached_property
    def resampled(self) -> dict[RunKey, Array]:
        """The score of each run on each resample of the units; all runs have the same resamples."""
        return dict(zip(self.runs, self.tested.resample(), strict=True))

    def score(self, key: RunKey) -> float:
        """Return the score of one run."""
        return self.runs[key].score

    def scores_by_seed(self, choice: Labels) -> dict[int, float]:
        """Return the scores of a choice, seed by seed."""
        return {key[1]: self.score(key) for key in self.runs if key[0] == tuple(choice.values())}

    def beside_by_seed(self, choice: Labels) -> dict[str, dict[int, float]]:
        """Return the other scores of a choice by name, each seed by seed."""
        scores: dict[str, dict[int, float]] = {}
        for (labels, seed), run in self.runs.items():
            if labels == tuple(choice.values()):
                for name, value in run.beside.items():
                    scores.setdefault(name, {})[seed] = value
        return scores

    def label_scores(self, choice: Labels) -> dict[str, float]:
        """Return the mean score over the seeds of a choice for each label."""
        scores: dict[str, list[float]] = {}
        for key, run in self.runs.items():
            if key[0] == tuple(choice.values()):
                for label, value in run.labels.items():
                    scores.setdefault(label, []).append(value)
        return {label: float(np.mean(values)) for label, values in scores.items()}

    def pair(self, baseline: Labels, choice: Labels) -> tuple[list[int], PairedScores] | None:
        """Return the seeds that both have, and the scores of both, seed by seed; None without a common seed."""
        first, second = tuple(baseline.values()), tuple(choice.values())
        seeds = self._shared_seeds(first, second)
        if not seeds:
            return None
        a, b = ([self.score((labels, seed)) for seed in seeds] for labels in (first, second))
        resampled = (np.stack([self.resampled[labels, seed] for seed in seeds], axis=1) for labels in (first, second))
        return seeds, PairedScores(np.array(a), np.array(b), *resampled)

    def agreement(self, place: Labels, baseline: Labels, choice: Labels) -> Pair | None:
        """Return how many sentences the two get right, and those on which they disagree; None without a common seed."""
        first, second = tuple(baseline.values()), tuple(choice.values())
        seeds = self._shared_seeds(first, second)
        if not seeds:
            return None
        right = [np.stack([self.runs[labels, seed].right for seed in seeds]) for labels in (first, second)]
        both, neither = (right[0] & right[1]).sum(axis=1), (~right[0] & ~right[1]).sum(axis=1)
        sums = [by_seed.sum(axis=0) for by_seed in right]
        order = np.argsort(-np.abs(sums[0] - sums[1]), kind="stable")
        chosen = [int(at) for at in order if sums[0][at] != sums[1][at]][:MOST_SENTENCES]
        chosen += self._wrong_in_two_ways(first, second, seeds)[:MOST_SENTENCES]
        return Pair(
            place=place,
            choice=choice,
            both_right=float(both.mean()),
            only_baseline_right=float((right[0].sum(axis=1) - both).mean()),
            only_choice_right=float((right[1].sum(axis=1) - both).mean()),
            both_wrong=float(neither.mean()),
            sentences=tuple(
                self._disagreement(at, (first, second), seeds, (int(sums[0][at]), int(sums[1][at]))) for at in chosen
            ),
        )

    def _wrong_in_two_ways(self, first: tuple[str, ...], second: tuple[str, ...], seeds: list[int]) -> list[int]:
        """Return the units that both get wrong and predict differently; none if there are several seeds."""
        if len(seeds) > 1:
            return []
        a, b = (self.runs[labels, seeds[0]] for labels in (first, second))
        wrong = np.flatnonzero(~a.right & ~b.right).tolist()
        return [at for at in wrong if set(a.predicted[at]) != set(b.predicted[at])]

    def _shared_seeds(self, first: tuple[str, ...], second: tuple[str, ...]) -> list[int]:
        return [seed for labels, seed in self.runs if labels == first and (second, seed) in self.runs]

    def _disagreement(
        self, at: int, systems: tuple[tuple[str, ...], tuple[str, ...]], seeds: list[int], right: tuple[int, int]
    ) -> Disagreement:
        seed = self._telling_seed(at, systems, seeds, first_is_ahead=right[0] > right[1])
        first, second = (self.runs[labels, seed].predicted[at] for labels in systems)
        return Disagreement(
            words=tuple(self.tested.words[at]),
            gold=self.tested.gold[at],
            first=first,
            second=second,
            first_right=right[0],
            second_right=right[1],
            seeds=len(seeds),
            number=at,
        )

    def _telling_seed(
        self, at: int, systems: tuple[tuple[str, ...], tuple[str, ...]], seeds: list[int], *, first_is_ahead: bool
    ) -> int:
        """Return the first seed with which the system that is right more often is right, and the other is not."""
        ahead, behind = systems if first_is_ahead else systems[::-1]
        telling = (seed for seed in seeds if self.runs[ahead, seed].right[at] and not self.runs[behind, seed].right[at])
        return next(telling, seeds[0])


def read_outcomes(
    runs: Sequence[PlannedRun], *, metric: str, n_resamples: int, seed: int, split: str = "test"
) -> PlaceOutcomes:
    """Return the outcomes of finished runs at one place, on the test or the devel split.

    Raises:
        BadFile: where a run has no predictions for it, or was scored on other units than the first.
    """
    folders = [(run.folder, run.settings) for run in runs]
    task = tasks.get(runs[0].settings.task)
    tested = task.outcomes(folders, metric=metric, n_resamples=n_resamples, seed=seed, split=split)
    return arrange_outcomes(runs, tested)


def arrange_outcomes(runs: Sequence[PlannedRun], tested: Outcomes) -> PlaceOutcomes:
    """Return the outcomes of runs, in their order, by choice and seed."""
    keys = [(tuple(run.choice.values()), run.seed) for run in runs]
    return PlaceOutcomes(dict(zip(keys, tested.runs, strict=True)), tested)
