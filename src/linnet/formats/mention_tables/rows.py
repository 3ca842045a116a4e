"""Rows of mentions: what the tables have of documents."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from linnet.contracts import WriteOptions
from linnet.documents.document import Document, Link, Span
from linnet.formats.unique_ids import claim_id, ids_to_claim
from linnet.storage.files import check_text

__all__ = ["MentionRow", "losses_of_rows", "mention_rows"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MentionRow:
    """A mention."""

    document: str  # its id
    start: int
    end: int
    label: str
    text: str
    score: float | None
    identifiers: str | None  # with the prefix of their database, several joined by `|`
    names: str | None  # preferred names of the concepts, joined in the same way
    model: str | None  # fingerprint


def mention_rows(documents: Iterable[Document], path: Path, options: WriteOptions) -> Iterator[MentionRow]:
    """Yield a row for each mention, in the order of the documents.

    Raises:
        BadFile: where an id stands twice, or a text has characters that files cannot hold.
    """
    ids = ids_to_claim(options)
    for document in documents:
        claim_id(document.id, ids, str(path))
        place = f"document {document.id!r}"
        check_text(document.id, place)
        check_text(document.text, place)
        for span, text in document.mentions():
            check_text(span.label, place)
            yield MentionRow(
                document=document.id,
                start=span.start,
                end=span.end,
                label=span.label,
                text=text,
                score=span.score,
                identifiers="|".join(map(_format_identifier, span.links)) or None,
                names=_format_names(span),
                model=span.infons.get("model") or document.infons.get("model") or options.model or None,
            )


def losses_of_rows(document: Document) -> Iterator[tuple[str, int]]:
    """Yield what rows cannot hold."""
    spans = document.spans
    yield "documents without mentions", int(not spans)
    yield "texts around mentions (documents)", int(bool(document.text))
    yield "pieces of discontinuous mentions", sum(len(span.fragments) for span in spans if span.is_discontinuous)
    yield "relations", len(document.relations)
    yield "passages", len(document.passages)
    yield "sentences", len(document.sentences)
    infons = [span.infons for span in spans] + [document.infons]
    yield "infons", sum(key != "model" for keys in infons for key in keys)


def _format_identifier(link: Link) -> str:
    has_prefix = link.identifier.partition(":")[0].casefold() == link.database.casefold()  # `mesh:D003920`
    return f"{link.database}:{link.identifier}" if link.database and not has_prefix else link.identifier


def _format_names(span: Span) -> str | None:
    """Return the names of the linked concepts; None if no link has one."""
    return "|".join(link.name for link in span.links) if any(link.name for link in span.links) else None
