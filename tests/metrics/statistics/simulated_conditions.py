"""Conditions under which verdicts are simulated: documents, correlated seeds, heavy tails, tiny and unequal test sets.

`benchmarks/verdicts.py` prints the table of docs/comparing-method.md from them; the tests examine fewer grids.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import sqrt

import numpy as np
import numpy.typing as npt

from linnet.metrics.statistics.hierarchical import PairedDifference
from linnet.metrics.statistics.pooling import pooled_spreads
from tests.metrics.statistics.simulated_grids import STRONG, Truth, compare_quickly, draw_seed_effects, simulate

__all__ = ["CONDITIONS", "FAMILIES", "LEVEL", "Condition", "Found", "examine"]

LEVEL = 0.05
MOST_GRIDS = 4000  # where a rate is near its limit
NEAR = 0.05
AT_ONCE = 20
FAMILIES = (1, 6, 9)
POINTS = 0.02

Rates = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Condition:
    """Corpora with a truth each, whose seed effects may be correlated; more than one are pooled."""

    name: str
    corpora: tuple[Truth, ...]
    correlation: float = 0.0


DOCUMENTS = Truth(sentences_of_document=9, system_by_document=1.0)
STRONG_SEEDS = Truth(seed_effect=STRONG)
CONDITIONS = (
    Condition("base", (Truth(),)),
    Condition("seed effects off", (Truth(seed_effect=0.0),)),
    Condition("strong seed effects", (STRONG_SEEDS,)),
    Condition("heavy tails", (replace(STRONG_SEEDS, has_heavy_tails=True),)),
    Condition("50 sentences", (Truth(n_units=50),)),
    Condition("104 documents", (DOCUMENTS,)),
    Condition("104 documents of unequal size", (replace(DOCUMENTS, has_equal_documents=False),)),
    Condition("3 corpora, seeds independent", (STRONG_SEEDS,) * 3),
    Condition("3 corpora, seeds correlate 0.6", (STRONG_SEEDS,) * 3, correlation=0.6),
    Condition(
        "940, 200 and 50 sentences, seeds correlate 0.6",
        tuple(replace(STRONG_SEEDS, n_units=n_units) for n_units in (940, 200, 50)),
        correlation=0.6,
    ),
)


@dataclass(frozen=True)
class Found:
    """What many grids of one condition give."""

    p_values: Rates  # (grids, comparisons), without a true difference
    p_of_two_points: Rates
    n_detected: Rates  # (families,): how often the smallest detectable difference of the grid before is found
    n_asked: int

    def errors(self) -> list[float]:
        """Return the false positives of one comparison, and the family-wise errors of the families."""
        return [
            float((self.p_values < LEVEL).mean()) if size == 1
            else float((self.p_values[:, :size].min(axis=1) < LEVEL / size).mean())  # Holm errs if the smallest does
            for size in FAMILIES
        ]  # fmt: skip


def examine(condition: Condition, n_seeds: int, n_grids: int, *, n_for_power: int = 0) -> Found:
    """Return what grids of a condition give; more of them are made where a rate of errors is near its limit.

    The smallest detectable difference is computed for the first `n_for_power` of them.
    """
    generator = np.random.default_rng(1)
    grids = judge(condition, n_seeds, generator)
    rows: list[list[Judged]] = []
    while len(rows) < n_grids or (len(rows) < MOST_GRIDS and n_grids >= 1000 and _is_near(rows)):
        rows += [next(grids) for _ in range(n_grids)]
    before = [row[0] for row in rows[: n_for_power + 1]]
    detected = np.zeros(len(FAMILIES))
    for one, other in pairwise(before):
        for at, size in enumerate(FAMILIES):
            detected[at] += other.p_value(one.smallest_detectable(size)) < LEVEL / size
    return Found(
        p_values=np.array([[each.p_value(0.0) for each in row] for row in rows]),
        p_of_two_points=np.array([[each.p_value(POINTS) for each in row[:2]] for row in rows]),
        n_detected=detected,
        n_asked=len(before) - 1,
    )


@dataclass(frozen=True)
class Judged:
    """A comparison of one place, or the mean over several, in one or two readings of its seeds."""

    test: PairedDifference

    def p_value(self, added: float) -> float:
        """Return the p-value if the true difference were larger by so much."""
        return max(reading.p_value(self.test.difference + added) for reading in self.test.readings)

    def smallest_detectable(self, family_size: int) -> float:
        """Return the smallest detectable difference."""
        return self.test.smallest_detectable(family_size=family_size)


def _is_near(rows: list[list[Judged]]) -> bool:
    p_values = np.array([[each.test.p_value for each in row] for row in rows])
    return max(Found(p_values, p_values, np.zeros(1), 1).errors()) > NEAR


def judge(condition: Condition, n_seeds: int, generator: np.random.Generator) -> Iterator[list[Judged]]:
    """Yield the comparisons of grid after grid, of nine systems with the first."""
    truths = [replace(truth, n_seeds=n_seeds, n_systems=1 + FAMILIES[-1]) for truth in condition.corpora]
    while True:
        shared = draw_seed_effects(truths[0], n_grids=AT_ONCE, generator=generator)
        by_corpus = []
        for truth in truths:
            own = draw_seed_effects(truth, n_grids=AT_ONCE, generator=generator)
            effects = sqrt(condition.correlation) * shared + sqrt(1 - condition.correlation) * own
            grids = simulate(truth, n_grids=AT_ONCE, generator=generator, seed_effects=effects.astype(np.float32))
            by_corpus.append(compare_quickly(grids))
        for of_grid in zip(*by_corpus, strict=True):
            yield [Judged(pool(list(of_choice))) for of_choice in zip(*of_grid, strict=True)]


def pool(places: list[PairedDifference]) -> PairedDifference:
    """Return the mean over places, whose seeds have the same numbers."""
    if len(places) == 1:
        return places[0]
    n_seeds = places[0].n_seeds
    spread, paired = pooled_spreads(places, [range(n_seeds)] * len(places))
    difference = float(np.mean([place.difference for place in places]))
    readings = [spread] if paired is None else [spread, paired]
    return replace(
        places[0],
        difference=difference,
        p_value=max(reading.p_value(difference) for reading in readings),
        spread=spread,
        spread_of_paired_seeds=paired,
    )
