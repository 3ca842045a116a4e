"""doccano format: JSON lines of texts with labelled spans, for sequence labelling with and without relations.

Projects without relations have `"label": [[start, end, label]]`, projects with relations `entities` and `relations`; a
file that has a relation is written in the second way as a whole. All other fields are metadata, which are infons of the
document. doccano counts offsets in UTF-16 code units, as browsers do, so that is what is read and written (its issue
2290); this differs from characters only after an emoji or another character beyond U+FFFF.
"""

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Argument, Document, Relation, Span
from linnet.documents.utf16 import Utf16Offsets
from linnet.formats.annotation_tools.records import (
    Json,
    binary_relation,
    encode,
    find_unique_ids,
    id_of_record,
    infons_from,
    parse_list,
    parse_offset,
    parse_text,
    read_documents,
)
from linnet.formats.json_stream import read_first_object
from linnet.formats.unique_ids import claim_id, ids_to_claim
from linnet.storage.files import new_file

__all__ = ["Doccano", "entities_of"]

WHAT = "a document of doccano"
LABELS = ("label", "labels")  # where labelled spans stand in a project without relations
OWN_FIELDS = frozenset(("id", "text", "entities", "relations", *LABELS))
ROLES = ("from", "to")
NOT_DOCCANO = frozenset("spans passages sentences denotations".split())


class Doccano:
    """Texts with labelled spans."""

    name = "doccano"
    suffixes: tuple[str, ...] = (".doccano",)
    description = "doccano JSON lines: texts with labelled spans, relations between two of them, and metadata"
    reads_unique_ids = True

    def recognises(self, path: Path, head: str) -> bool:
        """Does the first object have a text with entities, or with a list of spans as its label?"""
        found = read_first_object(head)
        has_entities = isinstance(found.get("entities"), list) and "text" in found
        return (has_entities or any(_has_spans(found.get(key)) for key in LABELS)) and not NOT_DOCCANO & found.keys()

    def read(self, path: Path, options: ReadOptions, notes: Notes) -> Iterator[Document]:
        """Stream the documents; every offset is checked against the text."""

        def build(record: Json, number: int, place: str) -> Document:
            return _build_document(record, path, number, place, notes)

        return read_documents(path, WHAT, options, notes, build)

    def losses(self, document: Document) -> list[tuple[str, int]]:
        """Return what doccano cannot hold of the document."""
        spans, places = document.spans, find_unique_ids(document)
        held = [r for r in document.relations if _find_ends(r, document, places) is not None]
        return [
            ("discontinuous mentions", sum(span.is_discontinuous for span in spans)),
            ("empty mentions", sum(_is_empty(span) for span in spans)),
            ("concept ids", sum(len(span.links) for span in spans)),
            ("scores", sum(span.score is not None for span in spans)),
            ("infons of mentions", sum(len(span.infons) for span in spans)),
            ("relations that do not connect two mentions of doccano", len(document.relations) - len(held)),
            ("roles of arguments other than from and to", sum(_roles(relation) != ROLES for relation in held)),
            ("infons of relations", sum(len(relation.infons) for relation in held)),
            ("passages", len(document.passages)),
            ("sentences", len(document.sentences)),
            ("infons of documents with the name of a field of doccano", len(OWN_FIELDS & document.infons.keys())),
        ]

    def write(self, documents: Iterable[Document], path: Path, options: WriteOptions) -> None:
        """Write one line per document; the shape is chosen when all have been seen."""
        ids = ids_to_claim(options)
        has_relations = False
        with new_file(path) as file, tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n") as lines:
            for document in documents:
                claim_id(document.id, ids, str(path))
                record = _build_record(document)
                has_relations = has_relations or bool(record["relations"])
                lines.write(f"{encode(record, document.id)}\n")
            lines.seek(0)
            _copy_lines(lines, file, has_relations=has_relations)


formats.register("doccano")(Doccano())


