"""Documents with the candidates and the gold identifiers of their mentions."""

from collections.abc import Sequence
from typing import NamedTuple

from linnet.documents.document import Document
from linnet.tasks.linking.evaluation.gold import GoldIdentifiers
from linnet.tasks.linking.linker import Linker, RankedPart
from linnet.tasks.linking.training.ranker import N_CANDIDATES

__all__ = ["Searched", "search_documents"]


class Searched(NamedTuple):
    """A document with the candidates of its mentions, searched once for all that is learned from them."""

    document: Document
    parts: list[list[RankedPart]]  # of each mention
    gold: list[tuple[str, ...]]  # of each mention


def search_documents(linker: Linker, documents: Sequence[Document], gold: GoldIdentifiers) -> list[Searched]:
    """Return the documents with the candidates of an untrained linker."""
    return [
        Searched(each, linker.rank_parts(each, N_CANDIDATES), [gold.of_span(span) for span in each.spans])
        for each in documents
    ]
