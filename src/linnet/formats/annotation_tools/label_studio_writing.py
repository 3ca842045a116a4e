"""Label Studio tasks of documents, and what they cannot hold."""

from linnet.documents.document import Document, Relation, Span
from linnet.formats.annotation_tools.records import Json, binary_relation, find_unique_ids, name_all
from linnet.formats.link_details import lost_link_details

__all__ = ["DATA_FIELDS", "ROLES", "losses_of", "results_of", "task_of"]

DATA_FIELDS = ("id", "text")
ROLES = ("from", "to")
BOTH_WAYS = {"direction": "bi"}  # the only infon of a relation that Label Studio has a place for
LABELS_NAME, TEXT_NAME = "label", "text"  # as in Label Studio's own template for named entities


def losses_of(document: Document) -> list[tuple[str, int]]:
    """Return what would be lost if the document were written and read again."""
    places = find_unique_ids(document)
    held = [relation for relation in document.relations if _find_ends(relation, document, places) is not None]
    return [
        ("discontinuous mentions", sum(span.is_discontinuous for span in document.spans)),
        ("relations that do not connect two mentions of Label Studio", len(document.relations) - len(held)),
        (
            "roles of arguments other than from and to",
            sum(tuple(argument.role for argument in relation.arguments) != ROLES for relation in held),
        ),
        ("infons of relations", sum(len(relation.infons) for relation in held if relation.infons != BOTH_WAYS)),
        ("passages", len(document.passages)),
        ("sentences", len(document.sentences)),
        *lost_link_details(document.spans),
        (
            "infons of mentions called links",
            sum(bool(span.links) and "links" in span.infons for span in document.spans),
        ),
        ("infons of documents called id or text", sum(key in DATA_FIELDS for key in document.infons)),
    ]


def task_of(document: Document) -> Json:
    """Return the task of a document; mentions with scores are predictions, others annotations."""
    infons = {key: value for key, value in document.infons.items() if key not in DATA_FIELDS}
    data = {"id": document.id, **infons, "text": document.text}
    results = results_of(document)
    if all(span.score is None for span in document.spans):
        return {"data": data, "annotations": [{"result": results}]}
    model = document.infons.get("model")
    return {"data": data, "predictions": [{**({"model_version": model} if model else {}), "result": results}]}


def results_of(document: Document, *, labels_name: str = LABELS_NAME, text_name: str = TEXT_NAME) -> list[Json]:
    """Return the regions of the mentions, then the relations.

    Args:
        document: with the mentions.
        labels_name: of the tag with the labels in the project's labelling configuration.
        text_name: of the tag with the text in it.
    """
    names = name_all((span.id for span in document.spans), "T", set())
    regions = [
        _build_region(document, span, name) | {"from_name": labels_name, "to_name": text_name}
        for span, name in zip(document.spans, names, strict=True)
        if not span.is_discontinuous
    ]
    places = find_unique_ids(document)
    relations = [
        {
            "type": "relation",
            "from_id": names[ends[0]],
            "to_id": names[ends[1]],
            "direction": "bi" if relation.infons == BOTH_WAYS else "right",
            "labels": [relation.label],
        }
        for relation in document.relations
        if (ends := _find_ends(relation, document, places)) is not None
    ]
    return [*regions, *relations]


def _build_region(document: Document, span: Span, name: str) -> Json:
    links = [
        {"identifier": link.identifier, **({"database": link.database} if link.database else {})} for link in span.links
    ]
    meta: Json = {**({"links": links} if links else {}), **span.infons}
    if links and "links" in span.infons:
        meta["links"] = links
    region: Json = {
        "id": name,
        "type": "labels",
        "value": {"start": span.start, "end": span.end, "text": span.text_in(document.text), "labels": [span.label]},
    }
    if span.score is not None:
        region["score"] = span.score
    return region | ({"meta": meta} if meta else {})


def _find_ends(relation: Relation, document: Document, places: dict[str, int]) -> tuple[int, int] | None:
    ends = binary_relation(relation, places)
    is_held = ends is not None and not any(document.spans[number].is_discontinuous for number in ends)
    return ends if is_held else None
