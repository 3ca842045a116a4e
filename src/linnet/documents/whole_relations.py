"""Relations that stay whole when some mentions of a document are removed."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from linnet.documents.concepts import concepts_of

if TYPE_CHECKING:
    from linnet.documents.document import Document, Relation, Span

__all__ = ["keep_whole_relations"]


def keep_whole_relations(document: "Document", spans: "Sequence[Span]") -> "list[Relation]":
    """Return the relations all of whose arguments are kept.

    A mention is kept if one of the spans has its id and its place. A concept is removed if all of its mentions are. A
    relation may be an argument of another one.
    """
    removed = {span.id for span in document.spans if span.id} - _kept_ids(document, spans)
    removed_concepts = _collect_concepts(document.spans) - _collect_concepts(spans)
    relations = list(document.relations)
    while True:
        kept = [
            relation
            for relation in relations
            if not any(each.target in (removed_concepts if each.is_concept else removed) for each in relation.arguments)
        ]
        if len(kept) == len(relations):
            return kept
        removed |= {relation.id for relation in relations if relation not in kept} - {""}
        relations = kept


def _kept_ids(document: "Document", spans: "Iterable[Span]") -> set[str]:
    places = {(span.id, span.stretches) for span in spans}
    return {span.id for span in document.spans if (span.id, span.stretches) in places}


def _collect_concepts(spans: "Iterable[Span]") -> set[str]:
    return {concept for span in spans for concept in concepts_of(span)}
