"""Document boundaries of corpora whose files hold sentences only.

`documents.json` was made by finding the sentences of a corpus, in their order, in the abstracts that they come from.
Every sentence of these corpora is in one abstract, and the sentences of an abstract follow each other.
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
    """A document and the number of its sentences."""

    id: str  # the PMID, or `unknown`
    n_sentences: int


def sentence_documents(name: str, split: str) -> tuple[DocumentSentences, ...]:
    """Return the documents of a split in the order of its sentences, or nothing if they are not known.

    Raises:
        UnknownName: if the corpus is not in the table.
    """
    corpus = find_known(name)
    columns = _read_documents().get(corpus.sentences_of or name, {}).get(split)
    if columns is None:
        return ()
    pairs = zip(columns["ids"], columns["sentences"], strict=True)
    return tuple(DocumentSentences(str(id), int(number)) for id, number in pairs)


@cache
def _read_documents() -> Mapping[str, Mapping[str, Mapping[str, list[str | int]]]]:
    content: Mapping[str, Mapping[str, Mapping[str, list[str | int]]]] = json.loads(
        (files("linnet.corpora") / FILE).read_text(encoding="utf-8")
    )
    return content
