"""What do the lines of a brat annotation file say?

`T` a mention, `N` a concept of it, `A` and `M` an attribute, `#` a note; `R`, `E` and `*` a relation, an event, an
equivalence. Notes of these kinds are Linnet's own and hold JSON: `Passage`, `Sentence`, `Infons`, `Score`,
`DocumentId`, and `ConceptRelation` and `Relation` for relations that no line of brat's can hold.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from linnet.contracts import Notes
from linnet.documents.document import Argument, Document, Interval, Link, Passage, Relation, Sentence, Span
from linnet.errors import BadFile
from linnet.formats.escapes import WHITE_SPACE, Escapes
from linnet.formats.jsonl import document_from_json
from linnet.storage.files import check_text, read_lines

__all__ = ["DATABASES", "NO_DATABASE", "TRIGGER", "WORDS", "Page", "check_json", "name_key", "one_line"]

NO_DATABASE = "ID"  # stands before the colon of a concept whose vocabulary is not known
TRIGGER = "Trigger"  # the role of an event's first argument
RELATION_NOTES = ("ConceptRelation -", "Relation -")
STRETCHES = re.compile(r"(.+) (\d{1,12} \d{1,12}(?:;\d{1,12} \d{1,12})*)", re.ASCII)
STANDOFF = "see https://brat.nlplab.org/standoff.html for the lines that an .ann file may hold"
COUNTING = "offsets count the characters (code points) of the .txt file from 0, end exclusive"
WORDS = Escapes(WHITE_SPACE)
DATABASES = Escapes(WHITE_SPACE + ":")


def one_line(text: str) -> str:
    """Return the text as a column shows it: line breaks and tabs are spaces, the length is the same."""
    return text.replace("\n", " ").replace("\r", " ").replace("\t", " ")


def name_key(link: Link) -> str:
    """Return the infon that holds the name which a file gave to a concept."""
    return f"name of {link.database or NO_DATABASE}:{link.identifier}"


def check_json(content: str, place: str) -> None:
    """Refuse NUL also where JSON hides it behind a code."""
    check_text("\0" if "\\u0000" in content.replace("\\\\", "") else "", place)


@dataclass
class Page:
    """One annotation file, as far as it has been read."""

    text: str
    notes: Notes
    is_repaired: bool
    document_id: str | None = None
    spans: dict[str, Span] = field(default_factory=dict)
    relations: list[Relation] = field(default_factory=list)
    places: list[str] = field(default_factory=list)  # of the relations
    passages: list[Passage] = field(default_factory=list)
    sentences: list[Sentence] = field(default_factory=list)
    links: dict[str, list[Link]] = field(default_factory=lambda: defaultdict(list))
    infons: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    subjects: dict[str, str] = field(default_factory=dict)  # id of an attribute or concept -> what it is about
    line_ids: set[str] = field(default_factory=set)
    relation_ids: set[str] = field(default_factory=set)

    def read(self, path: Path) -> None:
        """Take in all lines; what refers to others is read after them, as brat's lines have no order."""
        referring: list[tuple[str, str]] = []
        for number, line in read_lines(path):
            place = f"{path}:{number}"
            if defining := _defining(line):
                self._read_line(line, place, defining)
            elif line[:1] in REFERRING:
                referring.append((line, place))
            elif line.strip():
                raise BadFile(f"{place}: found {line[:80]!r}, which is no line of brat's", STANDOFF)
        for line, place in sorted(referring, key=lambda pair: pair[0].startswith("#")):
            self._read_line(line, place, REFERRING[line[0]])
        for relation, place in zip(self.relations, self.places, strict=True):
            if relation.id in self.spans:
                raise BadFile(f"{place}: a mention and a relation are called {relation.id!r}", "rename one of them")
            for argument in relation.arguments:
                if not argument.is_concept:
                    self.check_is_known(argument.target, place)

    def document(self, name: str) -> Document:
        """Return all that has been read, under the id that the file gives or else this one."""
        spans = (
            replace(span, links=tuple(self.links.get(key, ())), infons=self.infons.get(key, {}))
            for key, span in self.spans.items()
        )
        relations = (replace(r, infons=self.infons[r.id]) if r.id in self.infons else r for r in self.relations)
        return Document(
            name if self.document_id is None else self.document_id,
            self.text,
            tuple(spans),
            tuple(relations),
            tuple(self.passages),
            tuple(self.sentences),
            self.infons.get("-", {}),
        )

    def check_is_known(self, target: str, place: str) -> None:
        """Refuse a reference to what is not there."""
        if target not in self.spans and target not in self.relation_ids:
            raise BadFile(f"{place}: refers to {target!r}, which is no mention, relation or event here", STANDOFF)

    def add_infon(self, target: str, key: str, value: str, place: str) -> None:
        """Keep a fact about a mention, a relation or the document; two that contradict each other are refused."""
        if target != "-":
            self.check_is_known(target, place)
        if self.infons[target].setdefault(key, value) != value:
            raise BadFile(f"{place}: {target!r} has two values for {key!r}", "decide which is right; remove the other")

    def add_relation(self, relation: Relation, place: str) -> None:
        """Keep a relation and the infons that came with it."""
        if relation.id in self.relation_ids:
            raise BadFile(f"{place}: a second relation is called {relation.id!r}", "give every line its own id")
        self.relations.append(relation)
        self.places.append(place)
        if relation.id:
            self.relation_ids.add(relation.id)
            self.infons[relation.id].update(relation.infons)

    def _read_line(self, line: str, place: str, read: Callable[["Page", list[str], str], None]) -> None:
        columns = line.split("\t", 2)
        if len(columns) < 2 or " " in columns[0]:
            raise BadFile(f"{place}: expected columns separated by tabs, found {line[:80]!r}", STANDOFF)
        if columns[0] in self.line_ids:
            raise BadFile(f"{place}: a second line is called {columns[0]!r}", "give every line its own id")
        if columns[0] != "*":
            self.line_ids.add(columns[0])
        read(self, columns, place)


