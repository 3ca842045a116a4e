"""Parser for the lines of a brat annotation file.

`T` is a mention, `N` a concept of it, `A` and `M` an attribute, `#` a note; `R`, `E` and `*` are a relation, an event
and an equivalence. Notes of Linnet's own kinds are read by `own_notes`.
"""

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from linnet.contracts import Notes
from linnet.documents.document import Argument, Document, Interval, Link, Passage, Relation, Sentence, Span
from linnet.errors import BadFile
from linnet.formats.brat.own_notes import OWN_NOTES, STANDOFF, check_json, read_prefixes_note, read_relation_note
from linnet.formats.brat.prefixes import NO_DATABASE, WORDS, parse_concept
from linnet.storage.files import read_lines
from linnet.storage.limits import LimitedSize

__all__ = ["TRIGGER", "AnnotationReader", "check_json", "name_key", "one_line"]

TRIGGER = "Trigger"  # the role of an event's first argument
STRETCHES = re.compile(r"(.+) (\d{1,12} \d{1,12}(?:;\d{1,12} \d{1,12})*)", re.ASCII)
COUNTING = "offsets count the characters (code points) of the .txt file from 0, end exclusive"


def one_line(text: str) -> str:
    """Return the text with spaces for line breaks and tabs, of the same length."""
    return text.replace("\n", " ").replace("\r", " ").replace("\t", " ")


def name_key(link: Link) -> str:
    """Return the key of the infon that holds the name of a concept."""
    return f"name of {link.database or NO_DATABASE}:{link.identifier}"


@dataclass
class AnnotationReader:
    """Reads one annotation file into a document."""

    text: str
    notes: Notes
    is_repaired: bool
    document_id: str | None = None
    spans: dict[str, Span] = field(default_factory=dict)
    relations: list[Relation] = field(default_factory=list)
    places: list[str] = field(default_factory=list)  # of the relations
    passages: list[Passage] = field(default_factory=list)
    sentences: list[Sentence] = field(default_factory=list)
    prefixes: dict[str, str] = field(default_factory=dict)  # of the identifiers of a database
    links: dict[str, list[Link]] = field(default_factory=lambda: defaultdict(list))
    infons: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    subjects: dict[str, str] = field(default_factory=dict)  # id of an attribute or concept -> id of its mention
    line_ids: set[str] = field(default_factory=set)
    relation_ids: set[str] = field(default_factory=set)

    def read(self, path: Path) -> None:
        """Read all lines; lines that refer to others are read after them, because brat's lines have no order."""
        referring: list[tuple[str, str]] = []
        size = LimitedSize(str(path))
        for number, line in read_lines(path):
            size.add(len(line))
            place = f"{path}:{number}"
            if defining := _find_definition_reader(line):
                self._read_line(line, place, defining)
            elif line[:1] in REFERRING:
                referring.append((line, place))
            elif line.strip():
                raise BadFile(f"{place}: found {line[:80]!r}, which is not a line of brat", STANDOFF)
        for line, place in sorted(referring, key=lambda pair: pair[0].startswith("#")):
            self._read_line(line, place, REFERRING[line[0]])
        for relation, place in zip(self.relations, self.places, strict=True):
            if relation.id in self.spans:
                raise BadFile(f"{place}: a mention and a relation are called {relation.id!r}", "rename one of them")
            for argument in relation.arguments:
                if not argument.is_concept:
                    self.check_is_known(argument.target, place)

    def document(self, name: str) -> Document:
        """Return the document, with the id in the file or else this name."""
        spans = (
            replace(span, links=tuple(self.links.get(key, ())), infons=self.infons.get(key, {}))
            for key, span in self.spans.items()
        )
        relations = (replace(r, infons=self.infons[r.id]) if r.id in self.infons else r for r in self.relations)
        return Document(
            id=name if self.document_id is None else self.document_id,
            text=self.text,
            spans=tuple(spans),
            relations=tuple(relations),
            passages=tuple(self.passages),
            sentences=tuple(self.sentences),
            infons=self.infons.get("-", {}),
        )

    def check_is_known(self, target: str, place: str) -> None:
        """Refuse a reference to an unknown id."""
        if target not in self.spans and target not in self.relation_ids:
            raise BadFile(f"{place}: refers to {target!r}, which is no mention, relation or event here", STANDOFF)

    def add_infon(self, target: str, key: str, value: str, place: str) -> None:
        """Add an infon of a mention, a relation or the document, or refuse a second value."""
        if target != "-":
            self.check_is_known(target, place)
        if self.infons[target].setdefault(key, value) != value:
            raise BadFile(f"{place}: {target!r} has two values for {key!r}", "decide which is right; remove the other")

    def add_relation(self, relation: Relation, place: str) -> None:
        """Add a relation with its infons."""
        if relation.id in self.relation_ids:
            raise BadFile(f"{place}: a second relation is called {relation.id!r}", "give every line its own id")
        self.relations.append(relation)
        self.places.append(place)
        if relation.id:
            self.relation_ids.add(relation.id)
            self.infons[relation.id].update(relation.infons)

    def _read_line(self, line: str, place: str, read: Callable[["AnnotationReader", list[str], str], None]) -> None:
        columns = line.split("\t", 2)
        if len(columns) < 2 or " " in columns[0]:
            raise BadFile(f"{place}: expected columns separated by tabs, found {line[:80]!r}", STANDOFF)
        if columns[0] in self.line_ids:
            raise BadFile(f"{place}: a second line is called {columns[0]!r}", "give every line its own id")
        if columns[0] != "*":
            self.line_ids.add(columns[0])
        read(self, columns, place)


