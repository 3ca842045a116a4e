"""A review: documents with proposed mentions, the decisions of a person, progress, agreement and export.

Each document has a version, which every decision raises. A decision that was made on an older version is refused, so
that two browser tabs cannot overwrite each other.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from linnet.documents.document import Document, Span
from linnet.documents.whole_relations import keep_whole_relations
from linnet.errors import LinnetError
from linnet.formats.jsonl import document_from_json, document_to_json
from linnet.serving.review.candidates import drop_candidates
from linnet.serving.review.journal import Journal

__all__ = ["Agreement", "Progress", "Review", "StaleDecision", "least_confident_first"]

Propose = Callable[[Document], Document]


class StaleDecision(LinnetError):
    """The document has been decided on since the person opened it."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the decisions agree with what was proposed: whole documents, and mentions by place and label."""

    unchanged: int  # documents
    proposed: int  # mentions, likewise the next two
    kept: int
    after: int  # the decisions

    def as_dict(self) -> dict[str, float | int | None]:
        """Return it as JSON, with precision, recall and F1 of what was proposed."""
        sides = self.proposed + self.after
        return {
            "unchanged_documents": self.unchanged,
            "proposed": self.proposed,
            "kept": self.kept,
            "mentions_after": self.after,
            "precision": self.kept / self.proposed if self.proposed else None,
            "recall": self.kept / self.after if self.after else None,
            "f1": 2 * self.kept / sides if sides else None,
        }


@dataclass(frozen=True, slots=True)
class Progress:
    """How many documents have been decided on, of how many."""

    decided: int
    total: int
    agreement: Agreement


class Review:
    """The documents of a review in their order, and what was decided on them. Threads may share it."""

    def __init__(
        self, documents: Sequence[Document], journal: Journal, propose: Propose, labels: Iterable[str] = ()
    ) -> None:
        self._documents = documents
        self._labels = list(labels)
        self._journal = journal
        self._propose = propose
        self._proposed: dict[int, Document] = {}
        self._decided: dict[int, Document] = {}
        self._agreements: dict[int, Agreement] = {}  # of each document that was decided on
        self._versions = [0] * len(documents)
        self._lock = threading.Lock()
        at = {document.id: number for number, document in enumerate(documents)}
        for entry in journal.entries:
            self._take(at[entry["document"]], entry)

    def __len__(self) -> int:
        return len(self._documents)

    @property
    def ids(self) -> list[str]:
        """The ids of the documents, by their numbers."""
        return [document.id for document in self._documents]

    @property
    def labels(self) -> list[str]:
        """The labels to choose from: those that were given, then those that decisions have brought, oldest first."""
        return list(self._labels)

    def text_of(self, number: int) -> str:
        """Return the text of a document."""
        return self._documents[number].text

    def proposed(self, number: int) -> Document:
        """Return the document with the mentions that were proposed."""
        if number not in self._proposed:
            self._proposed[number] = self._propose(self._documents[number])
        return self._proposed[number]

    def current(self, number: int) -> tuple[Document, int]:
        """Return the document as it stands, and its version; 0 is one without a decision."""
        version = self._versions[number]
        return (self._decided[number] if version else self.proposed(number)), version

    def decide(self, number: int, spans: Sequence[Any], version: int) -> int:
        """Keep a decision, which is on the disk when this returns, and return the new version.

        Args:
            number: of the document.
            spans: of the document from now on, as JSON.
            version: of the document that the person has seen.

        Raises:
            StaleDecision: if there has been another decision since.
            BadFile: for a mention outside of the text, or one that is not a mention.
        """
        document = self._documents[number]
        decided = _drop_repeated(drop_candidates(_with_spans(document, spans)))
        proposed = {} if version else {"proposed": _spans_as_json(self.proposed(number))}
        with self._lock:
            if version != self._versions[number]:
                raise StaleDecision(
                    f"{document.id}: another window has decided on this document since you opened it",
                    "open it again; its mentions are those of the other window",
                )
            entry = {
                "document": document.id,
                "version": version + 1,
                "spans": _spans_as_json(decided),
                **proposed,
            }
            self._journal.append(entry)
            self._take(number, entry)
        return version + 1

    def next_undecided(self, after: int = -1) -> int | None:
        """Return the next document without a decision, from the beginning again if there is none after this one."""
        order = [*range(after + 1, len(self)), *range(after + 1)]
        return next((number for number in order if not self._versions[number]), None)

    def progress(self) -> Progress:
        """Return how far the review is, and how far the decisions agree with what was proposed."""
        with self._lock:
            each = list(self._agreements.values())
        together = Agreement(
            unchanged=sum(one.unchanged for one in each),
            proposed=sum(one.proposed for one in each),
            kept=sum(one.kept for one in each),
            after=sum(one.after for one in each),
        )
        return Progress(len(each), len(self), together)

    def decided_documents(self) -> Iterable[Document]:
        """Yield the documents that were decided on, in the order of the review."""
        for number in sorted(self._decided):
            yield self._decided[number]

    def _take(self, number: int, entry: dict[str, Any]) -> None:
        self._decided[number] = drop_candidates(_with_spans(self._documents[number], entry["spans"]))
        if "proposed" in entry:  # a review that is opened again need not ask the model again
            self._proposed[number] = _with_spans(self._documents[number], entry["proposed"])
        self._agreements[number] = _compare(self.proposed(number), self._decided[number])
        self._versions[number] = entry["version"]
        self._labels = list(dict.fromkeys([*self._labels, *(span.label for span in self._decided[number].spans)]))


def _with_spans(document: Document, spans: Sequence[Any]) -> Document:
    """Return the document with these mentions; relations of mentions that are gone are left out."""
    bare = replace(document, spans=(), relations=())
    found = document_from_json({**document_to_json(bare), "spans": list(spans)}, document.id)
    return replace(bare, spans=found.spans, relations=tuple(keep_whole_relations(document, found.spans)))


def _drop_repeated(document: Document) -> Document:
    """Return the document with the first of several mentions that have the same place and label."""
    first = {(span.stretches, span.label): span for span in reversed(document.spans)}
    kept = tuple(span for span in document.spans if first[span.stretches, span.label] is span)
    return (
        document
        if len(kept) == len(document.spans)
        else replace(document, spans=kept, relations=tuple(keep_whole_relations(document, kept)))
    )


def _spans_as_json(document: Document) -> list[Any]:
    found: list[Any] = document_to_json(document).get("spans", [])
    return found


def _compare(proposed: Document, decided: Document) -> Agreement:
    before, now = _places(proposed.spans), _places(decided.spans)
    return Agreement(int(before == now), proposed=len(before), kept=len(before & now), after=len(now))


def _places(spans: Iterable[Span]) -> set[tuple[object, ...]]:
    return {(span.stretches, span.label) for span in spans}


def least_confident_first(documents: Iterable[Document]) -> list[Document]:
    """Return the documents in the order of their least confident mention; those without scores come last."""

    def least(document: Document) -> float:
        return min((span.score for span in document.spans if span.score is not None), default=2.0)

    return sorted(documents, key=least)
