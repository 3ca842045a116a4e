"""Outcomes of several taggers on the same sentences: micro F1, F1 by label, and which sentences are right."""

from collections.abc import Sequence

import numpy as np

from linnet.contracts import Outcome, Outcomes
from linnet.metrics.mentions.scores import score
from linnet.metrics.mentions.tally import Counts, f1_of
from linnet.metrics.mentions.units import Unit
from linnet.metrics.statistics.hierarchical import resampled_scores

__all__ = ["mention_outcomes"]


def mention_outcomes(
    units: Sequence[Sequence[Unit]], words: Sequence[Sequence[str]], *, metric: str, n_resamples: int, seed: int
) -> Outcomes:
    """Return the outcomes of several taggers.

    Args:
        units: of each tagger; all must have the same sentences with the same gold mentions.
        words: of each sentence.
        metric: a matching.
        n_resamples: how often the sentences are drawn.
        seed: of these draws.
    """
    counts = [score(each, names=[metric], n_resamples=0).counts[metric] for each in units]
    return Outcomes(
        runs=[_outcome(counted, each) for counted, each in zip(counts, units, strict=True)],
        words=words,
        gold=[unit.gold for unit in units[0]],
        n_units=len(words),
        resample=lambda: list(resampled_scores(counts, n_resamples=n_resamples, seed=seed).T),
    )


def _outcome(counts: Counts, units: Sequence[Unit]) -> Outcome:
    return Outcome(
        score=float(f1_of(counts.micro_parts().sum(axis=0))),
        labels={label: tally.f1 for label, tally in counts.by_label.items()},
        right=np.array([unit.gold == unit.predicted for unit in units]),
        predicted=[unit.predicted for unit in units],
        beside={"precision": counts.total.precision, "recall": counts.total.recall},
    )