def _find_definition_reader(line: str) -> Callable[[AnnotationReader, list[str], str], None] | None:
    """Return the function that reads the line, if other lines may refer to it."""
    if line.startswith("#"):
        return next((DEFINING_NOTES[kind] for kind in line.split("\t", 2)[1:2] if kind in DEFINING_NOTES), None)
    return DEFINING.get(line[:1])


def _read_mention(reader: AnnotationReader, columns: list[str], place: str) -> None:
    found = STRETCHES.fullmatch(columns[1])
    if not found or len(columns) < 3:
        raise BadFile(f"{place}: expected 'T1<TAB>Label start end<TAB>text', found {columns[:2]}", STANDOFF)
    stretches: list[Interval] = []
    for pair in found[2].split(";"):
        start, end = map(int, pair.split(" "))
        if not start <= end <= len(reader.text):
            raise BadFile(f"{place}: {start} to {end} is not in the text, which ends at {len(reader.text)}", COUNTING)
        stretches.append((start, end))
    starts, ends = zip(*stretches, strict=True)
    fragments = tuple(stretches) if len(stretches) > 1 else ()
    span = Span(start=min(starts), end=max(ends), label=WORDS.decode(found[1]), fragments=fragments, id=columns[0])
    there = span.text_in(reader.text)
    if one_line(there) != one_line(columns[2]):
        if not reader.is_repaired:
            raise BadFile(
                f"{place}: the text at {found[2]} is {there!r}, not {columns[2]!r}",
                f"{COUNTING}; correct the line, or trust the offsets with `--repair`",
            )
        reader.notes.add("mentions whose text was replaced by the text at their offsets", place)
    reader.spans[columns[0]] = span


def _read_relation(reader: AnnotationReader, columns: list[str], place: str) -> None:
    label, *arguments = _split_words(columns, place)
    if len(arguments) != 2:
        raise BadFile(f"{place}: expected 'R1<TAB>Label Arg1:T1 Arg2:T2', found {columns}", STANDOFF)
    reader.add_relation(Relation(WORDS.decode(label), _parse_arguments(arguments, place), columns[0]), place)


