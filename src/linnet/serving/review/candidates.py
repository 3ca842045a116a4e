"""Candidates for the mentions of a document that was decided on: decisions keep identifiers, and no candidates."""

from dataclasses import replace

from linnet.documents.document import Document
from linnet.serving.http.linking import SharedLinker

__all__ = ["N_CANDIDATES", "add_candidates"]

N_CANDIDATES = 5  # of each linked mention, for the person
INFON = "candidates"  # where linkers put them


def add_candidates(document: Document, linker: SharedLinker) -> Document:
    """Return the document with candidates for its mentions; their identifiers stay as the person has left them."""
    (linked,) = linker.link([document], N_CANDIDATES)
    found = {(span.stretches, span.label): span.infons[INFON] for span in linked.spans if INFON in span.infons}
    spans = (
        replace(span, infons={**span.infons, INFON: candidates})
        if (candidates := found.get((span.stretches, span.label)))
        else span
        for span in document.spans
    )
    return replace(document, spans=tuple(spans))
