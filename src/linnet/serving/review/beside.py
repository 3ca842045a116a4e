"""Another annotation of the documents of a review, which is shown beside the one that is corrected."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from linnet.contracts import Notes
from linnet.documents.counted import counted
from linnet.documents.document import Document, Span
from linnet.errors import BadFile
from linnet.formats.corpus import corpus_place
from linnet.formats.inputs.reading import read_inputs

__all__ = ["read_beside"]

log = logging.getLogger(__name__)


def read_beside(place: str, documents: Sequence[Document], source: str) -> dict[str, tuple[Span, ...]]:
    """Return the mentions of another annotation by the ids of the documents; a note says which documents it lacks.

    Args:
        place: a file or folder of any format.
        documents: that are reviewed.
        source: where they come from.

    Raises:
        BadFile: if it cannot be read, has another text for one of the documents, or has none of them.
    """
    found = read_inputs(corpus_place(Path(place)), format=None, notes=Notes())
    mentions = _take_mentions(found, {document.id: document.text for document in documents}, place, source)
    if not mentions:
        raise BadFile(f"{place}: has none of the documents of {source}", "name an annotation of the same documents")
    if lacking := [document.id for document in documents if document.id not in mentions]:
        log.warning(
            "note: %s has nothing on %s of %s (first: %s)",
            place, counted(len(lacking), "document"), source, lacking[0],
        )  # fmt: skip
    return mentions


def _take_mentions(
    found: Iterable[Document], text_by_id: Mapping[str, str], place: str, source: str
) -> dict[str, tuple[Span, ...]]:
    mentions: dict[str, tuple[Span, ...]] = {}
    for document in found:
        if document.id not in text_by_id:
            continue
        if document.text != text_by_id[document.id]:
            raise BadFile(
                f"{place}: document {document.id!r} has another text than in {source}",
                "name an annotation of the same texts",
            )
        mentions[document.id] = document.spans
    return mentions
