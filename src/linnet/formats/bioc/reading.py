"""Conversion of BioC structures to documents.

The text is built by placing each passage, or its sentences, at its offset. Gaps between passages become line breaks,
gaps between sentences of one passage spaces. Spans are sorted by their containers: passage by passage, first those
inside its sentences, then the others.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from linnet.contracts import Notes, ReadOptions
from linnet.documents.document import Argument, Document, Interval, Passage, Relation, Sentence, Span
from linnet.errors import BadFile
from linnet.formats.bioc.fields import Structure, infons_in, list_in, note_unknown, number_in, text_in
from linnet.formats.bioc.structure import (
    BETWEEN_PASSAGES,
    BETWEEN_SENTENCES,
    HEADER,
    Containers,
    collect_concepts,
    fill_ids,
    header_from,
    relation_from,
    span_from,
    without_empty_header,
)
from linnet.formats.unique_ids import UniqueDocuments
from linnet.storage.files import check_text

__all__ = ["Entry", "documents_from", "header_in"]

LARGEST_GAP = 1_000_000  # characters without text; more is a wrong offset, and filling it would exhaust the memory
COUNTING = "offsets count characters (not bytes) from the start of the document, and passages are in order"
ANNOTATION = "an annotation has an id, an infon 'type', and locations with offset and length"
RELATION = "a relation has an infon 'type' and nodes with the ids of annotations"
REPAIR = f"{COUNTING}; correct the annotation, or take the text at the offsets with `--repair`"


@dataclass(frozen=True)
class Entry:
    """The structure of a document, its place (file:line), and the fields of its collection as infons."""

    structure: Structure
    place: str
    header: Mapping[str, str]


@dataclass
class _Draft:
    """A document while its passages are being placed."""

    place: str
    pieces: list[str] = field(default_factory=list)
    reach: int = 0
    passages: list[Passage] = field(default_factory=list)
    sentences: list[Sentence] = field(default_factory=list)
    annotations: list[tuple[Structure, Interval]] = field(default_factory=list)  # with the limits of its offsets
    relations: list[Structure] = field(default_factory=list)

    def put(self, text: str, offset: int, *, filler: str, what: str) -> None:
        if offset < self.reach:
            raise BadFile(
                f"{self.place}, {what}: found offset {offset}, expected at least {self.reach}, "
                "where the text before it ends",
                COUNTING,
            )
        if offset - self.reach > LARGEST_GAP:
            raise BadFile(
                f"{self.place}, {what}: found offset {offset}, but the text before it ends at {self.reach}", COUNTING
            )
        self.pieces += (filler * (offset - self.reach), text)
        self.reach = offset + len(text)


def header_in(collection: Structure, place: str, notes: Notes) -> dict[str, str]:
    """Return the fields of a collection as infons for each of its documents."""
    note_unknown(collection, "collection", place, notes)
    named = {key: text_in(collection, key, place) for key in HEADER}
    return header_from(named, infons_in(collection, place, notes))


def documents_from(entries: Iterable[Entry], options: ReadOptions, notes: Notes) -> Iterator[Document]:
    """Stream the documents of the entries; no two may have the same id."""
    unique = UniqueDocuments(options, notes)
    for entry in entries:
        document = _build_document(entry, options, notes)
        if unique.is_new(document, entry.place):
            yield document


def _build_document(entry: Entry, options: ReadOptions, notes: Notes) -> Document:
    structure = entry.structure
    name = text_in(structure, "id", entry.place)
    if name is None:
        raise BadFile(f"{entry.place}: found a document without an id", "give every document its own id")
    draft = _Draft(f"{entry.place}: document {name!r}")
    note_unknown(structure, "document", draft.place, notes)
    for number, passage in enumerate(list_in(structure, "passages", draft.place), 1):
        note_unknown(passage, "passage", draft.place, notes)
        _add_passage(draft, passage, f"passage {number}", notes)
    text = "".join(draft.pieces)
    check_text(text, draft.place)
    _add_annotations(draft, structure, (0, len(text)))
    spans = _build_spans(draft, text, options, notes)
    relations = _build_relations(draft, spans, notes)
    infons = without_empty_header({**entry.header, **infons_in(structure, draft.place, notes)})
    return Document(
        id=name,
        text=text,
        spans=spans,
        relations=relations,
        passages=tuple(draft.passages),
        sentences=tuple(draft.sentences),
        infons=infons,
    )


def _add_passage(draft: _Draft, passage: Structure, what: str, notes: Notes) -> None:
    start = number_in(passage, "offset", f"{draft.place}, {what}")
    text = text_in(passage, "text", draft.place) or ""
    sentences = list_in(passage, "sentences", draft.place)
    draft.put(text, start, filler=BETWEEN_PASSAGES, what=what)
    reach = start
    for number, sentence in enumerate(sentences, 1):
        note_unknown(sentence, "sentence", draft.place, notes)
        found = _place_sentence(draft, sentence, text, (start, reach), f"{what}, sentence {number}", notes)
        draft.sentences.append(found)
        reach = found.end
    stretch = (start, draft.reach)
    for part in (*sentences, passage):
        _add_annotations(draft, part, stretch)
    draft.passages.append(Passage(*stretch, infons_in(passage, f"{draft.place}, {what}", notes)))


def _place_sentence(
    draft: _Draft, sentence: Structure, passage_text: str, limits: Interval, what: str, notes: Notes
) -> Sentence:
    """Return the sentence, placed at its offset, or compared with the text of the passage if the file has it."""
    start = number_in(sentence, "offset", f"{draft.place}, {what}")
    text = text_in(sentence, "text", draft.place) or ""
    passage_start, reach = limits
    if not passage_text:
        draft.put(text, start, filler=BETWEEN_SENTENCES, what=what)
    elif start < reach or start + len(text) > draft.reach:
        raise BadFile(
            f"{draft.place}, {what}: found it at {start}-{start + len(text)}, expected it in {reach}-{draft.reach}",
            COUNTING,
        )
    else:
        there = passage_text[start - passage_start : start - passage_start + len(text)]
        if there != text:
            raise BadFile(f"{draft.place}, {what}: found {text!r}, but its passage has {there!r} there", COUNTING)
    return Sentence(start, start + len(text), infons=infons_in(sentence, f"{draft.place}, {what}", notes))


def _add_annotations(draft: _Draft, part: Structure, stretch: Interval) -> None:
    draft.annotations += ((annotation, stretch) for annotation in list_in(part, "annotations", draft.place))
    draft.relations += list_in(part, "relations", draft.place)


def _build_spans(draft: _Draft, text: str, options: ReadOptions, notes: Notes) -> tuple[Span, ...]:
    names = [text_in(annotation, "id", draft.place) or "" for annotation, _ in draft.annotations]
    if "" in names:
        notes.add("annotations without an id numbered", draft.place, names.count(""))
    taken = (text_in(relation, "id", draft.place) or "" for relation in draft.relations)
    containers = Containers(draft.passages, draft.sentences)
    spans: list[Span] = []
    for (annotation, stretch), name in zip(draft.annotations, fill_ids(names, taken), strict=True):
        place = f"{draft.place}, annotation {name!r}"
        note_unknown(annotation, "annotation", place, notes)
        infons = infons_in(annotation, place, notes)
        if "type" not in infons:
            raise BadFile(f"{place}: found no infon 'type'", ANNOTATION)
        span = span_from(infons, _parse_locations(annotation, stretch, place), name)
        _check_mention(annotation, span, text, place, options, notes)
        spans.append(span)
    return tuple(sorted(spans, key=lambda span: containers.of(span.start, span.end)))


def _parse_locations(annotation: Structure, stretch: Interval, place: str) -> list[Interval]:
    found: list[Interval] = []
    for location in list_in(annotation, "locations", place):
        start = number_in(location, "offset", place)
        end = start + number_in(location, "length", place)
        if not stretch[0] <= start <= end <= stretch[1]:
            raise BadFile(
                f"{place}: found the location {start}-{end}, expected it inside its passage, {stretch[0]}-{stretch[1]}",
                COUNTING,
            )
        found.append((start, end))
    if not found:
        raise BadFile(f"{place}: found no location", ANNOTATION)
    return found


def _check_mention(
    annotation: Structure, span: Span, text: str, place: str, options: ReadOptions, notes: Notes
) -> None:
    found, expected = text_in(annotation, "text", place), span.text_in(text)
    if not found or found == expected:
        return
    if span.is_discontinuous and "".join(found.split()) == "".join(expected.split()):
        return  # files join the fragments of a mention in different ways
    if not options.repair:
        raise BadFile(f"{place}, offset {span.start}: found {found!r}, but the text there is {expected!r}", REPAIR)
    notes.add("annotation text replaced by the text at its offsets", place)


def _build_relations(draft: _Draft, spans: tuple[Span, ...], notes: Notes) -> tuple[Relation, ...]:
    concepts = collect_concepts(spans)
    found: list[Relation] = []
    for number, structure in enumerate(draft.relations, 1):
        name = text_in(structure, "id", draft.place) or ""
        place = f"{draft.place}, relation {name or number!r}"
        note_unknown(structure, "relation", place, notes)
        infons = infons_in(structure, place, notes)
        if "type" not in infons and "relation" not in infons:
            notes.add("relations without a type", place)
        nodes = [_parse_node(node, place) for node in list_in(structure, "nodes", place)]
        found.append(relation_from(infons, nodes, name, concepts))
    _check_targets(found, spans, draft.place)
    return tuple(found)


def _parse_node(node: Structure, place: str) -> Argument:
    target = text_in(node, "refid", place)
    if not target:
        raise BadFile(f"{place}: found a node without a refid", RELATION)
    return Argument(text_in(node, "role", place) or "", target)


def _check_targets(relations: list[Relation], spans: tuple[Span, ...], place: str) -> None:
    n_by_id = Counter(span.id for span in spans)
    names = {relation.id for relation in relations}
    for relation in relations:
        for argument in relation.arguments:
            n_found = n_by_id[argument.target]
            if argument.is_concept or n_found == 1 or (n_found == 0 and argument.target in names):
                continue
            found = f"{n_found} annotations have" if n_found else "no annotation or relation has"
            raise BadFile(
                f"{place}, relation {relation.id!r}: {found} the id {argument.target!r} of its node", RELATION
            )
