"""Simulated grids of two systems with a known difference, for the test of `linnet compare`.

Each sentence has gold mentions and as many candidates for spurious ones (both negative binomial). Whether a run gets
one right is decided by a sum of normal effects: the difficulty of the sentence and of the mention, shared by all runs;
a lasting peculiarity of the system on that mention; how well the seed turned out as a whole; and noise of its own.
So a run's outcome given its difficulty is a coin toss, and the seed-by-sentence interaction arises by itself.

The parameters follow three runs of the recipe for NCBI disease with other seeds: 940 test sentences with 960 mentions,
43 % of them with none, variance 1.6; two seeds disagree on 7 % of the mentions.

`python -m tests.metrics.statistics.simulated_grids` prints the table in docs/comparing-method.md.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtr

from linnet.metrics.mentions.matching import SPANS
from linnet.metrics.mentions.tally import Array, Counts
from linnet.metrics.statistics.bootstrap import unit_weights
from linnet.metrics.statistics.hierarchical import (
    PairedDifference,
    count_effective_units,
    paired_difference,
    variance_components,
)
from linnet.metrics.statistics.spread import Spread

MENTIONS = 1.02  # per sentence
SHAPE = 1.8  # of the negative binomial: its variance is MENTIONS + MENTIONS ** 2 / SHAPE = 1.60
N_GRIDS_AT_ONCE = 50  # they share their draws of units
N_RESAMPLES = 200
N_SEED_DRAWS = 5  # for each resample of the units
LEVEL = 0.05
STRONG = 0.185  # a seed effect that gives F1 a standard deviation of 1.2 points over seeds

Booleans = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Truth:
    """What is true of the systems. Effects are standard deviations, in units of a single run's own noise."""

    n_seeds: int = 5
    effect: float = 0.0  # F1 of the other systems minus F1 of the first, for all seeds and sentences there could be
    f1: float = 0.8  # of the first
    n_units: int = 940
    seed_effect: float = 0.07
    system_by_mention: float = 0.7
    sentence: float = 3.0
    mention: float = 3.4
    n_systems: int = 2
    system_by_document: float = 0.0
    sentences_of_document: int = 1  # on average; with more, documents are the units
    has_equal_documents: bool = True  # or sizes that vary as exp(normal) does
    has_heavy_tails: bool = False  # seed effects from the t distribution with 3 degrees of freedom

    @property
    def spread(self) -> float:
        """The standard deviation of the sum of all effects."""
        parts = (1.0, self.seed_effect, self.system_by_mention, self.sentence, self.mention, self.system_by_document)
        return sqrt(sum(part**2 for part in parts))

    def thresholds(self) -> Array:
        """Return how far each system's mean lies above 0, for gold mentions and for candidates: (systems, 2).

        Candidates are as many as gold mentions and a share of 1 - f1 is predicted, so that precision = recall = f1 in
        the first system. The others find more (or fewer) of the gold mentions.
        """
        spurious = 1 - self.f1
        wanted = self.f1 + self.effect
        recall = wanted * (1 + spurious) / (2 - wanted)  # from F1 = 2 recall / (1 + recall + spurious)
        others = [[ndtri(recall), ndtri(self.f1)]] * (self.n_systems - 1)
        return self.spread * np.array([[ndtri(self.f1), ndtri(self.f1)], *others])


SCENARIOS = {
    "5 seeds": Truth(),
    "3 seeds": Truth(n_seeds=3),
    "10 seeds": Truth(n_seeds=10),
    "5 seeds, seed effects off": Truth(seed_effect=0.0),
    "5 seeds, strong seed effects": Truth(seed_effect=STRONG),
    "3 seeds, strong seed effects": Truth(seed_effect=STRONG, n_seeds=3),
    "2 seeds": Truth(n_seeds=2),
    "5 seeds, systems differ less": Truth(system_by_mention=0.0),
    "5 seeds, 100 sentences": Truth(n_units=100),
    "5 seeds, systems differ more": Truth(system_by_mention=1.4),
    "5 seeds, b is 2 points better": Truth(effect=0.02),
    "5 seeds, systems differ more, b is 2 points better": Truth(effect=0.02, system_by_mention=1.4),
    "5 seeds, strong seed effects, b is 2 points better": Truth(effect=0.02, seed_effect=STRONG),
}


