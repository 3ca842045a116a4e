"""What tells one review from another: hashes of its documents and of the mentions that they bring."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from linnet.documents.document import Document, Span
from linnet.errors import BadFile
from linnet.formats.jsonl import document_to_json

__all__ = ["hash_documents", "hash_mentions"]


def hash_documents(documents: Iterable[Document], place: Path | str) -> str:
    """Return a hash of ids and texts, whatever the order.

    Raises:
        BadFile: if two documents have the same id, or there is none.
    """
    seen: dict[str, str] = {}
    for document in documents:
        if document.id in seen:
            raise BadFile(f"{place}: two documents have the id {document.id!r}", "give each an id of its own")
        seen[document.id] = hashlib.sha256(document.text.encode()).hexdigest()
    if not seen:
        raise BadFile(f"{place}: there are no documents", "give documents to review")
    return _join(seen)


def hash_mentions(documents: Iterable[Document]) -> str:
    """Return a hash of mentions, identifiers and relations, whatever the order; confidence does not count."""
    return _join({document.id: _hash_annotations(document) for document in documents})


def _hash_annotations(document: Document) -> str:
    record = document_to_json(replace(document, spans=tuple(map(_without_scores, document.spans))))
    found = [
        sorted(json.dumps(each, sort_keys=True) for each in record.get(what, ())) for what in ("spans", "relations")
    ]
    return hashlib.sha256(json.dumps(found).encode()).hexdigest()


def _without_scores(span: Span) -> Span:
    return replace(span, score=None, links=tuple(replace(link, score=None) for link in span.links))


def _join(digest_by_id: dict[str, str]) -> str:
    lines = (f"{name}\t{digest_by_id[name]}" for name in sorted(digest_by_id))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
