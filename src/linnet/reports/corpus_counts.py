"""Counts of a known corpus as its readers see it, to be compared with those of the table."""

from collections.abc import Iterator
from pathlib import Path

from linnet.contracts import ReadOptions, tasks
from linnet.corpora.table import KnownCorpus
from linnet.formats.corpus import read_corpus
from linnet.settings.training import TextSettings
from linnet.tasks.relations.unreached import asked
from linnet.tasks.texts.task import TextTask

__all__ = ["count_splits"]

Counts = dict[str, int]


def count_splits(corpus: KnownCorpus, folder: Path) -> dict[str, Counts]:
    """Return what each split holds: documents, sentences and mentions, or examples of a task about texts.

    Sentences are counted where the files have them. The splits of folds are called `1/train` and so on. Splits of
    which the table has no counts are read as well.

    Raises:
        LinnetError: where the corpus cannot be read.
    """
    if corpus.task == "ner":
        return _of_documents(corpus, folder)
    return {f"{prefix}{name}": {"examples": number} for prefix, name, number in _of_texts(corpus, folder)}


def _of_documents(corpus: KnownCorpus, folder: Path) -> dict[str, Counts]:
    options = ReadOptions(label=corpus.label or None, repair=corpus.repair)
    found: dict[str, Counts] = {}
    for name, split in read_corpus(folder, options=options).splits.items():
        documents = sentences = mentions = 0
        for document in split:
            documents += 1
            sentences += len(document.sentences or ())
            mentions += len(document.spans)
        # a file of sentences that does not mark documents is read as one document for each
        counted = {"documents": documents, "sentences": sentences, "mentions": mentions}
        unknown = "documents" if documents == sentences else "" if sentences else "sentences"
        found[name] = {key: number for key, number in counted.items() if key != unknown}
    return found


def _of_texts(corpus: KnownCorpus, folder: Path) -> Iterator[tuple[str, str, int]]:
    task = tasks.get(corpus.task)
    assert isinstance(task, TextTask)
    # of folds, the folders 1/, 2/ and so on hold splits
    for inner in dict.fromkeys("".join(file.name.rpartition("/")[:2]) for file in corpus.files):
        for name, examples in task.read(folder / inner, TextSettings()).items():
            yield inner, name, len(asked(examples))