@dataclass(frozen=True)
class Grids:
    """Counts of simulated grids: `gold` is (grids, units), the others are (grids, units, systems, seeds)."""

    gold: Integers
    correct: Integers
    predicted: Integers
    has_documents: bool = False  # as units

    def counts(self, grid: int, system: int, seed: int) -> Counts:
        """Return the counts of one run as scoring would."""
        correct = self.correct[grid, :, system, seed]
        columns = [self.gold[grid], self.predicted[grid, :, system, seed], correct, correct]
        return Counts(("X",), SPANS, np.stack(columns, axis=1)[:, np.newaxis, :].astype(np.float64))

    def f1(self, weights: Array) -> Array:
        """Return F1 under each row of weights: (resamples, units) to (grids, resamples, systems, seeds)."""
        shape = (len(self.gold), len(weights), *self.correct.shape[2:])
        marked = self.predicted + self.gold[:, :, np.newaxis, np.newaxis]
        exact = weights.astype(np.float32)  # holds whole numbers below 2 ** 24 exactly, and is quicker
        correct, marks = (
            (exact @ counts.reshape(*self.gold.shape, -1).astype(np.float32)).astype(np.float64)
            for counts in (self.correct, marked)
        )
        f1: Array = (2 * correct / marks).reshape(shape)
        return f1


@dataclass(frozen=True)
class Outcomes:
    """What was found in many grids: our verdicts, the scores, and which grids other methods call significant.

    `scores`: (grids, systems, seeds); the other methods: (grids,).
    """

    verdicts: list[PairedDifference]
    scores: Array
    hillis: Booleans  # our variance with the degrees of freedom of Hillis 2007
    seeds_only: Booleans  # paired t-test over the seeds' scores
    units_only: Booleans  # paired bootstrap of the first seed's units
    double_percentile: Booleans  # seeds and units both drawn with replacement, percentile interval

    @property
    def found(self) -> float:
        """How often we call the difference significant."""
        return float(np.mean([verdict.p_value < LEVEL for verdict in self.verdicts]))

    def covered(self, effect: float) -> float:
        """Return how often the interval holds the true difference."""
        return float(np.mean([verdict.low <= effect <= verdict.high for verdict in self.verdicts]))

    @property
    def seed_deviation(self) -> float:
        """The standard deviation of F1 over the seeds of one system, pooled over the grids."""
        return float(np.sqrt(self.scores.var(axis=2, ddof=1).mean()))


def outcomes(truth: Truth, *, n_grids: int, seed: int = 0) -> Outcomes:
    """Return what is found in simulated grids, 200 resamples of the units in each."""
    generator = np.random.default_rng(seed)
    verdicts: list[PairedDifference] = []
    scores, others = [], []
    for start in range(0, n_grids, N_GRIDS_AT_ONCE):
        grids = simulate(truth, n_grids=N_GRIDS_AT_ONCE, generator=generator)
        observed = grids.f1(np.ones((1, truth.n_units)))[:, 0]
        resampled = grids.f1(unit_weights(truth.n_units, n_resamples=N_RESAMPLES, seed=seed + start))
        verdicts += [
            paired_difference(a, b, *np.moveaxis(drawn, 1, 0), n_units=truth.n_units)
            for (a, b), drawn in zip(observed, resampled, strict=True)
        ]
        scores.append(observed)
        others.append(_others(observed, resampled, verdicts[-N_GRIDS_AT_ONCE:], generator))
    return Outcomes(verdicts, np.concatenate(scores), *np.hstack(others))


def simulate(
    truth: Truth, *, n_grids: int, generator: np.random.Generator, seed_effects: Floats | None = None
) -> Grids:
    """Return the counts of grids in which `truth` holds, by documents if there are any.

    `seed_effects`: (grids, systems, seeds), those of another corpus or part of them; drawn if not given.
    """
    thresholds = truth.thresholds()
    if seed_effects is None:
        seed_effects = draw_seed_effects(truth, n_grids=n_grids, generator=generator)
    sentences = truth.sentence * generator.standard_normal((n_grids, truth.n_units), dtype=np.float32)
    documents = _draw_documents(truth, n_grids, generator)
    by_document = truth.system_by_document * generator.standard_normal(
        (n_grids, truth.n_units, truth.n_systems), dtype=np.float32
    )  # as many documents as sentences, should each be one
    numbers, rights = [], []
    for kind in range(2):
        drawn = generator.negative_binomial(SHAPE, SHAPE / (SHAPE + MENTIONS), size=(n_grids, truth.n_units))
        effects = seed_effects + thresholds[:, kind, np.newaxis].astype(np.float32)
        own = np.take_along_axis(by_document, documents[:, :, np.newaxis], axis=1) if truth.system_by_document else None
        numbers.append(drawn)
        rights.append(_right(truth, drawn, sentences, effects, generator, own))
    correct, refused = rights
    spurious = numbers[1][:, :, np.newaxis, np.newaxis] - refused
    grids = Grids(numbers[0], correct, correct + spurious)
    return grids if truth.sentences_of_document == 1 else _by_document(grids, documents)


