"""Fingerprints, sizes and counts of the corpora of a tagger."""

from pathlib import Path

from linnet.contracts import CorpusFacts, ReadOptions
from linnet.formats.corpus import Corpus, read_corpus
from linnet.formats.sentence_documents import find_documents
from linnet.settings.training import CorpusSettings, TrainSettings
from linnet.tasks.ner.corpora.documents import check_document_files, find_document_files
from linnet.tasks.ner.corpora.sampling import no_documents_error
from linnet.tasks.ner.examples import read_examples
from linnet.tasks.ner.settings import NerSettings

__all__ = ["count_splits", "facts_of_corpora"]


def facts_of_corpora(settings: NerSettings) -> dict[str, CorpusFacts]:
    """Return the corpora of a run by key, found but not yet counted.

    Raises:
        BadFile: where one is missing or broken.
    """
    sources: list[TrainSettings | CorpusSettings] = [settings, *settings.corpora]
    return {each.corpus_key: _facts(each) for each in sources}


def count_splits(folder: Path, *, label: str | None, repair: bool) -> dict[str, dict[str, int]]:
    """Return what each split holds: documents, sentences and mentions; sentences where the files have them."""
    found: dict[str, dict[str, int]] = {}
    for name, split in read_corpus(folder, options=ReadOptions(label=label, repair=repair)).splits.items():
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


def _facts(settings: TrainSettings | CorpusSettings) -> CorpusFacts:
    options = ReadOptions(label=settings.label, repair=settings.repair)
    corpus = read_corpus(settings.data, format=settings.format, options=options, files=settings.files)
    prints = {name: split.fingerprint for name, split in corpus.splits.items()}
    train = corpus.splits.get("train")
    return CorpusFacts(
        fingerprints=prints,
        sizes=lambda: _sizes(corpus),
        tags=None if train is None else lambda: train.counts,
        check=lambda: _check(settings, corpus),
        has_documents=lambda split: _has_documents(settings, corpus, split),
    )


def _check(settings: TrainSettings | CorpusSettings, corpus: Corpus) -> None:
    if isinstance(settings, NerSettings):
        check_document_files(corpus, settings.documents, settings.tagging)
        if settings.sample_documents:
            for split, number in (("train", settings.train_sentences), ("devel", settings.devel_sentences)):
                if number is not None and split in corpus.splits and not _has_documents(settings, corpus, split):
                    raise no_documents_error(f"{split}_sentences")


def _has_documents(settings: TrainSettings | CorpusSettings, corpus: Corpus, split: str) -> bool:
    """Does the corpus, or a file beside it, say which sentences of a split are one document?"""
    if split not in corpus.splits:
        return False
    if isinstance(settings, NerSettings) and split in find_document_files(corpus, settings.documents):
        return True
    examples = read_examples(corpus.splits[split], settings.tagging if isinstance(settings, NerSettings) else "iob2")
    return find_documents([row.document for row in examples.rows], examples.words) is not None


def _sizes(corpus: Corpus) -> dict[str, tuple[int, int]]:
    """Return sentences and words of each split, roughly."""
    found = {}
    for name, split in corpus.splits.items():
        sentences = words = 0
        for document in split:
            sentences += max(1, len(document.sentences or ()))
            words += len(document.text.split())
        found[name] = (sentences, words)
    return found
