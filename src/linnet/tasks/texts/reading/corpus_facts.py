"""Fingerprints, sizes and counts of the corpora of a task about texts."""

from pathlib import Path
from typing import Any

from linnet.contracts import CorpusFacts
from linnet.documents.texts import TextExample
from linnet.errors import LinnetError
from linnet.formats.corpus import corpus_place
from linnet.tasks.texts.reading.sources import fingerprint
from linnet.tasks.texts.reading.unreached import candidates_in
from linnet.tasks.texts.settings import TextTrainSettings
from linnet.tasks.texts.task import TextTask, metrics_of_gold

__all__ = ["count_splits", "facts_of_corpus"]


def facts_of_corpus(task: TextTask[Any], settings: TextTrainSettings, metric: str) -> CorpusFacts:
    """Return the corpus of a run.

    Raises:
        BadFile: where it is missing or broken.
        LinnetError: where its texts do not have the score that is compared, or less of it is better.
    """
    from linnet.tasks.texts.outcomes import comparable

    splits = task.read(corpus_place(settings.data), settings.text, repair=settings.repair)
    if metric and splits.get("test"):
        kind = task.kind(splits.get("train", []), settings.text)
        comparable(metrics_of_gold(task, splits["test"], kind, settings.text), metric)
    sizes = {name: (len(rows), sum(map(_n_words, rows))) for name, rows in splits.items()}
    return CorpusFacts({name: fingerprint(rows) for name, rows in splits.items()}, lambda: sizes)


def count_splits(task: TextTask[Any], folder: Path, *, repair: bool) -> dict[str, dict[str, int]]:
    """Return how many examples each split has, read with the first settings that fit the files.

    Raises:
        LinnetError: what is wrong with the files by the task's defaults, where no settings fit.
    """
    refusals: list[LinnetError] = []
    for section in task.sections(None):
        try:
            splits = task.read(folder, section, repair=repair)
        except LinnetError as refusal:
            refusals.append(refusal)
        else:
            return {name: {"examples": len(candidates_in(examples))} for name, examples in splits.items()}
    raise refusals[0]


def _n_words(example: TextExample) -> int:
    return len(example.first.split()) + len((example.second or "").split())
