"""What did the runs at one place predict, and how does each score? Read from saved predictions; nothing is trained."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from linnet.compare.grid import PlannedRun
from linnet.compare.results import Disagreement, Labels, Pair
from linnet.contracts import ReadOptions
from linnet.errors import BadFile
from linnet.formats.rows import read_tagged
from linnet.metrics.hierarchical import PairedScores, resampled_scores
from linnet.metrics.scores import score
from linnet.metrics.tally import Array, Counts, f1_of
from linnet.metrics.units import Mark, Unit
from linnet.training.evaluation import read_predictions

__all__ = ["Outcomes", "read_outcomes"]

PREDICTIONS = "predictions-test.tsv"
MOST_SENTENCES = 500  # of those that two systems judge differently, most first
RunKey = tuple[tuple[str, ...], int]  # the labels of the choice, and the seed


@dataclass(frozen=True)
class Outcomes:
    """The finished runs at one place: what each predicted on the same test sentences."""

    counts: Mapping[RunKey, Counts]
    units: Mapping[RunKey, Sequence[Unit]]
    words: Sequence[Sequence[str]]
    n_resamples: int
    seed: int

    @property
    def n_units(self) -> int:
        """How many test sentences there are."""
        return len(self.words)

    @cached_property
    def resampled(self) -> dict[RunKey, Array]:
        """Every run's score on every resample of the sentences, the same resamples for all."""
        columns = resampled_scores(list(self.counts.values()), n_resamples=self.n_resamples, seed=self.seed)
        return dict(zip(self.counts, columns.T, strict=True))

    def score(self, key: RunKey) -> float:
        """Return the score of one run."""
        return float(f1_of(self.counts[key].micro_parts().sum(axis=0)))

    def scores_by_seed(self, choice: Labels) -> dict[int, float]:
        """Return the scores of a choice, seed by seed."""
        return {key[1]: self.score(key) for key in self.counts if key[0] == tuple(choice.values())}

    def label_scores(self, choice: Labels) -> dict[str, float]:
        """Return the mean score over the seeds of a choice for each label."""
        found: dict[str, list[float]] = {}
        for key, counted in self.counts.items():
            if key[0] == tuple(choice.values()):
                for label, tally in counted.by_label.items():
                    found.setdefault(label, []).append(tally.f1)
        return {label: float(np.mean(values)) for label, values in found.items()}

    def pair(self, baseline: Labels, choice: Labels) -> tuple[list[int], PairedScores] | None:
        """Return the seeds that both have, and the scores of both, seed by seed; None where there is none."""
        first, second = tuple(baseline.values()), tuple(choice.values())
        seeds = [seed for labels, seed in self.counts if labels == first and (second, seed) in self.counts]
        if not seeds:
            return None
        a, b = ([self.score((labels, seed)) for seed in seeds] for labels in (first, second))
        again = (np.stack([self.resampled[labels, seed] for seed in seeds], axis=1) for labels in (first, second))
        return seeds, PairedScores(np.array(a), np.array(b), *again)

    def agreement(self, place: Labels, baseline: Labels, choice: Labels) -> Pair | None:
        """Return which sentences the two get right, and those on which they differ."""
        first, second = tuple(baseline.values()), tuple(choice.values())
        seeds = [seed for labels, seed in self.counts if labels == first and (second, seed) in self.counts]
        if not seeds:
            return None
        right = [
            np.array([[unit.gold == unit.predicted for unit in self.units[labels, seed]] for seed in seeds])
            for labels in (first, second)
        ]
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

    def _disagreement(
        self, at: int, systems: tuple[tuple[str, ...], tuple[str, ...]], seeds: list[int], right: tuple[int, int]
    ) -> Disagreement:
        first, second = (self.units[labels, seeds[0]][at] for labels in systems)
        return Disagreement(
            words=tuple(self.words[at]),
            gold=_plain(first.gold),
            first=_plain(first.predicted),
            second=_plain(second.predicted),
            first_right=right[0],
            second_right=right[1],
            seeds=len(seeds),
        )


def read_outcomes(runs: Sequence[PlannedRun], *, metric: str, n_resamples: int, seed: int) -> Outcomes:
    """Return the outcomes of finished runs at one place.

    Raises:
        BadFile: where a run has no test predictions, or was scored on other sentences than the first.
    """
    units: dict[RunKey, Sequence[Unit]] = {}
    for run in runs:
        path = run.folder / PREDICTIONS
        if not path.is_file():
            raise BadFile(f"{path}: there is no such file", "compare on corpora that have a test split")
        units[tuple(run.choice.values()), run.seed] = read_predictions(path)
    _check_same_gold(runs, units)
    counts = {key: score(each, names=[metric], n_resamples=0).counts[metric] for key, each in units.items()}
    words = _words(runs[0].folder / PREDICTIONS) if runs else []
    return Outcomes(counts, units, words, n_resamples, seed)


def _words(path: Path) -> list[tuple[str, ...]]:
    return [tuple(sentence.words) for sentence in read_tagged(path, ReadOptions(tag_column=2)) if sentence.words]


def _check_same_gold(runs: Sequence[PlannedRun], units: Mapping[RunKey, Sequence[Unit]]) -> None:
    first, *others = units.values()
    gold = [unit.gold for unit in first]
    for run, each in zip(runs[1:], others, strict=True):
        if [unit.gold for unit in each] != gold:
            raise BadFile(
                f"{run.folder}: was scored on other sentences than {runs[0].folder}",
                "runs at one place must share their test split and their label; remove the run to make it anew",
            )


def _plain(marks: Sequence[Mark]) -> tuple[tuple[int, int, str], ...]:
    return tuple((mark.start, mark.end, mark.label) for mark in marks)
