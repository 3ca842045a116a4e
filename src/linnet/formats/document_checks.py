"""Checks of a document that was read from JSON: offsets, tokens, fragments and the arguments of relations."""

from collections.abc import Mapping
from typing import Any

from linnet.documents.document import Document
from linnet.errors import BadFile

__all__ = ["check_offsets", "check_targets"]

RECOUNT = "offsets are characters (code points), end exclusive; count them again"


def check_offsets(document: Document, found: Mapping[str, Any], place: str) -> None:
    """Refuse offsets outside the text, and spans whose text in the JSON object is another one.

    Raises:
        BadFile: with the place, the document and the offsets.
    """
    size = len(document.text)
    parts = [(passage.start, passage.end) for passage in document.passages]
    parts += [(sentence.start, sentence.end) for sentence in document.sentences]
    parts += [stretch for span in document.spans for stretch in ((span.start, span.end), *span.fragments)]
    parts += [token for sentence in document.sentences for token in sentence.tokens]
    for start, end in parts:
        if not 0 <= start <= end <= size:
            raise BadFile(
                f"{place}: document {document.id!r} has {start} to {end} marked, its text ends at {size}", RECOUNT
            )
    _check_parts(document, place)
    for span, record in zip(document.spans, found.get("spans", ()), strict=True):
        there = span.text_in(document.text)
        if record.get("text", there) != there:
            raise BadFile(
                f"{place}: document {document.id!r} has {there!r} at {span.start} to {span.end}, "
                f"not {record['text']!r}",
                RECOUNT,
            )


def _check_parts(document: Document, place: str) -> None:
    """Refuse tokens outside their sentence, and fragments that do not begin and end with their span."""
    for sentence in document.sentences:
        outside = [token for token in sentence.tokens if token[0] < sentence.start or token[1] > sentence.end]
        if outside:
            start, end = outside[0]
            raise BadFile(
                f"{place}: document {document.id!r} has a token at {start} to {end}, outside its sentence at "
                f"{sentence.start} to {sentence.end}",
                RECOUNT,
            )
    for span in document.spans:
        starts, ends = zip(*span.stretches, strict=True)
        if (min(starts), max(ends)) != (span.start, span.end):
            raise BadFile(
                f"{place}: document {document.id!r} has a span at {span.start} to {span.end}, "
                f"whose fragments go from {min(starts)} to {max(ends)}",
                RECOUNT,
            )


def check_targets(document: Document, place: str) -> None:
    """Refuse relations whose arguments are no spans or relations of the document.

    Raises:
        BadFile: with the place, the document and the relation.
    """
    if not document.relations:
        return
    known = ({span.id for span in document.spans} | {relation.id for relation in document.relations}) - {""}
    for relation in document.relations:
        for argument in relation.arguments:
            if not argument.is_concept and argument.target not in known:
                raise BadFile(
                    f"{place}: document {document.id!r} has a relation {relation.label!r} to {argument.target!r}, "
                    "and no span or relation has this id",
                    "correct the argument, or remove the relation",
                )