def _defining(line: str) -> Callable[[Page, list[str], str], None] | None:
    """Return what reads the line, if it is one that others may refer to."""
    if line.startswith("#"):
        return _relation_note if line.split("\t", 2)[1:2] in ([kind] for kind in RELATION_NOTES) else None
    return DEFINING.get(line[:1])


def _mention(page: Page, columns: list[str], place: str) -> None:
    found = STRETCHES.fullmatch(columns[1])
    if not found or len(columns) < 3:
        raise BadFile(f"{place}: expected 'T1<TAB>Label start end<TAB>text', found {columns[:2]}", STANDOFF)
    stretches: list[Interval] = []
    for pair in found[2].split(";"):
        start, end = map(int, pair.split(" "))
        if not start <= end <= len(page.text):
            raise BadFile(f"{place}: {start} to {end} is not in the text, which ends at {len(page.text)}", COUNTING)
        stretches.append((start, end))
    starts, ends = zip(*stretches, strict=True)
    fragments = tuple(stretches) if len(stretches) > 1 else ()
    span = Span(min(starts), max(ends), WORDS.decode(found[1]), fragments, columns[0])
    there = span.text_in(page.text)
    if one_line(there) != one_line(columns[2]):
        if not page.is_repaired:
            raise BadFile(
                f"{place}: the text at {found[2]} is {there!r}, not {columns[2]!r}",
                f"{COUNTING}; correct the line, or believe the offsets with `--repair`",
            )
        page.notes.add("mentions whose text was replaced by the text at their offsets", place)
    page.spans[columns[0]] = span


def _relation(page: Page, columns: list[str], place: str) -> None:
    label, *arguments = _words(columns, place)
    if len(arguments) != 2:
        raise BadFile(f"{place}: expected 'R1<TAB>Label Arg1:T1 Arg2:T2', found {columns}", STANDOFF)
    page.add_relation(Relation(WORDS.decode(label), _arguments(arguments, place), columns[0]), place)


def _event(page: Page, columns: list[str], place: str) -> None:
    (trigger, *arguments) = _arguments(_words(columns, place), place)
    first = Argument(TRIGGER, trigger.target)
    page.add_relation(Relation(trigger.role, (first, *arguments), columns[0]), place)


def _equivalence(page: Page, columns: list[str], place: str) -> None:
    label, *targets = _words(columns, place)
    if len(targets) < 2:
        raise BadFile(f"{place}: expected '*<TAB>Equiv T1 T2', found {columns}", STANDOFF)
    page.add_relation(Relation(WORDS.decode(label), tuple(Argument("", target) for target in targets)), place)


def _words(columns: list[str], place: str) -> list[str]:
    words = columns[1].split(" ")
    while len(words) > 1 and not words[-1]:
        words.pop()  # brat ends these lines with white space now and then
    if not all(words) or "".join(columns[2:]).strip():
        raise BadFile(f"{place}: expected words with one space between them, found {columns}", STANDOFF)
    return words


