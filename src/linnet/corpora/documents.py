"""Which sentences of a known corpus belong to one document, where its files do not say it.

`documents.json` was made by placing the sentences of a corpus, in their order, in the abstracts that they were taken
from: every sentence of these corpora lies in one, and the sentences of an abstract follow each other.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from linnet.corpora.table import find_known

__all__ = ["DocumentSentences", "sentence_documents"]

FILE = "documents.json"


class DocumentSentences(NamedTuple):
    """A document, and how many of the sentences that follow are its own."""

    id: str  # PubMed's number, or `unknown`
    n_sentences: int


def sentence_documents(name: str, split: str) -> tuple[DocumentSentences, ...]:
    """Return the documents of a split in the order of its sentences; none where they are not known.

    Raises:
        UnknownName: where the table does not have the corpus.
    """
    corpus = find_known(name)
    found = _documents().get(corpus.sentences_of or name, {}).get(split)
    if found is None:
        return ()
    pairs = zip(found["ids"], found["sentences"], strict=True)
    return tuple(DocumentSentences(str(id), int(number)) for id, number in pairs)


@cache
def _documents() -> Mapping[str, Mapping[str, Mapping[str, list[str | int]]]]:
    content: Mapping[str, Mapping[str, Mapping[str, list[str | int]]]] = json.loads(
        (files("linnet.corpora") / FILE).read_text(encoding="utf-8")
    )
    return content
