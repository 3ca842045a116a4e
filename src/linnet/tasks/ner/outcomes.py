"""Scores of finished taggers on the same test sentences, read from the predictions that they keep."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from linnet.contracts import Outcome, Outcomes, ReadOptions
from linnet.formats.rows import read_tagged
from linnet.metrics.mentions.scores import score
from linnet.metrics.mentions.tally import Counts, f1_of
from linnet.metrics.mentions.units import Unit
from linnet.metrics.statistics.hierarchical import resampled_scores
from linnet.tasks.ner.evaluation import read_predictions
from linnet.training.kept_predictions import check_same_gold, predictions_of

__all__ = ["read_outcomes"]

PREDICTIONS = "predictions-test.tsv"


def read_outcomes(folders: Sequence[Path], *, metric: str, n_resamples: int, seed: int) -> Outcomes:
    """Return the outcomes of finished runs at one place.

    Raises:
        BadFile: where a run has no test predictions, or was scored on other sentences than the first.
    """
    units = [read_predictions(predictions_of(folder, PREDICTIONS)) for folder in folders]
    check_same_gold(folders, [[unit.gold for unit in each] for each in units])
    counts = [score(each, names=[metric], n_resamples=0).counts[metric] for each in units]
    words = _words(folders[0] / PREDICTIONS)
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


def _words(path: Path) -> list[tuple[str, ...]]:
    return [tuple(sentence.words) for sentence in read_tagged(path, ReadOptions(tag_column=2)) if sentence.words]
