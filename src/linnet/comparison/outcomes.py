"""Finished runs at one place of a grid: their scores by choice and seed, and on which sentences two choices differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linnet.comparison.grid import PlannedRun
from linnet.comparison.results import Disagreement, Labels, Pair
from linnet.contracts import Outcome, Outcomes, tasks
from linnet.metrics.mentions.tally import Array
from linnet.metrics.statistics.hierarchical import PairedScores

__all__ = ["PlaceOutcomes", "RunKey", "read_outcomes"]

MOST_SENTENCES = 500  # of those that two systems judge differently, most first
RunKey = tuple[tuple[str, ...], int]  # the labels of the choice, and the seed


@dataclass(frozen=True)
class PlaceOutcomes:
    """The finished runs at one place: what each predicted on the same test sentences."""

    runs: Mapping[RunKey, Outcome]
    tested: Outcomes  # what the task says of the same runs, in the same order

    @property
    def n_units(self) -> int:
        """How many units scores are resampled over."""
        return self.tested.n_units

    @cached_property
    def resampled(self) -> dict[RunKey, Array]:
        """Every run's score on every resample of the units, the same resamples for all."""
        return dict(zip(self.runs, self.tested.resample(), strict=True))

    def score(self, key: RunKey) -> float:
        """Return the score of one run."""
        return self.runs[key].score

    def scores_by_seed(self, choice: Labels) -> dict[int, float]:
        """Return the scores of a choice, seed by seed."""
        return {key[1]: self.score(key) for key in self.runs if key[0] == tuple(choice.values())}

    def beside_by_seed(self, choice: Labels) -> dict[str, dict[int, float]]:
        """Return the other scores of a choice by name, each seed by seed."""
        found: dict[str, dict[int, float]] = {}
        for (labels, seed), run in self.runs.items():
            if labels == tuple(choice.values()):
                for name, value in run.beside.items():
                    found.setdefault(name, {})[seed] = value
        return found

    def label_scores(self, choice: Labels) -> dict[str, float]:
        """Return the mean score over the seeds of a choice for each label."""
        found: dict[str, list[float]] = {}
        for key, run in self.runs.items():
            if key[0] == tuple(choice.values()):
                for label, value in run.labels.items():
                    found.setdefault(label, []).append(value)
        return {label: float(np.mean(values)) for label, values in found.items()}

    def pair(self, baseline: Labels, choice: Labels) -> tuple[list[int], PairedScores] | None:
        """Return the seeds that both have, and the scores of both, seed by seed; None where there is none."""
        first, second = tuple(baseline.values()), tuple(choice.values())
        seeds = self._shared_seeds(first, second)
        if not seeds:
            return None
        a, b = ([self.score((labels, seed)) for seed in seeds] for labels in (first, second))
        again = (np.stack([self.resampled[labels, seed] for seed in seeds], axis=1) for labels in (first, second))
        return seeds, PairedScores(np.array(a), np.array(b), *again)

    def agreement(self, place: Labels, baseline: Labels, choice: Labels) -> Pair | None:
        """Return which sentences the two get right, and those on which they differ."""
        first, second = tuple(baseline.values()), tuple(choice.values())
        seeds = self._shared_seeds(first, second)
        if not seeds:
            return None
        right = [np.stack([self.runs[labels, seed].right for seed in seeds]) for labels in (first, second)]
        both, neither = (right[0] & right[1]).sum(axis=1), (~right[0] & ~right[1]).sum(axis=1)
        sums = [each.sum(axis=0) for each in right]
        order = np.argsort(-np.abs(sums[0] - sums[1]), kind="stable")
        chosen = [int(at) for at in order if sums[0][at] != sums[1][at]][:MOST_SENTENCES]
        return Pair(
            place,
            choice,
            float(both.mean()),
            float((right[0].sum(axis=1) - both).mean()),
            float((right[1].sum(axis=1) - both).mean()),
            float(neither.mean()),
            tuple(
                self._disagreement(at, (first, second), seeds, (int(sums[0][at]), int(sums[1][at]))) for at in chosen
            ),
        )

    def _shared_seeds(self, first: tuple[str, ...], second: tuple[str, ...]) -> list[int]:
        return [seed for labels, seed in self.runs if labels == first and (second, seed) in self.runs]

    def _disagreement(
        self, at: int, systems: tuple[tuple[str, ...], tuple[str, ...]], seeds: list[int], right: tuple[int, int]
    ) -> Disagreement:
        first, second = (self.runs[labels, seeds[0]].predicted[at] for labels in systems)
        return Disagreement(
            words=tuple(self.tested.words[at]),
            gold=self.tested.gold[at],
            first=first,
            second=second,
            first_right=right[0],
            second_right=right[1],
            seeds=len(seeds),
        )


def read_outcomes(runs: Sequence[PlannedRun], *, metric: str, n_resamples: int, seed: int) -> PlaceOutcomes:
    """Return the outcomes of finished runs at one place.

    Raises:
        BadFile: where a run has no test predictions, or was scored on other units than the first.
    """
    found = [(run.folder, run.settings) for run in runs]
    tested = tasks.get(runs[0].settings.task).outcomes(found, metric=metric, n_resamples=n_resamples, seed=seed)
    keys = [(tuple(run.choice.values()), run.seed) for run in runs]
    return PlaceOutcomes(dict(zip(keys, tested.runs, strict=True)), tested)
