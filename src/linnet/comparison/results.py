"""Records of a compared grid: cells with scores, comparisons with the baseline, and sentences of disagreement.

All scores are fractions (F1 between 0 and 1). A *place* is what stays equal in a comparison (such as the corpus and the
encoder), a *choice* is what is compared (such as the weighting scheme). Both map the name of an axis to the label of
one of its values. The seeds are the repetitions.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Literal

from linnet.labels.mention import Mention

__all__ = ["Cell", "Comparison", "Disagreement", "Failure", "Labels", "Pair", "Results", "Verdict", "title_of"]

Labels = Mapping[str, str]
Verdict = Literal["better", "worse", "no evidence", "identical"]


@dataclass(frozen=True)
class Cell:
    """One combination of settings with the scores of all its seeds."""

    place: Labels
    choice: Labels
    is_baseline: bool
    score_by_seed: Mapping[int, float]  # finished runs only
    label_scores: Mapping[str, float]  # the mean over seeds for each label of the task
    commands: tuple[str, ...]  # one for each seed, to repeat the run
    published: float | None = None  # as a fraction
    source: str = ""  # of the published value
    beside: Mapping[str, Mapping[int, float]] = field(default_factory=dict)  # other scores, such as precision, by seed
    published_beside: Mapping[str, float] = field(default_factory=dict)  # of these scores

    @property
    def mean(self) -> float | None:
        """The mean over the seeds."""
        return _mean(self.score_by_seed)

    @property
    def deviation(self) -> float | None:
        """The standard deviation over the seeds; None for fewer than two."""
        return _deviation(self.score_by_seed)

    def mean_of(self, name: str) -> float | None:
        """Return the mean of another score over the seeds."""
        return _mean(self.beside.get(name, {}))

    def deviation_of(self, name: str) -> float | None:
        """Return the standard deviation of another score over the seeds; None for fewer than two."""
        return _deviation(self.beside.get(name, {}))


@dataclass(frozen=True)
class Comparison:
    """A choice compared with the baseline, at one place or over all (an empty place)."""

    place: Labels
    choice: Labels
    difference: float  # choice minus baseline, the mean over seeds (and places)
    low: float  # the 95 % interval
    high: float
    p_value: float
    adjusted_p: float  # after Holm, over the family
    family_size: int
    smallest_detectable: float  # the true difference that such a grid finds with a probability of 80 %
    wins: int  # seeds (over all places) with a higher score than the baseline's
    ties: int
    losses: int
    verdict: Verdict
    sentence: str

    @property
    def is_pooled(self) -> bool:
        """Is this the comparison over all places?"""
        return not self.place


@dataclass(frozen=True)
class Disagreement:
    """A test sentence that one of two systems gets right in more seeds than the other."""

    words: tuple[str, ...]
    gold: tuple[Mention, ...]
    first: tuple[Mention, ...]  # predicted by the first system, with its first seed
    second: tuple[Mention, ...]
    first_right: int  # number of seeds with the whole sentence right
    second_right: int
    seeds: int


@dataclass(frozen=True)
class Pair:
    """On how many sentences a choice and the baseline agree at one place, and where they disagree."""

    place: Labels
    choice: Labels
    both_right: float  # mean number of sentences over seeds
    only_baseline_right: float
    only_choice_right: float
    both_wrong: float
    sentences: tuple[Disagreement, ...]  # the first system is the baseline; the largest disagreements come first


@dataclass(frozen=True)
class Failure:
    """A run that did not finish."""

    name: str
    reason: str
    command: str


@dataclass(frozen=True)
class Results:
    """A grid with all its scores, comparisons and failures."""

    name: str
    metric: str  # as it is shown, e.g. "strict F1"
    baseline: Labels
    place_axes: tuple[str, ...]
    choice_axes: tuple[str, ...]
    size_axis: str | None  # the axis of training sizes, for learning curves
    seeds: tuple[int, ...]
    cells: tuple[Cell, ...]
    comparisons: tuple[Comparison, ...]
    pairs: tuple[Pair, ...] = ()
    failures: tuple[Failure, ...] = ()
    missing: int = 0  # number of runs without a result
    notes: tuple[str, ...] = ()
    caption: str = ""  # first sentence of the tables' captions; the name if empty
    split: str = "test"  # that the runs were judged on
    details: Labels = field(default_factory=dict)  # to repeat the grid: its file, its folder, seeds, version

    @property
    def beside(self) -> tuple[str, ...]:
        """The names of the scores that are shown beside the compared one."""
        return tuple(dict.fromkeys(name for cell in self.cells for name in (*cell.beside, *cell.published_beside)))


def title_of(labels: Labels) -> str:
    """Return the labels of a combination as one text.

    >>> title_of({"corpus": "ncbi-disease", "weighting": "welt"})
    'ncbi-disease, welt'
    """
    return ", ".join(labels.values())


def _mean(scores: Mapping[int, float]) -> float | None:
    return fmean(scores.values()) if scores else None


def _deviation(scores: Mapping[int, float]) -> float | None:
    return stdev(scores.values()) if len(scores) > 1 else None
