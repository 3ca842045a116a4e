"""Scores of finished linkers on the same documents, read from the predictions that they keep."""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from linnet.contracts import Outcome, Outcomes
from linnet.errors import BadSetting
from linnet.labels.mention import Mention
from linnet.metrics.mentions.tally import Array
from linnet.metrics.statistics.bootstrap import weight_chunks
from linnet.metrics.texts.resampled import SumMetric, plain_value
from linnet.tasks.linking.evaluation.judged import FoundMention, JudgedDocument, JudgedMention
from linnet.tasks.linking.evaluation.predictions_file import read_predictions
from linnet.tasks.linking.evaluation.protocols import PAIRED, TITLES, Counts, is_right, metric_of, precision, recall
from linnet.training.kept_predictions import check_same_gold, predictions_of

__all__ = ["check_metric", "judged_outcomes", "read_linking_outcomes"]

WORD = re.compile(r"\S+")


def check_metric(name: str) -> None:
    """Refuse a score that linking does not have."""
    if name not in TITLES:
        raise BadSetting(f"linking has no score {name!r}", f"choose one of {', '.join(TITLES)}")


def read_linking_outcomes(
    folders: Sequence[Path], *, metric: str, n_resamples: int, seed: int, split: str = "test"
) -> Outcomes:
    """Return the outcomes of finished runs on the same documents.

    Raises:
        BadFile: if a run has no predictions for the split, or was scored on other documents than the first.
    """
    check_metric(metric)
    runs = [read_predictions(predictions_of(folder, split, "jsonl")) for folder in folders]
    gold = [
        [(each.id, [(mention.start, mention.end, mention.gold) for mention in each.mentions]) for each in documents]
        for documents, _ in runs
    ]
    check_same_gold(folders, gold)
    return judged_outcomes(runs, metric=metric, n_resamples=n_resamples, seed=seed)


def judged_outcomes(
    runs: Sequence[tuple[Sequence[JudgedDocument], Sequence[Counts]]], *, metric: str, n_resamples: int, seed: int
) -> Outcomes:
    """Return the outcomes of runs that were judged on the same documents; documents are the units."""
    metrics = [metric_of(metric, counts) for _, counts in runs]
    first = runs[0][0]
    return Outcomes(
        runs=[_outcome(metric, *run) for metric, run in zip(metrics, runs, strict=True)],
        words=[WORD.findall(document.text) or [document.id] for document in first],
        gold=[_show(document, document.mentions) for document in first],
        n_units=len(first),
        resample=lambda: _resample(metrics, n_resamples=n_resamples, seed=seed),
        units="documents",
    )


def _outcome(metric: SumMetric, documents: Sequence[JudgedDocument], counts: Sequence[Counts]) -> Outcome:
    totals = metric.parts.sum(axis=0)
    is_paired = metric.name in PAIRED
    beside = {"precision": precision(totals), "recall": recall(totals)} if is_paired else {}
    right = [_is_paired_right(each[metric.name]) for each in counts] if is_paired else [
        all(is_right(mention) for mention in each.mentions if mention.gold) for each in documents
    ]  # fmt: skip
    return Outcome(
        score=plain_value(metric),
        labels={},
        right=np.array(right, dtype=bool),
        predicted=[_show(each, each.found) for each in documents],
        beside=beside,
    )


def _is_paired_right(counts: Sequence[float]) -> bool:
    """Is everything found of a document right, and everything in it found?"""
    return counts[0] == counts[1] and counts[2] == counts[3]


def _resample(metrics: Sequence[SumMetric], *, n_resamples: int, seed: int) -> list[Array]:
    parts = [
        [metric(weights) for metric in metrics]
        for weights in weight_chunks(metrics[0].n_units, n_resamples=n_resamples, seed=seed)
    ]
    return [np.concatenate(column) for column in zip(*parts, strict=True)]


def _show(document: JudgedDocument, mentions: Sequence[JudgedMention | FoundMention]) -> tuple[Mention, ...]:
    """Return mentions by words, with their identifiers as labels, for pages."""
    starts = [match.start() for match in WORD.finditer(document.text)]
    shown = []
    for each in mentions:
        identifiers = each.gold if isinstance(each, JudgedMention) else each.links
        first, last = np.searchsorted(starts, [each.start, each.end], side="right").tolist()
        if identifiers:
            begin = max(first - 1, 0)
            shown.append(
                Mention(begin, max(last if starts[last - 1] < each.end else last - 1, begin + 1), "|".join(identifiers))
            )
    return tuple(shown)
