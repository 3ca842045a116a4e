"""PubAnnotation JSON format: denotations, relations and attributes, as PubAnnotation and TextAE read them.

A file is one document, a list of documents, or a document on each line, which is what is written. A span may be a list
of intervals. Attributes of a denotation are its infons; those called `score` and `identifier` (or `MESH identifier`)
are its score and its links. Blocks are passages and sentences. The id of a document is its `sourceid`, followed by
`-divid` if it is a division of a larger one.

Source: https://www.pubannotation.org/docs/annotation-format/
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Argument, Document, Interval, Link, Passage, Relation, Sentence, Span
from linnet.formats.annotation_tools.pubannotation_writing import (
    IDENTIFIER,
    PASSAGE,
    ROLES,
    SCORE,
    SENTENCE,
    SOURCE,
    losses_of,
    record_of,
)
from linnet.formats.annotation_tools.records import (
    Json,
    encode,
    id_of_record,
    infons_from,
    note_unknown,
    parse_list,
    parse_offset,
    parse_score,
    parse_text,
    read_documents,
)
from linnet.formats.json_stream import read_first_object
from linnet.formats.unique_ids import claim_id, ids_to_claim
from linnet.storage.files import new_file

__all__ = ["PubAnnotation"]

WHAT = "a document of PubAnnotation"
OWN_FIELDS = {"denotations", "sourceid", "tracks", "blocks"}  # of which a document has at least one
PARTS = ("denotations", "blocks", "relations", "attributes")
KNOWN = {"text", "sourceid", "divid", "tracks", *PARTS, *SOURCE}


class PubAnnotation:
    """Denotations, relations, attributes and blocks."""

    name = "pubannotation"
    suffixes: tuple[str, ...] = (".pubannotation",)
    description = "PubAnnotation/TextAE JSON: denotations, relations, attributes and blocks, one document per line"
    reads_unique_ids = True

    def recognises(self, path: Path, head: str) -> bool:
        """Does the first object have denotations, or a text with a source?"""
        keys = read_first_object(head).keys()
        return "denotations" in keys or ("text" in keys and bool(OWN_FIELDS & keys)) or {"sourcedb", "sourceid"} <= keys

    def read(self, path: Path, options: ReadOptions, notes: Notes) -> Iterator[Document]:
        """Stream the documents; every offset is checked against the text."""

        def build(record: Json, number: int, place: str) -> Document:
            return _build_document(record, path, number, place, notes)

        return read_documents(path, WHAT, options, notes, build)

    def losses(self, document: Document) -> list[tuple[str, int]]:
        """Return what PubAnnotation cannot hold of the document."""
        return losses_of(document)

    def write(self, documents: Iterable[Document], path: Path, options: WriteOptions) -> None:
        """Write one line per document; a file with one document is what TextAE opens."""
        ids = ids_to_claim(options)
        with new_file(path) as file:
            for document in documents:
                claim_id(document.id, ids, str(path))
                file.write(f"{encode(record_of(document), document.id)}\n")


formats.register("pubannotation")(PubAnnotation())


@dataclass
class _Attributes:
    """The attributes of each annotation, by its id, until they are taken."""

    by_subject: dict[str, list[tuple[str, Any]]] = field(default_factory=dict)

    def take(self, subject: str) -> list[tuple[str, Any]]:
        return self.by_subject.pop(subject, [])


@dataclass(frozen=True)
class _Part:
    """A document or one of its tracks, while it is read."""

    record: Mapping[str, Any]
    prefix: str  # of ids, so that those of several tracks differ
    place: str
    notes: Notes
    attributes: _Attributes

    def infons(self, subject: str, *, own: Sequence[tuple[str, Any]] | None = None) -> dict[str, str]:
        """Return the attributes of an annotation as infons; one of two with the same name is noted as left out."""
        found: dict[str, Any] = {}
        for name, value in self.attributes.take(subject) if own is None else own:
            if name in found:
                self.notes.add("further attributes of one name left out", f"{self.place}, {subject!r}: {name!r}")
            else:
                found[name] = value
        return infons_from(found, self.place, self.notes)


def _build_document(record: Json, path: Path, number: int, place: str, notes: Notes) -> Document:
    note_unknown(record, KNOWN, place, notes)
    tracks = parse_list(record, "tracks")
    is_alone = len(tracks) == 1 and not any(parse_list(record, key) for key in PARTS)
    parts = [_open_part(record, "", place, notes)]
    for track_number, track in enumerate(tracks, 1):
        note_unknown(track, {"project", *PARTS}, place, notes)
        parts.append(_open_part(track, "" if is_alone else f"{track_number}-", place, notes))
    blocks = [block for part in parts for block in _read_blocks(part)]
    spans = tuple(span for part in parts for span in _read_spans(part))
    relations = tuple(relation for part in parts for relation in _read_relations(part))
    for part in parts:
        if part.attributes.by_subject:
            left = next(iter(part.attributes.by_subject))
            raise ValueError(f"an attribute belongs to {left!r}, and nothing has this id")
    return Document(
        id=_build_id(record, path, number),
        text=parse_text(record["text"], "the text"),
        spans=spans,
        relations=relations,
        passages=tuple(block for block in blocks if isinstance(block, Passage)),
        sentences=tuple(block for block in blocks if isinstance(block, Sentence)),
        infons={key: parse_text(record[key], key) for key in (*SOURCE, "divid") if record.get(key) is not None},
    )


def _build_id(record: Json, path: Path, number: int) -> str:
    name = id_of_record(record.get("sourceid"), path, number)
    division = record.get("divid")
    return name if division is None else f"{name}-{parse_text(division, 'divid')}"


def _open_part(record: Mapping[str, Any], prefix: str, place: str, notes: Notes) -> _Part:
    attributes = _Attributes()
    for found in parse_list(record, "attributes"):
        subject = parse_text(found["subj"], "the subject of an attribute")
        attributes.by_subject.setdefault(subject, []).append((parse_text(found["pred"], "'pred'"), found.get("obj")))
    return _Part(record=record, prefix=prefix, place=place, notes=notes, attributes=attributes)


def _read_spans(part: _Part) -> Iterator[Span]:
    project = part.record.get("project") if part.prefix else None
    for found in parse_list(part.record, "denotations"):
        name = parse_text(found.get("id", ""), "the id")
        intervals = _read_intervals(found["span"])
        links: list[Link] = []
        others: list[tuple[str, Any]] = []
        score = None
        for key, value in part.attributes.take(name) if name else ():
            if key == IDENTIFIER or key.endswith(f" {IDENTIFIER}"):
                links.append(Link(parse_text(value, key), key.removesuffix(IDENTIFIER)[:-1]))
            elif key == SCORE and isinstance(value, (int, float)) and not isinstance(value, bool):
                score = parse_score(value)
            else:
                others.append((key, value))
        yield Span(
            start=min(start for start, _ in intervals),
            end=max(end for _, end in intervals),
            label=parse_text(found["obj"], "'obj'"),
            fragments=intervals if len(intervals) > 1 else (),
            id=f"{part.prefix}{name}" if name else "",
            links=tuple(links),
            score=score,
            infons=part.infons(name, own=others) | ({} if project is None else {"project": str(project)}),
        )


def _read_intervals(span: Any) -> tuple[Interval, ...]:
    found = span if isinstance(span, list) else [span]
    if not found:
        raise ValueError("a span without an interval")
    return tuple((parse_offset(each["begin"], "'begin'"), parse_offset(each["end"], "'end'")) for each in found)


def _read_blocks(part: _Part) -> Iterator[Passage | Sentence]:
    for found in parse_list(part.record, "blocks"):
        intervals = _read_intervals(found["span"])
        start, end = min(begin for begin, _ in intervals), max(stop for _, stop in intervals)
        kind = parse_text(found["obj"], "'obj'")
        name = parse_text(found.get("id", ""), "the id")
        infons = part.infons(name) if name else {}
        if kind == SENTENCE:
            yield Sentence(start, end, infons=infons)
        else:
            yield Passage(start, end, infons if kind == PASSAGE else {"type": kind, **infons})


def _read_relations(part: _Part) -> Iterator[Relation]:
    for found in parse_list(part.record, "relations"):
        name = parse_text(found.get("id", ""), "the id")
        targets = [part.prefix + parse_text(found[key], f"{key!r}") for key in ROLES]
        yield Relation(
            label=parse_text(found["pred"], "'pred'"),
            arguments=tuple(Argument(role, target) for role, target in zip(ROLES, targets, strict=True)),
            id=f"{part.prefix}{name}" if name else "",
            infons=part.infons(name) if name else {},
        )
