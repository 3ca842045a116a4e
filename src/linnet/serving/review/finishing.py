"""What the output of a review holds: documents that say that they were reviewed, and mentions that are gold now.

An accepted mention is no longer a prediction, so neither it nor its links have a score. Every mention has an id.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count

from linnet import __version__
from linnet.annotation.provenance import Provenance
from linnet.contracts import Format
from linnet.documents.document import Document, Span

__all__ = ["finish_documents"]

REVIEWED = "reviewed"  # an infon of the document; without a date, so that the same decisions give the same bytes


def finish_documents(documents: Iterable[Document], to: Format, made_by: Provenance) -> Iterator[Document]:
    """Yield the documents as they are written.

    Args:
        documents: that were decided on.
        to: format of the output; infons that it cannot hold are left out.
        made_by: the model that proposed the mentions; an empty one leaves what the documents say themselves.
    """
    marked = replace(made_by, more={**made_by.more, REVIEWED: f"Linnet {__version__}"})
    for document in marked.add(documents, to):
        yield replace(document, spans=tuple(_with_ids([_as_gold(span) for span in document.spans])))


def _as_gold(span: Span) -> Span:
    return replace(span, score=None, links=tuple(replace(link, score=None) for link in span.links))


def _with_ids(spans: list[Span]) -> Iterator[Span]:
    taken = {span.id for span in spans}
    free = (name for name in map("T{}".format, count(1)) if name not in taken)
    for span in spans:
        yield span if span.id else replace(span, id=next(free))
