"""Outcomes of several taggers on the same sentences: micro F1, F1 by label, and which sentences are right."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from linnet.contracts import Outcome, Outcomes
from linnet.metrics.mentions.scores import DOCUMENTS, score
from linnet.metrics.mentions.tally import Counts, f1_of
from linnet.metrics.mentions.units import Unit
from linnet.metrics.statistics.hierarchical import count_effective_units, resampled_scores

__all__ = ["mention_outcomes"]


def mention_outcomes(
    units: Sequence[Sequence[Unit]], words: Sequence[Sequence[str]], *, metric: str, n_resamples: int, seed: int
) -> Outcomes:
    """Return the outcomes of several taggers; documents are drawn, and sentences only where no documents are known.

    Args:
        units: of each tagger; all must have the same sentences with the same gold mentions.
        words: of each sentence.
        metric: a matching.
        n_resamples: how often the documents are drawn.
        seed: of these draws.
    """
    scores = [score(each, names=[metric], n_resamples=0) for each in units]
    counts = [each.counts[metric] for each in scores]
    groups = scores[0].groups if scores[0].units == DOCUMENTS else None
    drawn = counts if groups is None else [counted.by_group(groups) for counted in counts]
    return Outcomes(
        runs=[_outcome(counted, each) for counted, each in zip(counts, units, strict=True)],
        words=words,
        gold=[unit.gold for unit in units[0]],
        n_units=scores[0].n_units,
        units=scores[0].units,
        effective_units=None if groups is None else count_effective_units(_count_gold(units[0], groups.tolist())),
        resample=lambda: list(resampled_scores(drawn, n_resamples=n_resamples, seed=seed).T),
    )


def _count_gold(units: Sequence[Unit], groups: Iterable[int]) -> list[int]:
    """Return the number of gold mentions of each document."""
    counted: Counter[int] = Counter()
    for unit, group in zip(units, groups, strict=True):
        counted[group] += len(unit.gold)
    return list(counted.values())


def _outcome(counts: Counts, units: Sequence[Unit]) -> Outcome:
    return Outcome(
        score=float(f1_of(counts.micro_parts().sum(axis=0))),
        labels={label: tally.f1 for label, tally in counts.by_label.items()},
        right=np.array([unit.gold == unit.predicted for unit in units]),
        predicted=[unit.predicted for unit in units],
        beside={"precision": counts.total.precision, "recall": counts.total.recall},
    )
