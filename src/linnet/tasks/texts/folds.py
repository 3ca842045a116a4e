"""Cross-validation over the folds that a corpus comes with.

Each fold is trained and tested as a run of its own, in `fold-1`, `fold-2`, ... of the output folder, which gets the
mean and the standard deviation of their scores. It is no model itself; `linnet.json` says so, and is written last.
"""

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from linnet.formats.corpus import corpus_place
from linnet.models.model_folder import write_facts
from linnet.tasks.texts.kinds import find_kind
from linnet.tasks.texts.reading.fold_folders import check_folds, fold_folders
from linnet.tasks.texts.reports.fold_report import write_fold_report
from linnet.tasks.texts.settings import TextTrainSettings
from linnet.tasks.texts.task import TextTask
from linnet.training.run_folder import METRICS, Run, write_json

__all__ = ["TextFolds", "find_folds", "finish_folds"]

Figure = dict[str, Any]  # value, sd, low, high, n and unit, which have different types


@dataclass(frozen=True)
class TextFolds:
    """The folds of a corpus, checked for texts that their tests share."""

    settings: TextTrainSettings  # of all together
    settings_by_fold: Mapping[str, TextTrainSettings]
    n_shared: int  # texts of a test that stand elsewhere too, and were tolerated

    def finish(self, runs: Mapping[str, Run]) -> None:
        """Write the mean over the folds' runs into the run folder."""
        finish_folds(self, runs)


def find_folds(task: TextTask[Any], settings: TextTrainSettings) -> TextFolds:
    """Return the folds of a corpus, each with the settings of an ordinary training.

    Raises:
        BadFile: where a fold is missing, or their tests share more texts than the recipe allows.
    """
    folders = fold_folders(corpus_place(settings.data))
    n_shared = check_folds(
        folders,
        tolerated=settings.text.fold_overlap,
        read=lambda folder: task.read(folder, settings.text, repair=settings.repair),
    )
    return TextFolds(settings, {folder.name: _of_fold(settings, folder) for folder in folders}, n_shared)


def finish_folds(folds: TextFolds, runs: Mapping[str, Run]) -> None:
    """Write mean scores and report of all folds; the facts are those of the first, with the folders of all."""
    settings = folds.settings
    output, first = Path(settings.output), next(iter(runs.values()))
    metrics = _metrics(folds, runs)
    facts = replace(
        first.facts,
        corpus=Path(settings.data).resolve().name,
        fingerprints=_fingerprints(runs),
        folds=tuple(run.folder.name for run in runs.values()),
    )
    write_fold_report(
        output / "report.md",
        title=f"{settings.encoder} on {facts.corpus}, test",
        metrics=metrics,
        folders={fold: run.folder.name for fold, run in runs.items()},
        kind=find_kind(first.facts.text["shape"]["kind"]),
        details={"task": settings.task, "scheme": facts.scheme, "loss": facts.loss, "seed": str(settings.seed)},
    )
    write_json(output / METRICS, metrics)
    write_facts(output, facts)


def _of_fold(settings: TextTrainSettings, folder: Path) -> TextTrainSettings:
    text = settings.text.model_copy(update={"folds": False, "fold_overlap": 0})
    output = Path(settings.output) / f"fold-{folder.name}"
    return settings.model_copy(update={"data": str(folder), "output": str(output), "text": text})


def _metrics(folds: TextFolds, runs: Mapping[str, Run]) -> dict[str, Any]:
    scores = {fold: run.metrics["scores"] for fold, run in runs.items()}
    found = [run.metrics for run in runs.values()]
    shared = [name for name in found[0]["scores"] if all(name in each for each in scores.values())]
    return {
        "task": folds.settings.task,
        "metric": next(name for name in (found[0]["metric"], *shared) if name in shared),
        "folds": scores,
        "scores": {name: _mean([each[name]["value"] for each in scores.values()]) for name in shared},
        "labels": {},
        "split": "test",
        "best_epoch": None,
        "warnings": [*_warnings(folds, runs), *_left_out(scores, shared)],
        "seconds": sum(each["seconds"] for each in found),
    }


def _mean(values: Sequence[float]) -> Figure:
    """Return the mean and the standard deviation of a sample (over n - 1), for folds are a sample of all splits."""
    mean, deviation = statistics.fmean(values), statistics.stdev(values)
    return {"value": mean, "sd": deviation, "low": None, "high": None, "n": len(values), "unit": "folds"}


def _warnings(folds: TextFolds, runs: Mapping[str, Run]) -> Iterator[str]:
    if folds.n_shared:
        yield (
            f"texts of a fold's test that are also in the test of another, or in what it learns from: "
            f"{folds.n_shared:,} (allowed: {folds.settings.text.fold_overlap:,})"
        )
    for fold, run in runs.items():
        yield from (f"fold {fold}: {warning}" for warning in run.metrics["warnings"])


def _left_out(scores: Mapping[str, Mapping[str, Figure]], shared: Sequence[str]) -> Iterator[str]:
    """Yield the scores that some folds have and others lack, as where a label does not occur in all of them."""
    for name in dict.fromkeys(name for each in scores.values() for name in each if name not in shared):
        lacking = [fold for fold, each in scores.items() if name not in each]
        yield f"{name} has no mean: fold {', '.join(lacking)} does not have it"


def _fingerprints(runs: Mapping[str, Run]) -> dict[str, str]:
    return {f"{fold}/{split}": each for fold, run in runs.items() for split, each in run.facts.fingerprints.items()}
