"""Scores of finished taggers on the same sentences, read from the predictions that they keep."""

from collections.abc import Sequence
from pathlib import Path

from linnet.contracts import Outcomes, ReadOptions
from linnet.formats.rows import read_tagged
from linnet.metrics.mentions.outcomes import mention_outcomes
from linnet.tasks.ner.evaluation import read_predictions
from linnet.training.kept_predictions import check_same_gold, predictions_of

__all__ = ["read_outcomes"]


def read_outcomes(
    folders: Sequence[Path], *, metric: str, n_resamples: int, seed: int, split: str = "test"
) -> Outcomes:
    """Return the outcomes of finished runs at one place, on the test or the devel split.

    Raises:
        BadFile: where a run has no predictions for the split, or was scored on other sentences than the first.
    """
    paths = [predictions_of(folder, split, "tsv") for folder in folders]
    units = [read_predictions(path) for path in paths]
    words = [_words(path) for path in paths]
    gold = [[(*row, unit.gold) for row, unit in zip(*each, strict=True)] for each in zip(words, units, strict=True)]
    check_same_gold(folders, gold)
    return mention_outcomes(units, words[0], metric=metric, n_resamples=n_resamples, seed=seed)


def _words(path: Path) -> list[tuple[str, ...]]:
    return [tuple(sentence.words) for sentence in read_tagged(path, ReadOptions(tag_column=2)) if sentence.words]
