"""Links mentions for requests with vocabularies that are opened once and shared by all threads."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Lock

from linnet.annotation.steps import Steps
from linnet.contracts.linking import LINKING, DocumentLinker, NamedVocabulary, linkings
from linnet.documents.document import Document
from linnet.models.engines import compute_batches
from linnet.serving.http.batching import Batcher, Limits, Work, divide

__all__ = ["MOST_CANDIDATES", "SharedLinker", "open_link_queue", "open_shared_linker"]

MOST_CANDIDATES = 20
EVERY_LABEL = "*"
DOCUMENTS_OF_PART = 10  # of a long request, before another one has its turn
ToLink = tuple[Document, int]  # with the number of candidates


class SharedLinker:
    """A linker for many threads. They take turns after each document, so that a short request does not wait long."""

    def __init__(self, open_linker: Callable[[int], DocumentLinker], vocabularies: Sequence[str] = ()) -> None:
        """Open the linker.

        Args:
            open_linker: gives a linker that keeps this number of candidates of each mention.
            vocabularies: as they were given, `V` or `Label=V`.
        """
        self._open = open_linker
        self._lock = Lock()
        self._usual = open_linker(0)
        self._n_candidates, self._with_candidates = 0, self._usual  # as the last request that asked for some
        named = map(NamedVocabulary.parse, vocabularies)
        self.vocabularies = [
            {"label": each.label or EVERY_LABEL, "name": Path(each.place).resolve().name} for each in named
        ]

    @property
    def infons(self) -> Mapping[str, str]:
        """The infons of linked documents, as `linnet annotate --link` writes them."""
        return Steps(self._usual).infons

    def link(self, documents: Sequence[Document], n_candidates: int = 0) -> list[Document]:
        """Return the documents, their mentions with links and with this number of candidates."""
        found: list[Document] = []
        for document in documents:
            with self._lock:
                found += self._choose(n_candidates).link_documents([document])
        return found

    def _choose(self, n_candidates: int) -> DocumentLinker:
        if not n_candidates:
            return self._usual
        if n_candidates != self._n_candidates:
            self._n_candidates, self._with_candidates = n_candidates, self._open(n_candidates)
        return self._with_candidates


def open_shared_linker(vocabularies: Sequence[str], min_score: float | None = None) -> SharedLinker | None:
    """Return the linker of these vocabularies or trained linkers; None if there are none.

    Args:
        vocabularies: `V`, or `Label=V` for the mentions of one label.
        min_score: lowest score of a link; the linker's own if not given.

    Raises:
        LinnetError: if one cannot be opened, or two are for the same mentions.
    """
    if not vocabularies:
        return None
    room = linkings.get(LINKING)
    return SharedLinker(
        lambda candidates: room.open_linker(vocabularies, min_score=min_score, candidates=candidates), vocabularies
    )


def open_link_queue(linker: SharedLinker, limits: Limits) -> "Batcher[ToLink, Document]":
    """Return a queue of documents to be linked: bounded, and what nobody waits for stops before the next document."""

    def link_one(given: ToLink) -> Document:
        document, n_candidates = given
        return linker.link([document], n_candidates)[0]

    def link_groups(groups: list[list[ToLink]]) -> list[list[Document]]:
        together = [each for group in groups for each in group]
        return divide(list(compute_batches(link_one, together, n_parallel=1)), groups)

    def split(given: list[ToLink]) -> list[list[ToLink]]:
        return [given[at : at + DOCUMENTS_OF_PART] for at in range(0, len(given), DOCUMENTS_OF_PART)]

    return Batcher(Work(compute=link_groups, split=split, size_of=lambda given: len(given[0].text) + 1), limits)