def _read_event(reader: AnnotationReader, columns: list[str], place: str) -> None:
    (trigger, *arguments) = _parse_arguments(_split_words(columns, place), place)
    first = Argument(TRIGGER, trigger.target)
    reader.add_relation(Relation(trigger.role, (first, *arguments), columns[0]), place)


def _read_equivalence(reader: AnnotationReader, columns: list[str], place: str) -> None:
    label, *targets = _split_words(columns, place)
    if len(targets) < 2:
        raise BadFile(f"{place}: expected '*<TAB>Equiv T1 T2', found {columns}", STANDOFF)
    reader.add_relation(Relation(WORDS.decode(label), tuple(Argument("", target) for target in targets)), place)


def _split_words(columns: list[str], place: str) -> list[str]:
    words = columns[1].split(" ")
    while len(words) > 1 and not words[-1]:
        words.pop()  # brat sometimes ends these lines with white space
    if not all(words) or "".join(columns[2:]).strip():
        raise BadFile(f"{place}: expected words with one space between them, found {columns}", STANDOFF)
    return words


def _parse_arguments(words: list[str], place: str) -> tuple[Argument, ...]:
    pairs = [word.rpartition(":") for word in words]
    if not all(role and target for role, _, target in pairs):
        raise BadFile(f"{place}: expected 'Role:Id', found {words}", STANDOFF)
    return tuple(Argument(WORDS.decode(role), target) for role, _, target in pairs)


def _read_reference(reader: AnnotationReader, columns: list[str], place: str) -> None:
    kind, _, rest = columns[1].partition(" ")
    target, _, concept = rest.partition(" ")
    link = parse_concept(concept, reader.prefixes)
    if kind != "Reference" or link is None:
        raise BadFile(f"{place}: expected 'N1<TAB>Reference T1 Database:Id<TAB>name', found {columns}", STANDOFF)
    reader.subjects[columns[0]] = target
    if target not in reader.spans:
        reader.add_infon(target, "Reference", concept, place)  # only mentions have links
        return
    reader.links[target].append(link)
    name = columns[2] if len(columns) > 2 else ""
    if name and name != one_line(reader.spans[target].text_in(reader.text)):
        reader.add_infon(target, name_key(link), name, place)


def _read_attribute(reader: AnnotationReader, columns: list[str], place: str) -> None:
    name, *rest = columns[1].split(" ", 2)
    if not rest or not name or "".join(columns[2:]).strip():
        raise BadFile(f"{place}: expected 'A1<TAB>Name T1 [value]', found {columns}", STANDOFF)
    reader.subjects[columns[0]] = rest[0]
    reader.add_infon(rest[0], name, rest[1] if len(rest) > 1 and rest[1] else "true", place)


def _read_note(reader: AnnotationReader, columns: list[str], place: str) -> None:
    kind, _, target = columns[1].partition(" ")
    if len(columns) < 3 or not target:
        raise BadFile(f"{place}: expected '#1<TAB>AnnotatorNotes T1<TAB>text', found {columns}", STANDOFF)
    if kind in OWN_NOTES:
        OWN_NOTES[kind](reader, target, columns[2], place)
        return
    key = "note" if kind == "AnnotatorNotes" else kind
    if target in reader.subjects:
        key, target = f"{key} on {target}", reader.subjects[target]
    earlier = reader.infons[target].pop(key, None)
    reader.add_infon(target, key, columns[2] if earlier is None else f"{earlier}\n{columns[2]}", place)


DEFINING = {"T": _read_mention, "R": _read_relation, "E": _read_event, "*": _read_equivalence}
DEFINING_NOTES = {
    "ConceptRelation -": read_relation_note,
    "Relation -": read_relation_note,
    "Prefixes -": read_prefixes_note,
}
REFERRING = {"N": _read_reference, "A": _read_attribute, "M": _read_attribute, "#": _read_note}
