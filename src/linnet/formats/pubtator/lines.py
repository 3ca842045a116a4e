"""Parser for the lines of a PubTator file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from linnet.contracts import Notes, ReadOptions
from linnet.documents.document import Argument, Document, Interval, Link, Passage, Relation, Span
from linnet.errors import BadFile
from linnet.storage.files import read_lines
from linnet.storage.limits import LimitedSize

__all__ = ["LAYOUT", "ROLES", "Draft", "as_column", "read_drafts", "reads_as_mention"]

TEXT_LINE = re.compile(r"([^|\t]+)\|([ta])\|")
OFFSET_LIKE = re.compile(r"\s*[-+]?[\d.]+\s*")
ROLES = ("entity1", "entity2")
NEAR = 50  # characters within which a misplaced mention is searched

LAYOUT = (
    "lines are 'id|t|title', 'id|a|abstract', 'id<TAB>start<TAB>end<TAB>text<TAB>label[<TAB>concept[<TAB>names]]' "
    "and 'id<TAB>type<TAB>concept<TAB>concept[<TAB>novelty]', with a blank line between documents"
)
COUNTING = "offsets count characters from 0 over the title, one separator and the abstract, end exclusive"
REPAIR = f"{COUNTING}; correct the line, or mend it with `--repair`"


@dataclass
class Draft:
    """A document while its lines are being read."""

    id: str
    text: str
    place: str
    passages: list[Passage]
    spans: list[Span] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)

    def document(self) -> Document:
        """Return the finished document."""
        return Document(
            id=self.id,
            text=self.text,
            spans=tuple(self.spans),
            relations=tuple(self.relations),
            passages=tuple(self.passages),
        )


def read_drafts(path: Path, options: ReadOptions, notes: Notes) -> Iterator[Draft]:
    """Yield each document, its mentions checked against its text, with the place of its title."""
    draft: Draft | None = None
    size = LimitedSize(str(path))
    for number, line in read_lines(path):
        size.add(len(line))
        found = TEXT_LINE.match(line) if line else None
        is_title = found is not None and found[2] == "t"
        is_blank = not line or not line.strip(" ")
        if draft and (is_title or is_blank):
            yield draft
            draft = None
            size.restart()
        if is_blank:
            continue
        place = f"{path}:{number}"
        if found and is_title:
            title = line[found.end() :]
            draft = Draft(id=found[1], text=title, place=place, passages=[_passage(0, len(title), "title")])
        elif found:
            _add_abstract(draft, found[1], line[found.end() :], place)
        else:
            _add_annotation(draft, line, place, options, notes)
    if draft:
        yield draft


def _passage(start: int, end: int, kind: str) -> Passage:
    return Passage(start, end, {"type": kind})


def _add_abstract(draft: Draft | None, name: str, abstract: str, place: str) -> None:
    if not draft or draft.id != name:
        raise BadFile(f"{place}: found the abstract of {name!r} without its title before it", LAYOUT)
    if len(draft.passages) > 1 or draft.spans or draft.relations:
        raise BadFile(f"{place}: the abstract of {name!r} must follow its title, once, before any annotation", LAYOUT)
    start = len(draft.text) + 1
    draft.text = f"{draft.text}\n{abstract}"
    draft.passages.append(_passage(start, len(draft.text), "abstract"))


def _add_annotation(draft: Draft | None, line: str, place: str, options: ReadOptions, notes: Notes) -> None:
    columns = line.split("\t")
    if len(columns) == 1:
        raise BadFile(f"{place}: found {line[:80]!r}, which is neither text nor annotation", LAYOUT)
    if not draft:
        raise BadFile(f"{place}: found an annotation of {columns[0]!r} before its text or after a blank line", LAYOUT)
    if columns[0] != draft.id:
        raise BadFile(f"{place}: found an annotation of {columns[0]!r} in document {draft.id!r}", LAYOUT)
    if len(columns) in (4, 5) and not reads_as_mention(columns, draft.text):
        draft.relations.append(_parse_relation(columns, place))
    elif 5 <= len(columns) <= 7:
        draft.spans.append(_parse_span(columns, draft.text, place, options, notes))
    else:
        raise BadFile(f"{place}: found {len(columns)} columns in {line[:80]!r}", LAYOUT)


def reads_as_mention(columns: list[str], text: str) -> bool:
    """Is a line of four or five columns a mention, perhaps with a wrong start, which is then reported?"""
    if OFFSET_LIKE.fullmatch(columns[1]):
        return True
    if len(columns) != 5 or not columns[3] or not _is_number(columns[2]):
        return False
    end, mention = int(columns[2]), columns[3]
    return end >= len(mention) and as_column(text[end - len(mention) : end]) == mention


def _is_number(column: str) -> bool:
    return column.isascii() and column.isdigit() and len(column) < 12


def as_column(text: str) -> str:
    """Return the text as it is written in the column of a mention, of the same length."""
    return text.replace("\n", " ").replace("\t", " ")


def _parse_relation(columns: list[str], place: str) -> Relation:
    _, label, *concepts = columns[:4]
    if not label or not all(concepts):
        raise BadFile(f"{place}: a relation needs a type and two concepts, found {columns[1:]}", LAYOUT)
    arguments = tuple(Argument(role, concept, True) for role, concept in zip(ROLES, concepts, strict=True))
    return Relation(label, arguments, infons={"novel": columns[4]} if len(columns) > 4 else {})


def _parse_span(columns: list[str], text: str, place: str, options: ReadOptions, notes: Notes) -> Span:
    _, first, last, mention, label, *more = columns
    if not _is_number(first) or not _is_number(last):
        raise BadFile(f"{place}: expected two offsets, found {first!r} and {last!r}", COUNTING)
    start, end = int(first), int(last)
    if start >= end:
        raise BadFile(f"{place}: the mention {mention!r} starts at {start} and ends at {end}", COUNTING)
    if not label:
        raise BadFile(f"{place}: the mention {mention!r} has no label", LAYOUT)
    if end > len(text) or as_column(text[start:end]) != mention:
        start, end = _repair_offsets(text, (start, end), mention, place, options, notes)
    links = (Link(more[0]),) if more and more[0] else ()
    return Span(start, end, label, links=links, infons={"names": more[1]} if len(more) > 1 else {})


def _repair_offsets(
    text: str, interval: Interval, mention: str, place: str, options: ReadOptions, notes: Notes
) -> Interval:
    start, end = interval
    nearest = _find_nearest(text, mention, start)
    if options.repair and nearest is not None:
        notes.add("mentions moved to where their text is", place)
        return nearest, nearest + len(mention)
    if options.repair and end <= len(text):
        notes.add("mentions whose text was replaced by the text at their offsets", place)
        return interval
    there = f"the text there is {text[start:end]!r}" if end <= len(text) else f"the text ends at {len(text)}"
    hint = f"; {mention!r} stands at {nearest}-{nearest + len(mention)}" if nearest is not None else ""
    raise BadFile(f"{place}: the mention {mention!r} should be at {start}-{end}, but {there}{hint}", REPAIR)


def _find_nearest(text: str, mention: str, start: int) -> int | None:
    """Return the occurrence of the mention nearest to `start`, within `NEAR` characters."""
    first = max(0, start - NEAR)
    window = as_column(text[first : start + NEAR + len(mention)])
    places = [i for i in range(len(window) - len(mention) + 1) if window.startswith(mention, i)] if mention else []
    return min((first + i for i in places), key=lambda place: abs(place - start), default=None)
