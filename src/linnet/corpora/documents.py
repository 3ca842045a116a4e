"""Document boundaries of corpora whose files hold sentences only.

`documents.json` was made by finding the sentences of a corpus, in their order, in the abstracts that they come from.
Every sentence of these corpora is in one abstract, and the sentences of an abstract follow each other. LINNAEUS has
articles instead of abstracts; nine tenths of its longer sentences are in one article to the letter, and each article
begins where its title stands. A digest of its sentences identifies each split, so that the documents are known whatever
the file is called.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple, TypedDict

from linnet.corpora.table import find_known

__all__ = ["DocumentSentences", "documents_of_sentences", "sentence_documents"]

FILE = "documents.json"


class DocumentSentences(NamedTuple):
    """A document and the number of its sentences."""

    id: str  # the PMID, for articles the PMC id, or `unknown`
    n_sentences: int


def sentence_documents(name: str, split: str) -> tuple[DocumentSentences, ...]:
    """Return the documents of a split in the order of its sentences, or nothing if they are not known.

    Raises:
        UnknownName: if the corpus is not in the table.
    """
    corpus = find_known(name)
    columns = _read_documents().get(corpus.sentences_of or name, {}).get(split)
    return () if columns is None else _list_documents(columns)


def documents_of_sentences(sentences: Iterable[str]) -> tuple[DocumentSentences, ...]:
    """Return the documents of sentences that are those of a known split in its order, or nothing for any others.

    Args:
        sentences: without blanks, as tokenisers differ in where they put them.
    """
    digest = hashlib.sha256("\n".join(sentences).encode("utf-8", "surrogatepass")).hexdigest()
    for splits in _read_documents().values():
        for columns in splits.values():
            if columns["sha256"] == digest:
                return _list_documents(columns)
    return ()


def _list_documents(columns: "_Columns") -> tuple[DocumentSentences, ...]:
    return tuple(map(DocumentSentences, columns["ids"], columns["sentences"]))


class _Columns(TypedDict):
    sha256: str  # of the sentences without blanks, joined by line breaks
    ids: list[str]
    sentences: list[int]


@cache
def _read_documents() -> Mapping[str, Mapping[str, _Columns]]:
    content: Mapping[str, Mapping[str, _Columns]] = json.loads(
        (files("linnet.corpora") / FILE).read_text(encoding="utf-8")
    )
    return content
