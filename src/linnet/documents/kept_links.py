"""Keeps the links that mentions bring where documents are linked: only mentions without one get a new one."""

from dataclasses import replace

from linnet.documents.document import Document, Span

__all__ = ["keep_links"]


def keep_links(linked: Document, given: Document) -> Document:
    """Return a linked document in which the mentions that had links have these again.

    All mentions are linked before, so that what the others say about each of them counts as ever.

    Args:
        linked: the document with new links.
        given: the same document with the same mentions, as it was before.

    >>> from linnet.documents.document import Link
    >>> given = Document("1", "flu", (Span(0, 3, "Disease", links=(Link("mesh:D007251"),)),))
    >>> linked = Document("1", "flu", (Span(0, 3, "Disease", links=(Link("doid:8469"),)),))
    >>> keep_links(linked, given).spans[0].links[0].identifier
    'mesh:D007251'
    """
    pairs = zip(linked.spans, given.spans, strict=True)
    return replace(linked, spans=tuple(_keep_of_span(after, before) for after, before in pairs))


def _keep_of_span(after: Span, before: Span) -> Span:
    return replace(after, links=before.links) if before.links else after
