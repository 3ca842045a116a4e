"""Candidates for the mentions of a document that was decided on: decisions keep identifiers, and no candidates.

The page leaves them out of what it sends; other programs may send back what they were shown.
"""

from dataclasses import replace

from linnet.documents.document import Document, Span
from linnet.serving.http.linking import SharedLinker

__all__ = ["N_CANDIDATES", "add_candidates", "drop_candidates"]

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


def drop_candidates(document: Document) -> Document:
    """Return the document without the candidates of its mentions."""
    if not any(INFON in span.infons for span in document.spans):
        return document
    return replace(document, spans=tuple(map(_drop_of_span, document.spans)))


def _drop_of_span(span: Span) -> Span:
    return replace(span, infons={key: value for key, value in span.infons.items() if key != INFON})
