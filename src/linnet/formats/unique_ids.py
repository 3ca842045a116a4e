"""Uniqueness of document ids in a file, for readers and writers."""

from hashlib import blake2b

from linnet.contracts import Notes, ReadOptions
from linnet.documents.document import Document
from linnet.errors import BadFile

__all__ = ["UniqueDocuments", "claim_id"]


def claim_id(name: str, ids: set[str], place: str) -> None:
    """Add the id of a document to be written, or refuse a second document with this id."""
    if name in ids:
        raise BadFile(f"{place}: two documents are called {name!r}", "give each its own id")
    ids.add(name)


class UniqueDocuments:
    """Finds documents that a file repeats; with `--repair` a repeated document is dropped if it is the same."""

    def __init__(self, options: ReadOptions, notes: Notes) -> None:
        self._is_repaired, self._notes = options.repair, notes
        self._digest_by_id: dict[str, bytes] = {}

    def __len__(self) -> int:
        return len(self._digest_by_id)

    def is_new(self, document: Document, place: str) -> bool:
        """Is this the first document with its id? If not, it is dropped and noted, or refused.

        Raises:
            BadFile: for a second document with this id that may not be dropped.
        """
        digest = _digest(document) if self._is_repaired else b""
        if document.id not in self._digest_by_id:
            self._digest_by_id[document.id] = digest
            return True
        if self._is_repaired and self._digest_by_id[document.id] == digest:
            self._notes.add("repeated documents dropped", place)
            return False
        differs = ", and it differs from the first" if self._is_repaired else ""
        raise BadFile(
            f"{place}: a second document is called {document.id!r}{differs}",
            "remove one of the two; `--repair` drops the second if it is the same as the first",
        )


def _digest(document: Document) -> bytes:
    return blake2b(repr(document).encode("utf-8", "surrogatepass"), digest_size=16).digest()