def draw_seed_effects(truth: Truth, *, n_grids: int, generator: np.random.Generator) -> Floats:
    """Return how well each seed turned out with each system: (grids, systems, seeds)."""
    shape = (n_grids, truth.n_systems, truth.n_seeds)
    if truth.has_heavy_tails:
        return (truth.seed_effect / sqrt(3) * generator.standard_t(3, shape)).astype(np.float32)
    return truth.seed_effect * generator.standard_normal(shape, dtype=np.float32)


def _draw_documents(truth: Truth, n_grids: int, generator: np.random.Generator) -> Integers:
    """Return the number of the document of each sentence: (grids, units)."""
    n_documents = max(1, truth.n_units // truth.sentences_of_document)
    if truth.sentences_of_document == 1 or truth.has_equal_documents:
        return np.broadcast_to(np.arange(truth.n_units) * n_documents // truth.n_units, (n_grids, truth.n_units))
    sizes = np.exp(generator.standard_normal((n_grids, n_documents)))
    ends = np.cumsum(sizes, axis=1) / sizes.sum(axis=1, keepdims=True) * truth.n_units
    return np.stack([np.searchsorted(own, np.arange(truth.n_units) + 0.5).clip(max=n_documents - 1) for own in ends])


def _by_document(grids: Grids, documents: Integers) -> Grids:
    """Return the counts summed over the sentences of each document; empty documents stay, with nothing in them."""
    n_grids, n_documents = len(documents), int(documents.max()) + 1
    rows = (documents + np.arange(n_grids)[:, np.newaxis] * n_documents).ravel()

    def add_up(counts: Integers) -> Integers:
        summed = np.zeros((n_grids * n_documents, *counts.shape[2:]), dtype=np.int64)
        np.add.at(summed, rows, counts.reshape(-1, *counts.shape[2:]))
        return summed.reshape(n_grids, n_documents, *counts.shape[2:])

    return Grids(add_up(grids.gold), add_up(grids.correct), add_up(grids.predicted), has_documents=True)


def _right(
    truth: Truth, drawn: Integers, sentences: Floats, effects: Floats, generator: np.random.Generator,
    by_sentence: Floats | None,
) -> Integers:  # fmt: skip
    """Return how many of the drawn mentions of each unit each run gets right: (grids, units, systems, seeds)."""
    n_systems, n_seeds = effects.shape[1:]
    total = int(drawn.sum())
    grid = np.repeat(np.arange(len(drawn)), drawn.sum(axis=1))
    level = np.repeat(sentences.ravel(), drawn.ravel())
    level += truth.mention * generator.standard_normal(total, dtype=np.float32)
    lasting = truth.system_by_mention * generator.standard_normal((total, n_systems), dtype=np.float32)
    if by_sentence is not None:
        lasting += np.repeat(by_sentence.reshape(-1, n_systems), drawn.ravel(), axis=0)
    noise = generator.standard_normal((total, n_systems, n_seeds), dtype=np.float32)
    noise += effects[grid]
    noise += (level[:, np.newaxis] + lasting)[:, :, np.newaxis]
    so_far = np.zeros((total + 1, n_systems, n_seeds), dtype=np.int32)
    np.cumsum(noise > 0, axis=0, out=so_far[1:])
    ends = drawn.ravel().cumsum()
    right: Integers = (so_far[ends] - so_far[ends - drawn.ravel()]).reshape(*drawn.shape, n_systems, n_seeds)
    return right


def compare_quickly(grids: Grids) -> list[list[PairedDifference]]:
    """Return the differences of all systems from the first, for each grid, without resampling and without intervals.

    The variances over resamples are those of the linear part of F1 (the infinitesimal jackknife of Efron), which for
    dozens of units are within a few percent of those of many resamples.
    """
    n_units = grids.gold.shape[1]
    effective = [count_effective_units(sizes) if grids.has_documents else n_units for sizes in grids.gold]
    marks = grids.predicted + grids.gold[:, :, np.newaxis, np.newaxis]
    total = marks.sum(axis=1, keepdims=True)
    f1 = 2 * grids.correct.sum(axis=1, keepdims=True) / total
    influence = ((2 * grids.correct - f1 * marks) / total).astype(np.float32)
    apart = influence[:, :, 1:] - influence[:, :, :1]  # (grids, units, systems, seeds)
    differences = f1[:, 0, 1:] - f1[:, 0, :1]
    n_seeds = differences.shape[-1]
    means = apart.mean(axis=3)
    from_units = (means**2).sum(axis=1)
    apart -= means[..., np.newaxis]
    interaction = np.einsum("guys,guys->gy", apart, apart) / (n_seeds * max(n_seeds - 1, 1))
    return [
        [_without_interval(*parts, n_units=n_units, effective=units) for parts in zip(*of_grid, strict=True)]
        for units, *of_grid in zip(effective, differences, from_units, interaction, strict=True)
    ]


def _without_interval(
    differences: Array, from_units: float, interaction: float, *, n_units: int, effective: float
) -> PairedDifference:
    difference = float(differences.mean())
    spread = Spread(variance_components(differences, float(from_units), float(interaction), n_units=effective))
    return PairedDifference(
        difference=difference, low=nan, high=nan, p_value=spread.p_value(difference), spread=spread,
        by_seed=tuple(differences.tolist()), n_units=n_units, wins=0, ties=0, losses=0,
    )  # fmt: skip


def _others(
    observed: Array, resampled: Array, verdicts: list[PairedDifference], generator: np.random.Generator
) -> Booleans:
    """Return which grids the other methods call significant: (methods, grids)."""
    differences, drawn = observed[:, 1] - observed[:, 0], resampled[:, :, 1] - resampled[:, :, 0]
    n_seeds = differences.shape[1]
    distance = np.abs(differences.mean(axis=1))
    from_seeds = differences.var(axis=1, ddof=1) / n_seeds
    variance = np.array([verdict.standard_error**2 for verdict in verdicts])
    hillis = 2 * stdtr((n_seeds - 1) * (variance / from_seeds) ** 2, -distance / np.sqrt(variance))
    seeds_only = 2 * stdtr(n_seeds - 1, -distance / np.sqrt(from_seeds))
    units_only = (np.abs(drawn[:, :, 0] - differences[:, :1]) >= np.abs(differences[:, :1])).mean(axis=1)
    often = np.repeat(drawn, N_SEED_DRAWS, axis=1)
    picked = generator.integers(n_seeds, size=often.shape)
    low, high = np.quantile(np.take_along_axis(often, picked, axis=2).mean(axis=2), [0.025, 0.975], axis=1)
    return np.stack([hillis < LEVEL, seeds_only < LEVEL, units_only < LEVEL, (low > 0) | (high < 0)])


def table(n_grids: int, seed: int) -> Iterator[str]:
    """Yield the lines of the table in docs/comparing-method.md; rates in percent."""
    heads = "simulated grids|SD over seeds|found|covered|smallest detectable|Hillis|seeds only|units only|double"
    yield f"| {heads.replace('|', ' | ')} |"
    yield "|---" * (heads.count("|") + 1) + "|"
    for name, truth in SCENARIOS.items():
        found = outcomes(truth, n_grids=n_grids, seed=seed)
        detectable = float(np.mean([verdict.smallest_detectable() for verdict in found.verdicts]))
        others = (found.hillis, found.seeds_only, found.units_only, found.double_percentile)
        rates = [found.found, found.covered(truth.effect), detectable, *(float(other.mean()) for other in others)]
        yield f"| {name} | {100 * found.seed_deviation:.2f} | {' | '.join(f'{100 * rate:.1f}' for rate in rates)} |"


if __name__ == "__main__":
    for line in table(n_grids=4000, seed=1):
        sys.stdout.write(line + "\n")
