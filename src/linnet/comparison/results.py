"""Records of a compared grid: cells with scores, comparisons with the baseline, and sentences of disagreement.

All scores are fractions (F1 between 0 and 1). A *place* is what stays equal in a comparison (such as the corpus and the
encoder), a *choice* is what is compared (such as the weighting scheme). Both map the name of an axis to the label of
one of its values. The seeds are the repetitions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Literal

from linnet.labels.mention import Mention
from linnet.reports.review import ReviewedSentence

__all__ = [
    *("Cell", "CollapsedRuns", "Comparison", "Disagreement", "DrawnUnits", "Failure", "Labels", "OtherReading"),
    *("Pair", "Results", "SplitSizes", "Verdict", "cut_interval", "title_of"),
]

Labels = Mapping[str, str]
Verdict = Literal["better", "worse", "no difference", "no evidence", "identical"]


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
    collapsed: tuple[int, ...] = ()  # seeds of runs that learned next to nothing; they count in the mean

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
class CollapsedRuns:
    """The runs of a choice that learned next to nothing, at one place or over all (an empty place)."""

    place: Labels
    choice: Labels
    n_runs: int  # finished ones
    n_collapsed: int
    seeds: tuple[int, ...] = ()  # of the collapsed runs at one place
    p_value: float | None = None  # of Fisher's exact test against the baseline's share; None for the baseline
    adjusted_p: float | None = None  # after Holm, over all choices and places


@dataclass(frozen=True)
class OtherReading:
    """The same comparison with the collapsed runs, or without them."""

    is_conditional: bool  # without them, so only about runs that did not collapse
    difference: float
    low: float
    high: float
    adjusted_p: float
    n_seeds: int
    verdict: Verdict


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
    readings: Mapping[str, float] = field(default_factory=dict)  # p after Holm, where seeds can be read in two ways
    margin: float | None = None  # of equivalence; None if it was not tested
    equivalence_p: float = 1.0  # after Holm, against a difference of the margin or more
    test: str = "t"  # or "rank"
    other: OtherReading | None = None  # where runs have collapsed
    n_seeds: int = 0  # that were compared; over several places, the smallest number
    is_conditional: bool = False  # collapsed runs were left out, so it is only about runs that did not collapse

    @property
    def is_pooled(self) -> bool:
        """Is this the comparison over all places?"""
        return not self.place


@dataclass(frozen=True)
class Disagreement:
    """A test sentence that one of two systems gets right in more seeds than the other, or both wrong in two ways."""

    words: tuple[str, ...]
    gold: tuple[Mention, ...]
    first: tuple[Mention, ...]  # predicted by the first system, with a seed in which the two differ
    second: tuple[Mention, ...]
    first_right: int  # number of seeds with the whole sentence right
    second_right: int
    seeds: int
    number: int = 0  # of the test unit, from 0
    reviewed: tuple[ReviewedSentence, ReviewedSentence] | None = None  # of both systems as files have it, if known


@dataclass(frozen=True)
class Pair:
    """On how many sentences a choice and the baseline agree at one place, and where they disagree."""

    place: Labels
    choice: Labels
    both_right: float  # mean number of sentences over seeds
    only_baseline_right: float
    only_choice_right: float
    both_wrong: float
    sentences: tuple[
        Disagreement, ...
    ]  # the first system is the baseline; largest disagreements first, both wrong last


@dataclass(frozen=True)
class Failure:
    """A run that did not finish."""

    name: str
    reason: str
    command: str


@dataclass(frozen=True)
class DrawnUnits:
    """What the intervals at one place are computed over: units that are drawn again and again."""

    place: Labels
    name: str  # documents, sentences, examples or questions
    number: int
    is_sample: bool = False  # single sentences of the split, drawn without regard to documents

    @property
    def is_narrow(self) -> bool:
        """Are intervals too narrow because the sentences of a document resemble each other?"""
        return self.name == "sentences"

    @property
    def brief(self) -> str:
        """The units in a few words, as the title of a plot.

        >>> DrawnUnits({}, "sentences", 940).brief
        'intervals over 940 sentences, probably too narrow'
        """
        return f"intervals over {self.number:,} {self.name}{', probably too narrow' * self.is_narrow}"

    @property
    def sentence(self) -> str:
        """The units in words.

        >>> DrawnUnits({}, "documents", 100).sentence
        'intervals over 100 documents'
        """
        reason = "devel is a sample of single sentences" if self.is_sample else "the files have no documents"
        caution = f"; {reason}: the intervals are probably too narrow" if self.is_narrow else ""
        return f"intervals over {self.number:,} {self.name}{caution}"


@dataclass(frozen=True)
class SplitSizes:
    """How much the runs at one place were scored on, and how much they learned from."""

    place: Labels
    split: str  # that scores are computed on
    unit: str  # what is counted, in the plural: sentences or texts
    n_units: int | None
    n_mentions: int | None  # None for tasks without mentions
    training: tuple[int, int] | None  # fewest and most units of a run
    drawn: str = ""  # what intervals are over, in words
    is_of_documents: bool = False  # each run learned from a sample of whole documents

    @property
    def sentence(self) -> str:
        """The sizes in words.

        >>> SplitSizes({}, "test", "sentences", 940, 960, (5424, 5424)).sentence
        'test: 940 sentences, 960 mentions; training: 5,424 sentences'
        """
        mentions = "" if self.n_mentions is None else f", {self.n_mentions:,} mentions"
        counted = "" if self.n_units is None else f": {self.n_units:,} {self.unit}{mentions}"
        scored = f"{self.split}{counted}{f'; {self.drawn}' * bool(self.drawn)}"
        if self.training is None:
            return scored
        fewest, most = self.training
        number = f"{f'{fewest:,} to ' * (fewest < most)}{most:,} {self.unit}"
        return f"{scored}; training: {number}{', a sample of whole documents' * self.is_of_documents}"


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
    collapsed: tuple[CollapsedRuns, ...] = ()  # empty if no run has collapsed
    details: Labels = field(default_factory=dict)  # to repeat the grid: its file, its folder, seeds, version
    sizes: tuple[SplitSizes, ...] = ()  # by place
    drawn: tuple[DrawnUnits, ...] = ()  # by place, where the task says what they are
    sentences: Mapping[str, Sequence[ReviewedSentence]] = field(default_factory=dict)  # of each run, where it is known
    settings: Mapping[str, Sequence[object]] = field(default_factory=dict)  # that differ, of runs without a grid

    def sizes_at(self, place: Labels) -> SplitSizes | None:
        """Return the sizes at a place, if they are known."""
        return next((each for each in self.sizes if each.place == place), None)

    def drawn_at(self, place: Labels) -> str:
        """Return what intervals at a place are over, in words; empty if it is not known."""
        found = self.units_at(place)
        return found.sentence if found else ""

    def units_at(self, place: Labels) -> DrawnUnits | None:
        """Return the units of the intervals at a place; None over several places, or if they are not known."""
        return next((each for each in self.drawn if each.place == place), None)

    @property
    def beside(self) -> tuple[str, ...]:
        """The names of the scores that are shown beside the compared one."""
        return tuple(dict.fromkeys(name for cell in self.cells for name in (*cell.beside, *cell.published_beside)))


def cut_interval(low: float, high: float) -> tuple[float, float] | None:
    """Return an interval as it is shown, cut at -100 and +100 points; None if it has all of them and so says nothing.

    >>> cut_interval(-0.6, 1.3), cut_interval(-1.34, 1.7)
    ((-0.6, 1.0), None)
    """
    if low <= -1 and high >= 1:
        return None
    bound = max(1.0, abs(low + high) / 2)  # correlations can differ by more
    return max(low, -bound), min(high, bound)


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
