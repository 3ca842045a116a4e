"""Fingerprints, sizes and counts of corpora with identifiers."""

from pathlib import Path

from linnet.contracts import CorpusFacts, ReadOptions
from linnet.documents.concepts import concepts_of
from linnet.formats.corpus import Corpus, read_corpus
from linnet.tasks.linking.settings import LinkingSettings

__all__ = ["count_splits", "facts_of_corpus"]


def facts_of_corpus(settings: LinkingSettings) -> CorpusFacts:
    """Return the corpus of a run, found but not yet counted."""
    options = ReadOptions(label=settings.label, repair=settings.repair)
    corpus = read_corpus(settings.data, format=settings.format, options=options, files=settings.files)
    prints = {name: split.fingerprint for name, split in corpus.splits.items()}
    return CorpusFacts(prints, lambda: _sizes(corpus))


def count_splits(folder: Path, *, label: str | None, repair: bool) -> dict[str, dict[str, int]]:
    """Return what each split holds: documents, mentions, and mentions with an identifier."""
    found = {}
    for name, split in read_corpus(folder, options=ReadOptions(label=label, repair=repair)).splits.items():
        n_documents = n_mentions = n_linked = 0
        for document in split:
            n_documents += 1
            n_mentions += len(document.spans)
            n_linked += sum(bool(concepts_of(span)) for span in document.spans)
        found[name] = {"documents": n_documents, "mentions": n_mentions, "linked mentions": n_linked}
    return found


def _sizes(corpus: Corpus) -> dict[str, tuple[int, int]]:
    """Return documents and words of each split."""
    found = {}
    for name, split in corpus.splits.items():
        texts = [document.text for document in split]
        found[name] = (len(texts), sum(len(text.split()) for text in texts))
    return found
