"""What did runs about whole texts answer, and how does each score? Read from saved answers; nothing is trained."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from linnet.comparison.grid import PlannedRun
from linnet.comparison.outcomes import Marks, Outcome, Outcomes, check_same_gold, predictions_of
from linnet.contracts import tasks
from linnet.documents.texts import Judged, Plain, TextExample
from linnet.errors import BadSetting
from linnet.metrics.mentions.tally import Array
from linnet.metrics.statistics.bootstrap import weight_chunks
from linnet.metrics.texts.classification import per_label
from linnet.metrics.texts.resampled import Metric, plain_value
from linnet.tasks.texts.evaluation import find_metric, read_text_predictions
from linnet.tasks.texts.reports.mistakes import is_right, texts_of
from linnet.tasks.texts.task import Kind, TextTask

__all__ = ["comparable", "read_text_outcomes"]


def read_text_outcomes(runs: Sequence[PlannedRun], *, metric: str | None, n_resamples: int, seed: int) -> Outcomes:
    """Return the outcomes of finished runs about texts at one place.

    Raises:
        BadFile: where a run has no answers to the test split, or was scored on other texts than the first.
        BadSetting: where a lower score is the better one, which verdicts do not understand.
    """
    answers = [read_text_predictions(predictions_of(run, "predictions-test.jsonl")) for run in runs]
    check_same_gold(runs, [[(each.id, each.gold) for each in found] for found in answers])
    scores = [_task(run).metrics(found, run.settings.text) for run, found in zip(runs, answers, strict=True)]
    metrics = [comparable(each, metric) for each in scores]
    keys = [(tuple(run.choice.values()), run.seed) for run in runs]
    return Outcomes(
        {
            key: replace(_outcome(each, found, _kind(run, found)), beside=_beside(each, all_scores))
            for key, run, each, all_scores, found in zip(keys, runs, metrics, scores, answers, strict=True)
        },
        [each.text.split() or [each.id] for each in answers[0]],
        [_marks(each.gold) for each in answers[0]],
        metrics[0].n_units,
        lambda: _resampled(metrics, n_resamples=n_resamples, seed=seed),
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


def _kind(run: PlannedRun, judged: Sequence[Judged]) -> Kind:
    """Return what was to be said of these texts, as the task would have it."""
    return _task(run).kind([TextExample(each.id, each.text, gold=each.gold) for each in judged], run.settings.text)


def _task(run: PlannedRun) -> TextTask:
    task = tasks.get(run.settings.task)
    assert isinstance(task, TextTask)
    return task


def _resampled(metrics: Sequence[Metric], *, n_resamples: int, seed: int) -> list[Array]:
    parts = [
        [metric(weights) for metric in metrics]
        for weights in weight_chunks(metrics[0].n_units, n_resamples=n_resamples, seed=seed)
    ]
    return [np.concatenate(column) for column in zip(*parts, strict=True)]


def _outcome(metric: Metric, judged: Sequence[Judged], kind: Kind) -> Outcome:
    return Outcome(
        plain_value(metric),
        _label_scores(judged),
        np.array([is_right(each, kind) for each in judged]),
        [_marks(each.predicted) for each in judged],
    )


def _label_scores(judged: Sequence[Judged]) -> dict[str, float]:
    """Return F1 of each label, where the answers are labels."""
    rows = [(each.gold, each.predicted) for each in judged]
    if all(isinstance(gold, str) and isinstance(predicted, str) for gold, predicted in rows):
        found = per_label([str(gold) for gold, _ in rows], [str(predicted) for _, predicted in rows])
    elif all(_is_labels(gold) and _is_labels(predicted) for gold, predicted in rows):
        found = per_label([texts_of(gold) for gold, _ in rows], [texts_of(predicted) for _, predicted in rows])
    else:
        return {}
    return {label: float(scores["f1"]) for label, scores in found.items()}


def _is_labels(value: Plain | None) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, str) for each in value)


def _marks(value: Plain | None) -> Marks:
    """Return the answer as a mark on the first word, where the page shows it."""
    if isinstance(value, float):
        return ((0, 1, f"{value:.2f}"),)
    if isinstance(value, tuple):
        shown = [" = ".join(each) if isinstance(each, tuple) else each for each in value]
        return ((0, 1, ", ".join(shown)),) if shown else ()
    return ((0, 1, value),) if value else ()
