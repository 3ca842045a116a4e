"""Reads the corpus and the vocabulary of a linking training, and checks them before anything is learned."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from linnet.contracts import ReadOptions
from linnet.documents.document import Document
from linnet.errors import BadSetting
from linnet.formats.corpus import Corpus, read_corpus
from linnet.tasks.linking.evaluation.gold import GoldIdentifiers, keep_label, known_share
from linnet.tasks.linking.settings import LinkingSettings
from linnet.tasks.linking.vocabularies.vocabulary import Vocabulary, open_vocabulary

__all__ = ["PreparedLinking", "prepare"]

SPLITS = ("train", "devel", "test")


@dataclass(frozen=True)
class PreparedLinking:
    """A linking training that was read and checked."""

    settings: LinkingSettings
    vocabulary: Vocabulary
    corpus: Corpus
    documents: Mapping[str, Sequence[Document]]  # by split
    notes: tuple[str, ...]

    @property
    def gold(self) -> GoldIdentifiers:
        """Identifiers in one spelling."""
        return GoldIdentifiers(self.vocabulary)


def prepare(settings: LinkingSettings) -> PreparedLinking:
    """Read and check everything.

    Raises:
        LinnetError: if the vocabulary or the corpus is missing, broken, or one of them is not made for the other.
    """
    if not settings.vocabulary:
        raise BadSetting("no vocabulary is given", "name its folder: `--vocabulary V`")
    vocabulary = open_vocabulary(Path(settings.vocabulary))
    options = ReadOptions(label=settings.label, repair=settings.repair)
    corpus = read_corpus(settings.data, format=settings.format, options=options, files=settings.files)
    documents = {
        name: list(keep_label(corpus.splits[name].documents, settings.label))
        for name in SPLITS
        if name in corpus.splits
    }
    for name in ("train", "devel"):
        if not any(document.spans for document in documents.get(name, ())):
            raise BadSetting(
                f"{settings.data}: the {name} split is missing or has no mentions",
                "give a corpus with train and devel, and the entity type to link (`--label`)",
            )
    gold = GoldIdentifiers(vocabulary)
    for name, listed in documents.items():
        known_share(listed, gold, where=f"{settings.data}, {name}")
    notes = [*corpus.notes.sentences()]
    notes += [f"{name}: {note}" for name in documents for note in corpus.splits[name].notes.sentences()]
    return PreparedLinking(
        settings=settings, vocabulary=vocabulary, corpus=corpus, documents=documents, notes=tuple(notes)
    )
