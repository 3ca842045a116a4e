"""Writes annotated documents as an answer, in any format that is one file."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from linnet.annotation.provenance import Provenance
from linnet.contracts import WriteOptions, formats
from linnet.documents.document import Document, Span
from linnet.errors import LinnetError
from linnet.formats.jsonl import document_to_json
from linnet.formats.link_details import describe_loss
from linnet.formats.reading import convert_documents
from linnet.serving.http.bodies import private_file
from linnet.serving.http.media_types import JSON
from linnet.serving.http.offsets import document_in_utf16
from linnet.serving.http.refusals import Refusal, refusal_of

__all__ = ["IN_UTF16", "choose_spans", "encode_json", "write_answer"]

IN_UTF16 = (JSON, "jsonl")


def choose_spans(documents: Iterable[Document], *, labels: Sequence[str], min_score: float | None) -> list[Document]:
    """Return the documents with the mentions of these labels, and of at least this confidence."""

    def is_wanted(span: Span) -> bool:
        is_sure = min_score is None or span.score is None or span.score >= min_score
        return is_sure and (not labels or span.label in labels)

    if not labels and min_score is None:
        return list(documents)
    return [replace(document, spans=tuple(filter(is_wanted, document.spans)), relations=()) for document in documents]


def write_answer(
    documents: Sequence[Document],
    to: str,
    *,
    provenance: Provenance,
    about: Mapping[str, object],
    is_utf16: bool = False,
) -> tuple[bytes, tuple[str, ...]]:
    """Return the content of an answer, and notes about what its format cannot hold.

    Args:
        documents: with what was found.
        to: `json` or a registered format.
        provenance: what made the annotations, for formats that hold it.
        about: further fields of the `json` answer.
        is_utf16: are offsets counted in UTF-16 code units, as JavaScript does?

    Raises:
        Refusal: if the format cannot hold offsets of that kind, or two documents have the same id.
    """
    if is_utf16 and to not in IN_UTF16:
        raise Refusal(
            400,
            f"{to} counts offsets in its own way",
            f"leave `offsets` out, or ask for one of {', '.join(IN_UTF16)}",
            where="parameter offsets",
        )
    if to == JSON:
        found = [_as_json(document, is_utf16=is_utf16) for document in documents]
        return encode_json({"documents": found, **about}), ()
    chosen = formats.get(to)
    marked = list(provenance.add(documents, chosen))
    if is_utf16:
        return b"".join(encode_json(_as_json(document, is_utf16=True)) for document in marked), ()
    options = WriteOptions(model=provenance.fingerprint)
    with private_file() as path:
        try:
            done = convert_documents(marked, path, to=chosen, options=options, is_lossy=True)
        except LinnetError as error:
            raise refusal_of(error, place=str(path), where="documents") from None
        return path.read_bytes(), tuple(describe_loss(to, what, number) for what, number in done.lost.items())


def encode_json(found: object) -> bytes:
    """Return a JSON text with a line end."""
    return (json.dumps(found, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _as_json(document: Document, *, is_utf16: bool) -> dict[str, Any]:
    record = document_to_json(document)
    record.setdefault("spans", [])
    return document_in_utf16(record, document.text) if is_utf16 else record
