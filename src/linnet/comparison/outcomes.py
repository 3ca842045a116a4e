"""What did the runs at one place predict, and how does each score? Read from saved predictions; nothing is trained."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from linnet.comparison.grid import PlannedRun
from linnet.comparison.results import Disagreement, Labels, Pair
from linnet.contracts import ReadOptions
from linnet.errors import BadFile
from linnet.formats.rows import read_tagged
from linnet.metrics.mentions.scores import score
from linnet.metrics.mentions.tally import Array, Counts, f1_of
from linnet.metrics.mentions.units import Mark, Unit
from linnet.metrics.statistics.hierarchical import PairedScores, resampled_scores
from linnet.tasks.ner.evaluation import read_predictions

__all__ = ["Marks", "Outcome", "Outcomes", "RunKey", "check_same_gold", "predictions_of", "read_outcomes"]

MOST_SENTENCES = 500  # of those that two systems judge differently, most first
RunKey = tuple[tuple[str, ...], int]  # the labels of the choice, and the seed
Marks = tuple[tuple[int, int, str], ...]  # first word, end word (exclusive), label


@dataclass(frozen=True)
class Outcome:
    """How one run scores, and what it said of each test sentence (or text)."""

    score: float
    labels: Mapping[str, float]  # the score of each label
    right: npt.NDArray[np.bool_]  # is all that was said of a sentence right?
    said: Sequence[Marks]
    beside: Mapping[str, float] = field(default_factory=dict)  # other scores by name, such as precision and recall


@dataclass(frozen=True)
class Outcomes:
    """The finished runs at one place: what each predicted on the same test sentences."""

    runs: Mapping[RunKey, Outcome]
    words: Sequence[Sequence[str]]
    gold: Sequence[Marks]
    n_units: int  # that scores are resampled over
    resample: Callable[[], Sequence[Array]]  # every run's score on every resample, the same resamples for all

    @cached_property
    def resampled(self) -> dict[RunKey, Array]:
        """Every run's score on every resample of the units, the same resamples for all."""
        return dict(zip(self.runs, self.resample(), strict=True))

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
        first, second = (self.runs[labels, seeds[0]].said[at] for labels in systems)
        return Disagreement(
            words=tuple(self.words[at]),
            gold=self.gold[at],
            first=first,
            second=second,
            first_right=right[0],
            second_right=right[1],
            seeds=len(seeds),
        )


def read_outcomes(runs: Sequence[PlannedRun], *, metric: str, n_resamples: int, seed: int) -> Outcomes:
    """Return the outcomes of finished runs at one place.

    Raises:
        BadFile: where a run has no test predictions, or was scored on other sentences than the first.
    """
    units = {
        (tuple(run.choice.values()), run.seed): read_predictions(predictions_of(run, "predictions-test.tsv"))
        for run in runs
    }
    check_same_gold(runs, [[unit.gold for unit in each] for each in units.values()])
    counts = {key: score(each, names=[metric], n_resamples=0).counts[metric] for key, each in units.items()}
    words = _words(runs[0].folder / "predictions-test.tsv") if runs else []
    return Outcomes(
        {key: _outcome(counts[key], each) for key, each in units.items()},
        words,
        [_plain(unit.gold) for unit in next(iter(units.values()), [])],
        len(words),
        lambda: list(resampled_scores(list(counts.values()), n_resamples=n_resamples, seed=seed).T),
    )


def predictions_of(run: PlannedRun, name: str) -> Path:
    """Return where a run keeps what it predicted on the test split."""
    path = run.folder / name
    if not path.is_file():
        raise BadFile(f"{path}: there is no such file", "compare on corpora that have a test split")
    return path


def check_same_gold(runs: Sequence[PlannedRun], gold: Sequence[Sequence[object]]) -> None:
    """Refuse runs at one place that were scored against something else than the first."""
    for run, each in zip(runs[1:], gold[1:], strict=True):
        if each != gold[0]:
            raise BadFile(
                f"{run.folder}: was scored on other sentences than {runs[0].folder}",
                "runs at one place must share their test split and their label; remove the run to make it anew",
            )


def _outcome(counts: Counts, units: Sequence[Unit]) -> Outcome:
    return Outcome(
        float(f1_of(counts.micro_parts().sum(axis=0))),
        {label: tally.f1 for label, tally in counts.by_label.items()},
        np.array([unit.gold == unit.predicted for unit in units]),
        [_plain(unit.predicted) for unit in units],
        {"precision": counts.total.precision, "recall": counts.total.recall},
    )


def _words(path: Path) -> list[tuple[str, ...]]:
    return [tuple(sentence.words) for sentence in read_tagged(path, ReadOptions(tag_column=2)) if sentence.words]


def _plain(marks: Sequence[Mark]) -> Marks:
    return tuple((mark.start, mark.end, mark.label) for mark in marks)
