"""PubAnnotation objects of documents, and what they cannot hold."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from linnet.documents.document import Document, Link, Passage, Sentence, Span
from linnet.formats.annotation_tools.records import Json, binary_relation, find_unique_ids, name_all
from linnet.formats.link_details import lost_link_details

__all__ = ["IDENTIFIER", "PASSAGE", "ROLES", "SCORE", "SENTENCE", "SOURCE", "losses_of", "record_of"]

IDENTIFIER = "identifier"  # an attribute that is a link; `MESH identifier` names the vocabulary
SCORE = "score"  # an attribute that is the confidence, if it is a number
PASSAGE, SENTENCE = "passage", "sentence"  # blocks; a passage with an infon `type` has that as its name instead
ROLES = ("subj", "obj")  # the arguments of a relation
SOURCE = ("target", "sourcedb", "project")  # fields of a document that are infons of it


def losses_of(document: Document) -> list[tuple[str, int]]:
    """Return what would be lost if the document were written and read again."""
    places = find_unique_ids(document)
    held = [relation for relation in document.relations if binary_relation(relation, places) is not None]
    return [
        ("token boundaries and columns", sum(bool(sentence.tokens) for sentence in document.sentences)),
        ("relations that do not connect two mentions", len(document.relations) - len(held)),
        (
            "roles of arguments other than subj and obj",
            sum(tuple(argument.role for argument in relation.arguments) != ROLES for relation in held),
        ),
        ("infons of documents", sum(not _is_held(key, value, document) for key, value in document.infons.items())),
        *lost_link_details(document.spans),
        ("infons of mentions that have the name of a link", sum(map(_count_lost_infons, document.spans))),
        (
            "infons of passages with the type passage or sentence",
            sum(passage.infons.get("type") in (PASSAGE, SENTENCE) for passage in document.passages),
        ),
    ]


def record_of(document: Document) -> Json:
    """Return the PubAnnotation object of a document; fields that say what it is come before the text."""
    notes = _Annotations()
    taken: set[str] = set()
    names = name_all((span.id for span in document.spans), "T", taken)
    parts: list[Passage | Sentence] = [*document.passages, *document.sentences]
    block_names = name_all(("" for _ in parts), "B", taken)
    relations = _build_relations(document, names, taken, notes)
    denotations = [_build_denotation(span, name, notes) for span, name in zip(document.spans, names, strict=True)]
    blocks = [_build_block(part, name, notes) for part, name in zip(parts, block_names, strict=True)]
    record: Json = {
        **_build_source(document),
        "text": document.text,
        "denotations": denotations,
        "blocks": blocks,
        "relations": relations,
        "attributes": notes.build_attributes(taken),
    }
    return {key: value for key, value in record.items() if value or key not in ("blocks", "relations", "attributes")}


@dataclass
class _Annotations:
    """Attributes by the kind of what they belong to, in the order in which they are written."""

    attributes: list[tuple[str, str, str | float]] = field(default_factory=list)

    def add(self, subject: str, name: str, value: str | float) -> None:
        self.attributes.append((subject, name, value))

    def add_all(self, subject: str, infons: Mapping[str, str]) -> None:
        for name, value in infons.items():
            self.add(subject, name, value)

    def build_attributes(self, taken: set[str]) -> list[Json]:
        ids = name_all(("" for _ in self.attributes), "A", taken)
        return [
            {"id": name, "subj": subject, "pred": key, "obj": value}
            for name, (subject, key, value) in zip(ids, self.attributes, strict=True)
        ]


def _build_source(document: Document) -> Json:
    source: Json = {key: document.infons[key] for key in SOURCE if key in document.infons}
    division = document.infons.get("divid")
    if division is None or not _is_held("divid", division, document):
        return {**source, "sourceid": document.id}
    number = int(division) if division.isascii() and division.isdigit() and str(int(division)) == division else division
    return {**source, "sourceid": document.id.removesuffix(f"-{division}"), "divid": number}


def _is_held(key: str, value: str, document: Document) -> bool:
    """Does the object have a place for this infon of the document?"""
    return key in SOURCE or (key == "divid" and document.id.endswith(f"-{value}"))


def _count_lost_infons(span: Span) -> int:
    return sum(key == IDENTIFIER or key.endswith(f" {IDENTIFIER}") for key in span.infons)


def _build_denotation(span: Span, name: str, notes: _Annotations) -> Json:
    for link in span.links:
        notes.add(name, _name_link(link), link.identifier)
    if span.score is not None:
        notes.add(name, SCORE, span.score)
    notes.add_all(name, {k: v for k, v in span.infons.items() if not (k == IDENTIFIER or k.endswith(f" {IDENTIFIER}"))})
    intervals = [{"begin": start, "end": end} for start, end in span.stretches]
    return {"id": name, "span": intervals[0] if len(intervals) == 1 else intervals, "obj": span.label}


def _name_link(link: Link) -> str:
    return f"{link.database} {IDENTIFIER}" if link.database else IDENTIFIER


def _build_block(part: Passage | Sentence, name: str, notes: _Annotations) -> Json:
    if isinstance(part, Sentence):
        kind, infons = SENTENCE, dict(part.infons)
    else:
        kind, infons = part.infons.get("type", PASSAGE), {k: v for k, v in part.infons.items() if k != "type"}
        kind = PASSAGE if kind == SENTENCE else kind
    notes.add_all(name, infons)
    return {"id": name, "span": {"begin": part.start, "end": part.end}, "obj": kind}


def _build_relations(document: Document, names: list[str], taken: set[str], notes: _Annotations) -> list[Json]:
    places = find_unique_ids(document)
    written = [(relation, ends) for relation in document.relations if (ends := binary_relation(relation, places))]
    ids = name_all((relation.id for relation, _ in written), "R", taken)
    found = []
    for (relation, (first, second)), name in zip(written, ids, strict=True):
        notes.add_all(name, relation.infons)
        found.append({"id": name, "subj": names[first], "pred": relation.label, "obj": names[second]})
    return found
