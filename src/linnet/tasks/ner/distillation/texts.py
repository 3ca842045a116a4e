"""Reads unlabelled text for distillation: the different sentences of all files, as words, with a fingerprint."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from pathlib import Path

import numpy as np

from linnet.contracts import Notes
from linnet.documents.document import Document
from linnet.documents.sentences import with_sentences
from linnet.errors import BadFile, BadSetting
from linnet.formats.inputs.failures import Failure
from linnet.formats.inputs.lenient import read_leniently
from linnet.formats.inputs.named_fields import NamedFields
from linnet.formats.inputs.reading import find_inputs
from linnet.tasks.ner.distillation.settings import DistillSettings

__all__ = ["UnlabelledTexts", "read_texts"]

Words = tuple[str, ...]


@dataclass(frozen=True)
class UnlabelledTexts:
    """The sentences of the texts, each once."""

    sentences: Sequence[Words]
    notes: Notes = field(default_factory=Notes, compare=False)  # what could not be read

    @cached_property
    def first_words(self) -> list[int]:
        """The number of the first word of each sentence, over all sentences; behind them, how many words there are."""
        return [0, *accumulate(map(len, self.sentences))]

    @property
    def n_words(self) -> int:
        """How many words the sentences have."""
        return self.first_words[-1]

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the words in their order."""
        digest = hashlib.sha256()
        for words in self.sentences:
            digest.update("\x1f".join(words).encode("utf-8", "surrogatepass") + b"\n")
        return digest.hexdigest()


def read_texts(settings: DistillSettings, *, seed: int) -> UnlabelledTexts:
    """Return the different sentences of the texts, or a sample of them, in the order of the files.

    Raises:
        BadFile: where a text cannot be read, or none has a sentence.
        BadSetting: where a larger sample is wanted than there are sentences.
    """
    notes = Notes()
    found = list(dict.fromkeys(_read_sentences(settings, notes)))
    if not found:
        raise BadFile(
            f"distill.texts: there is no sentence in {', '.join(settings.texts)}", "give files or folders with text"
        )
    if settings.sentences is None:
        return UnlabelledTexts(found, notes)
    if settings.sentences > len(found):
        raise BadSetting(
            f"distill.sentences is {settings.sentences:,}, the texts have {len(found):,} different ones",
            f"give at most {len(found)}",
        )
    chosen = np.random.default_rng(seed).permutation(len(found))[: settings.sentences]
    return UnlabelledTexts([found[number] for number in sorted(chosen.tolist())], notes)


def _read_sentences(settings: DistillSettings, notes: Notes) -> Iterator[Words]:
    fields = NamedFields(settings.text_field, settings.id_field) if settings.text_field else None
    format = "jsonl" if fields is not None else settings.format
    for place in settings.texts:
        for file in find_inputs(Path(place), format=format, notes=notes):
            for document in read_leniently(file, notes, fields=fields):
                if isinstance(document, Failure):
                    notes.add("documents that cannot be read, left out", f"{document.document}: {document.reason}")
                else:
                    yield from _words_of(document)


def _words_of(document: Document) -> Iterator[Words]:
    for sentence in with_sentences(document.without_annotations()):
        if sentence.tokens:
            yield tuple(document.text[start:end] for start, end in sentence.tokens)
