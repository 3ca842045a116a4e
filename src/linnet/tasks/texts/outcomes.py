"""Scores of finished models about texts on the same examples, read from the predictions that they keep."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from linnet.contracts import Outcome, Outcomes
from linnet.documents.texts import Plain, Prediction, TextExample
from linnet.errors import BadSetting
from linnet.labels.mention import Mention
from linnet.metrics.mentions.tally import Array
from linnet.metrics.statistics.bootstrap import weight_chunks
from linnet.metrics.statistics.hierarchical import count_effective_units
from linnet.metrics.texts.classification import per_label
from linnet.metrics.texts.grouped import over_documents, sizes_of_documents
from linnet.metrics.texts.resampled import Metric, plain_value
from linnet.tasks.texts.evaluation import documents_of, find_metric, read_text_predictions
from linnet.tasks.texts.kinds import Kind
from linnet.tasks.texts.reports.answers import texts_of
from linnet.tasks.texts.settings import TextSettings, TextTrainSettings
from linnet.tasks.texts.task import TextTask
from linnet.training.kept_predictions import check_same_gold, predictions_of

__all__ = ["comparable", "read_text_outcomes"]


def read_text_outcomes(
    task: TextTask[Any],
    runs: Sequence[tuple[Path, TextTrainSettings]],
    *,
    metric: str | None,
    n_resamples: int,
    seed: int,
    split: str = "test",
) -> Outcomes:
    """Return the outcomes of finished runs about texts at one place.

    Raises:
        BadFile: where a run has no predictions for the split, or was scored on other texts than the first.
        BadSetting: where a lower score is the better one, which verdicts do not understand.
    """
    folders = [folder for folder, _ in runs]
    sections = [settings.text for _, settings in runs]
    predictions = [read_text_predictions(predictions_of(folder, split, "jsonl")) for folder in folders]
    check_same_gold(folders, [[(each.id, each.gold) for each in found] for found in predictions])
    scores = [task.metrics(found, text) for found, text in zip(predictions, sections, strict=True)]
    documents = documents_of(predictions[0])
    metrics = [comparable(over_documents(each, documents), metric) for each in scores]
    sizes = sizes_of_documents(metrics[0], documents)
    kinds = [_kind(task, found, text) for found, text in zip(predictions, sections, strict=True)]
    return Outcomes(
        runs=[
            replace(_outcome(each, found, kind), beside=_beside(each, all_scores))
            for each, all_scores, found, kind in zip(metrics, scores, predictions, kinds, strict=True)
        ],
        words=[each.text.split() or [each.id] for each in predictions[0]],
        gold=[_show_answer(each.gold) for each in predictions[0]],
        n_units=metrics[0].n_units,
        units=metrics[0].unit,
        effective_units=None if sizes is None else count_effective_units(sizes),
        resample=lambda: _resample(metrics, n_resamples=n_resamples, seed=seed),
    )


def comparable(metrics: Sequence[Metric], name: str | None) -> Metric:
    """Return the score of this name, the first where none is given.

    Raises:
        LinnetError: where there is none, or a lower one is better.
    """
    found = find_metric(metrics, name)
    if not found.higher_is_better:
        raise BadSetting(f"of {found.title} less is better, which cannot be compared", "choose another `metric`")
    return found


def _beside(chosen: Metric, metrics: Sequence[Metric]) -> dict[str, float]:
    """Return the scores to show beside the chosen one: precision and recall where it is their F1, else all others.

    Errors, of which less is better, are no fractions and are left out.
    """
    stem = chosen.name.removesuffix("f1").rstrip("_") or "micro"  # F1 of one positive label is micro F1
    parts = {f"{stem}_precision", f"{stem}_recall"} if chosen.name.endswith("f1") else set()
    found = [each for each in metrics if each.name in parts]
    others = [
        each
        for each in metrics
        if each.higher_is_better and each.name != chosen.name and not each.name.endswith(("_precision", "_recall"))
    ]
    return {each.title: plain_value(each) for each in found or others}


def _kind(task: TextTask[Any], predictions: Sequence[Prediction], settings: TextSettings) -> Kind:
    """Return the kind of prediction of these texts."""
    return task.kind([TextExample(each.id, each.text, gold=each.gold) for each in predictions], settings)


def _resample(metrics: Sequence[Metric], *, n_resamples: int, seed: int) -> list[Array]:
    parts = [
        [metric(weights) for metric in metrics]
        for weights in weight_chunks(metrics[0].n_units, n_resamples=n_resamples, seed=seed)
    ]
    return [np.concatenate(column) for column in zip(*parts, strict=True)]


def _outcome(metric: Metric, predictions: Sequence[Prediction], kind: Kind) -> Outcome:
    return Outcome(
        score=plain_value(metric),
        labels=_label_scores(predictions),
        right=np.array([kind.is_right(each) for each in predictions]),
        predicted=[_show_answer(each.predicted) for each in predictions],
    )


def _label_scores(predictions: Sequence[Prediction]) -> dict[str, float]:
    """Return F1 of each label, where the answers are labels."""
    rows = [(each.gold, each.predicted) for each in predictions]
    if all(isinstance(gold, str) and isinstance(predicted, str) for gold, predicted in rows):
        found = per_label([str(gold) for gold, _ in rows], [str(predicted) for _, predicted in rows])
    elif all(_is_labels(gold) and _is_labels(predicted) for gold, predicted in rows):
        found = per_label([texts_of(gold) for gold, _ in rows], [texts_of(predicted) for _, predicted in rows])
    else:
        return {}
    return {label: float(scores["f1"]) for label, scores in found.items()}


def _is_labels(value: Plain | None) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, str) for each in value)


def _show_answer(value: Plain | None) -> tuple[Mention, ...]:
    """Return the answer as a mention of the first word, where the page shows it."""
    if isinstance(value, float):
        return (Mention(0, 1, f"{value:.2f}"),)
    if isinstance(value, tuple):
        shown = [" = ".join(each) if isinstance(each, tuple) else each for each in value]
        return (Mention(0, 1, ", ".join(shown)),) if shown else ()
    return (Mention(0, 1, value),) if value else ()
