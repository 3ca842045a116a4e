"""Which data do the runs of a grid learn from and answer about?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from linnet.comparison.grid import Grid
from linnet.contracts import ReadOptions, tasks
from linnet.formats.corpus import Corpus, corpus_place, read_corpus
from linnet.settings.training import CorpusSettings, TrainSettings

__all__ = ["GridCorpus", "Sizes", "corpus_key", "read_grid_corpora"]

Sizes = dict[str, tuple[int, int]]  # sentences (or texts) and words of each split, roughly


@dataclass(frozen=True)
class GridCorpus:
    """One of a grid's corpora, as far as a grid must know it."""

    fingerprints: Mapping[str, str]  # by split
    sizes: Callable[[], Sizes]  # counted when asked for


def corpus_key(settings: TrainSettings | CorpusSettings) -> str:
    """Return what tells a corpus from others: where it is and how it is read."""
    text = settings.text.model_dump_json(exclude_defaults=True) if isinstance(settings, TrainSettings) else "{}"
    reading = settings.model_dump_json(include={"files", "repair"}, exclude_defaults=True)
    return " ".join([settings.data, *(told for told in (text, reading) if told != "{}")])


def read_grid_corpora(grid: Grid) -> dict[str, GridCorpus]:
    """Return the corpora of a grid by key, found but not yet counted.

    Raises:
        BadFile: where one is missing or broken, before anything is trained.
        LinnetError: where its texts do not have the score that is compared, or less of it is better.
    """
    found: dict[str, GridCorpus] = {}
    for run in grid.runs:
        sources: list[TrainSettings | CorpusSettings] = [run.settings, *run.settings.corpora]
        for each in sources:
            if corpus_key(each) not in found:
                is_of_texts = grid.task != "ner"
                found[corpus_key(each)] = _texts(run.settings, grid.metric) if is_of_texts else _documents(each)
    return found


def _documents(settings: TrainSettings | CorpusSettings) -> GridCorpus:
    options = ReadOptions(label=settings.label, repair=settings.repair)
    corpus = read_corpus(settings.data, format=settings.format, options=options, files=settings.files)
    prints = {name: split.fingerprint for name, split in corpus.splits.items()}
    return GridCorpus(prints, lambda: _document_sizes(corpus))


def _document_sizes(corpus: Corpus) -> Sizes:
    found = {}
    for name, split in corpus.splits.items():
        sentences = words = 0
        for document in split:
            sentences += max(1, len(document.sentences or ()))
            words += len(document.text.split())
        found[name] = (sentences, words)
    return found


def _texts(settings: TrainSettings, metric: str) -> GridCorpus:
    from linnet.tasks.texts.outcomes import comparable
    from linnet.tasks.texts.sources import fingerprint
    from linnet.tasks.texts.task import TextTask, metrics_of_gold

    task = tasks.get(settings.task)
    assert isinstance(task, TextTask)
    splits = task.read(corpus_place(settings.data), settings.text, repair=settings.repair)
    if metric and splits.get("test"):
        kind = task.kind(splits.get("train", []), settings.text)
        comparable(metrics_of_gold(task, splits["test"], kind, settings.text), metric)
    sizes = {
        name: (len(rows), sum(len(each.first.split()) + len((each.second or "").split()) for each in rows))
        for name, rows in splits.items()
    }
    return GridCorpus({name: fingerprint(rows) for name, rows in splits.items()}, lambda: sizes)