def _arguments(words: list[str], place: str) -> tuple[Argument, ...]:
    pairs = [word.rpartition(":") for word in words]
    if not all(role and target for role, _, target in pairs):
        raise BadFile(f"{place}: expected 'Role:Id', found {words}", STANDOFF)
    return tuple(Argument(WORDS.decode(role), target) for role, _, target in pairs)


def _reference(page: Page, columns: list[str], place: str) -> None:
    kind, _, rest = columns[1].partition(" ")
    target, _, concept = rest.partition(" ")
    database, colon, identifier = concept.partition(":")
    if kind != "Reference" or not colon:
        raise BadFile(f"{place}: expected 'N1<TAB>Reference T1 Database:Id<TAB>name', found {columns}", STANDOFF)
    page.subjects[columns[0]] = target
    if target not in page.spans:
        page.add_infon(target, "Reference", concept, place)  # only mentions have links
        return
    link = Link(WORDS.decode(identifier), "" if database == NO_DATABASE else DATABASES.decode(database))
    page.links[target].append(link)
    name = columns[2] if len(columns) > 2 else ""
    if name and name != one_line(page.spans[target].text_in(page.text)):
        page.add_infon(target, name_key(link), name, place)


def _attribute(page: Page, columns: list[str], place: str) -> None:
    name, *rest = columns[1].split(" ", 2)
    if not rest or not name or "".join(columns[2:]).strip():
        raise BadFile(f"{place}: expected 'A1<TAB>Name T1 [value]', found {columns}", STANDOFF)
    page.subjects[columns[0]] = rest[0]
    page.add_infon(rest[0], name, rest[1] if len(rest) > 1 and rest[1] else "true", place)


def _note(page: Page, columns: list[str], place: str) -> None:
    kind, _, target = columns[1].partition(" ")
    if len(columns) < 3 or not target:
        raise BadFile(f"{place}: expected '#1<TAB>AnnotatorNotes T1<TAB>text', found {columns}", STANDOFF)
    if kind in OWN_NOTES:
        OWN_NOTES[kind](page, target, columns[2], place)
        return
    key = "note" if kind == "AnnotatorNotes" else kind
    if target in page.subjects:
        key, target = f"{key} on {target}", page.subjects[target]
    earlier = page.infons[target].pop(key, None)
    page.add_infon(target, key, columns[2] if earlier is None else f"{earlier}\n{columns[2]}", place)


def _relation_note(page: Page, columns: list[str], place: str) -> None:
    records = {"relations": [_json("".join(columns[2:]), place)]}
    page.add_relation(_partial(page, records, place).relations[0], place)


def _passage_note(page: Page, target: str, content: str, place: str) -> None:
    page.passages += _partial(page, {"passages": [_json(content, place)]}, place).passages


def _sentence_note(page: Page, target: str, content: str, place: str) -> None:
    page.sentences += _partial(page, {"sentences": [_json(content, place)]}, place).sentences


def _infons_note(page: Page, target: str, content: str, place: str) -> None:
    for key, value in _partial(page, {"infons": _json(content, place)}, place).infons.items():
        page.add_infon(target, key, value, place)


def _score_note(page: Page, target: str, content: str, place: str) -> None:
    if target not in page.spans:
        raise BadFile(f"{place}: {target!r}, which the score is about, is no mention here", STANDOFF)
    try:
        page.spans[target] = replace(page.spans[target], score=float(content))
    except ValueError:
        raise BadFile(f"{place}: expected a number as score, found {content!r}", "write it like 0.95") from None


def _id_note(page: Page, target: str, content: str, place: str) -> None:
    page.document_id = _partial(page, {"id": _json(content, place)}, place).id


def _json(content: str, place: str) -> Any:  # JSON may be anything; `_partial` checks it
    check_json(content, place)
    try:
        return json.loads(content)
    except json.JSONDecodeError as error:
        raise BadFile(
            f"{place}: expected JSON in this note of Linnet's ({error.msg})", "correct or remove it"
        ) from None


def _partial(page: Page, record: Mapping[str, Any], place: str) -> Document:
    """Return a document with only what the record holds, checked against the text."""
    return document_from_json({"id": "", "text": page.text, **record}, place)


DEFINING = {"T": _mention, "R": _relation, "E": _event, "*": _equivalence}
REFERRING = {"N": _reference, "A": _attribute, "M": _attribute, "#": _note}
OWN_NOTES = {
    "Passage": _passage_note,
    "Sentence": _sentence_note,
    "Infons": _infons_note,
    "Score": _score_note,
    "DocumentId": _id_note,
}