def entities_of(document: Document) -> list[Json]:
    """Return the mentions as doccano's `entities`, with numbers as ids and offsets in UTF-16 code units."""
    offsets = Utf16Offsets(document.text)
    return [
        {
            "id": number,
            "label": span.label,
            "start_offset": offsets.to_units(span.start),
            "end_offset": offsets.to_units(span.end),
        }
        for number, span in enumerate(document.spans, 1)
        if _is_written(span)
    ]


def _has_spans(label: object) -> bool:
    """Is this a list of spans? An empty list may be one."""
    return isinstance(label, list) and all(isinstance(each, list) and len(each) == 3 for each in label[:1])


def _build_document(record: Json, path: Path, number: int, place: str, notes: Notes) -> Document:
    text = parse_text(record["text"], "the text")
    offsets = Utf16Offsets(text)
    spans = [_build_span(found, "", offsets) for key in LABELS for found in parse_list(record, key)]
    for found in parse_list(record, "entities"):
        ends = [found["start_offset"], found["end_offset"], found["label"]]
        spans.append(_build_span(ends, parse_text(found.get("id", ""), "the id"), offsets))
    return Document(
        id=id_of_record(record.get("id"), path, number),
        text=text,
        spans=tuple(spans),
        relations=tuple(map(_read_relation, parse_list(record, "relations"))),
        infons=infons_from({key: v for key, v in record.items() if _is_metadata(key, v)}, place, notes),
    )


def _is_metadata(key: str, value: Any) -> bool:
    return key not in OWN_FIELDS and not (key == "Comments" and value == [])  # which every export has


def _build_span(found: Any, name: str, offsets: Utf16Offsets) -> Span:
    if not isinstance(found, list) or len(found) != 3:
        raise TypeError(f"a label is {json.dumps(found, ensure_ascii=False)[:60]}, expected [start, end, label]")
    ends = []
    for value in found[:2]:
        end = offsets.to_characters(parse_offset(value, "an offset"))
        if end is None:
            raise ValueError(f"the offset {value} is inside a character; doccano counts UTF-16 code units")
        ends.append(end)
    return Span(ends[0], ends[1], parse_text(found[2], "the label"), id=name)


def _read_relation(found: Mapping[str, Any]) -> Relation:
    targets = [parse_text(found[key], key) for key in ("from_id", "to_id")]
    arguments = tuple(Argument(role, target) for role, target in zip(ROLES, targets, strict=True))
    return Relation(parse_text(found["type"], "the type"), arguments, parse_text(found.get("id", ""), "the id"))


def _is_empty(span: Span) -> bool:
    return span.start == span.end and not span.is_discontinuous


def _is_written(span: Span) -> bool:
    """Has doccano a place for this mention? It needs a start before its end, and no gap."""
    return span.start < span.end and not span.is_discontinuous


def _roles(relation: Relation) -> tuple[str, ...]:
    return tuple(argument.role for argument in relation.arguments)


def _find_ends(relation: Relation, document: Document, places: Mapping[str, int]) -> tuple[int, int] | None:
    ends = binary_relation(relation, places)
    return ends if ends is not None and all(_is_written(document.spans[number]) for number in ends) else None


def _build_record(document: Document) -> Json:
    """Return the document in the shape of a project with relations; what it is comes before the text."""
    places = find_unique_ids(document)
    ends = [(r, found) for r in document.relations if (found := _find_ends(r, document, places)) is not None]
    relations = [
        {"id": number, "from_id": first + 1, "to_id": second + 1, "type": relation.label}
        for number, (relation, (first, second)) in enumerate(ends, 1)
    ]
    metadata = {key: value for key, value in document.infons.items() if key not in OWN_FIELDS}
    entities = entities_of(document)
    return {"id": document.id, "entities": entities, "relations": relations, "text": document.text, **metadata}


def _copy_lines(lines: TextIO, file: TextIO, *, has_relations: bool) -> None:
    for line in lines:
        if has_relations:
            file.write(line)
            continue
        record = json.loads(line)
        label = [[each["start_offset"], each["end_offset"], each["label"]] for each in record.pop("entities")]
        del record["relations"]
        file.write(f"{encode({'id': record.pop('id'), 'label': label, **record}, '')}\n")
