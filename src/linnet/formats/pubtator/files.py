"""Reading and writing of PubTator files.

A document is `ID|t|title` and `ID|a|abstract`, then `ID start end text label [concept [names]]` for each mention and
`ID type concept concept [novelty]` for each relation, separated by tabs; a blank line ends it. The text is the title,
a line break and the abstract; without an `|a|` line there is no line break. The concept column is one link, never
split, or no link if it is empty; `names` is an infon of the span, `novel` one of the relation. The text of a mention
may have a space in place of a line break or tab.

`losses` lists what the format cannot hold. With `--lossy` it is written by these rules:
- offsets never change: the title ends with the first passage if white space follows it, otherwise with the first line,
  and the rest is the abstract; the character between the two becomes a line break, line breaks in them spaces;
- discontinuous and empty mentions and those without a label are left out;
- several concepts of a mention are joined by `|`; vocabularies, scores, further infons and sentences are left out;
- relations are left out unless they link exactly two concepts and their label does not look like an offset;
- tabs and line breaks in any column become spaces;
- in document ids, characters that are not allowed become `_`, and a number keeps equal ids apart.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Document, Relation, Span
from linnet.errors import BadFile
from linnet.formats.link_details import SEVERAL_LINKS, lost_link_details
from linnet.formats.pubtator.lines import LAYOUT, ROLES, as_column, read_drafts, reads_as_mention
from linnet.formats.unique_ids import IdSet, UniqueDocuments, claim_id
from linnet.storage.files import check_text, new_file

__all__ = ["PubTator"]

# blank lines, then a title or a mention; without the atomic group, blanks would take quadratic time
FIRST_LINE = re.compile(r"(?>\s*[\t\r\n])?[^|\t\r\n]++(?:\|[ta]\||\t\d+\t\d+\t)")
NOT_IN_ID = re.compile(r"[|\t\n\r\ufeff]")
NOT_IN_COLUMN = re.compile(r"[\t\n\r]")
TYPES = ("title", "abstract")


class PubTator:
    """Title, abstract, mentions with concepts, and relations between concepts."""

    name = "pubtator"
    suffixes: tuple[str, ...] = (".pubtator",)
    description = "PubTator: title and abstract with mentions, concept ids and relations, one file"
    reads_unique_ids = True

    def recognises(self, path: Path, head: str) -> bool:
        """Is the first line that is not blank a title or a mention?"""
        return FIRST_LINE.match(head) is not None

    def read(self, path: Path, options: ReadOptions, notes: Notes) -> Iterator[Document]:
        """Stream the documents of a file."""
        unique = UniqueDocuments(options, notes)
        for draft in read_drafts(path, options, notes):
            document = draft.document()
            if unique.is_new(document, draft.place):
                yield document
        if not len(unique):
            raise BadFile(f"{path}: holds no document", LAYOUT)

    def losses(self, document: Document) -> list[tuple[str, int]]:
        """Return what PubTator cannot hold of the document."""
        found = (*_losses_of_text(document), *_losses_of_spans(document), *_losses_of_relations(document))
        return [(what, number) for what, number in found if number]

    def write(self, documents: Iterable[Document], path: Path, options: WriteOptions) -> None:
        """Write the documents as they come, by the rules above."""
        ids = IdSet()
        with new_file(path) as file:
            for document in documents:
                name = _choose_id(document.id, ids)
                if "_" in name or not options.are_ids_unique:  # a changed id has an underscore, so only these can clash
                    claim_id(name, ids, str(path))
                block = "\n".join(_format_lines(document, name))
                check_text(block, f"document {document.id!r}")
                file.write(f"{block}\n\n")


formats.register("pubtator")(PubTator())


def _find_title_end(document: Document) -> int:
    """Return the end of the title, which is the end of the text if there is no abstract."""
    text = document.text
    if document.passages:
        end = document.passages[0].end
        if end == len(text) or text[end : end + 1].isspace():
            return end
    found = text.find("\n")
    return len(text) if found < 0 else found


def _losses_of_text(document: Document) -> Iterator[tuple[str, int]]:
    text, end = document.text, _find_title_end(document)
    parts = [(0, end), (end + 1, len(text))] if end < len(text) else [(0, end)]
    if document.passages and [(p.start, p.end) for p in document.passages] != parts:
        yield "passage structure", len(document.passages)
        inside = {i for p in document.passages for i in range(p.start, p.end)} | {end}
        yield "characters outside the passages", sum(i not in inside for i in range(len(text)))
    kept = [{"type": TYPES[min(i, 1)]} for i in range(len(document.passages))]
    yield "infons of passages", sum(map(_count_others, (p.infons for p in document.passages), kept))
    yield "line breaks in title or abstract", sum(text[s:e].count("\n") + text[s:e].endswith("\r") for s, e in parts)
    yield "separators of title and abstract other than a line break", int(text[end : end + 1] not in ("", "\n"))
    yield "infons of documents", len(document.infons)
    yield "document ids", int(not document.id or NOT_IN_ID.search(document.id) is not None)
    yield "sentence boundaries", len(document.sentences)
    yield "token boundaries", sum(len(sentence.tokens) for sentence in document.sentences)


def _count_others(infons: Mapping[str, str], kept: Mapping[str, str]) -> int:
    return sum(kept.get(key) != value for key, value in infons.items())


def _losses_of_spans(document: Document) -> Iterator[tuple[str, int]]:
    spans, text = document.spans, document.text
    links = [link for span in spans for link in span.links]
    yield "discontinuous mentions", sum(span.is_discontinuous for span in spans)
    yield "empty mentions", sum(not 0 <= span.start < span.end <= len(text) for span in spans)
    yield "mentions without a label", sum(not span.label for span in spans)
    yield SEVERAL_LINKS, sum(len(span.links) > 1 for span in spans)
    yield "names of vocabularies", sum(link.database != "" for link in links)
    yield from lost_link_details(spans)
    yield "concepts without an identifier", sum(not link.identifier for link in links)
    yield "scores", sum(span.score is not None for span in spans)
    yield (
        "infons of mentions",
        sum(_count_others(span.infons, {"names": span.infons.get("names", "")}) for span in spans),
    )
    columns = (column for span in spans for column in _columns_after_text(span))
    yield "tabs or line breaks in columns", sum(NOT_IN_COLUMN.search(column) is not None for column in columns)


def _losses_of_relations(document: Document) -> Iterator[tuple[str, int]]:
    relations = document.relations
    yield "relations between mentions", sum(not all(a.is_concept for a in r.arguments) for r in relations)
    yield "relations with other than two arguments", sum(len(r.arguments) != 2 for r in relations)
    yield (
        "relations without a label or concept, or labelled like an offset",
        sum(_links_concepts(r) and not _is_writable(r, document.text) for r in relations),
    )
    pairs = [r for r in relations if _links_concepts(r)]
    yield "roles of relations", sum(tuple(a.role for a in r.arguments) != ROLES for r in pairs)
    yield "infons of relations", sum(_count_others(r.infons, {"novel": r.infons.get("novel", "")}) for r in pairs)
    columns = (column for r in pairs for column in _relation_columns(r))
    yield "tabs or line breaks in columns", sum(NOT_IN_COLUMN.search(column) is not None for column in columns)


def _links_concepts(relation: Relation) -> bool:
    return len(relation.arguments) == 2 and all(argument.is_concept for argument in relation.arguments)


def _is_writable(relation: Relation, text: str) -> bool:
    columns = ["", *_relation_columns(relation)]
    return _links_concepts(relation) and all(columns[1:4]) and not reads_as_mention(columns, text)


def _relation_columns(relation: Relation) -> list[str]:
    novelty = [relation.infons["novel"]] if "novel" in relation.infons else []
    return [relation.label, *(argument.target for argument in relation.arguments), *novelty]


def _columns_after_text(span: Span) -> list[str]:
    concept = "|".join(link.identifier for link in span.links)
    if "names" in span.infons:
        return [span.label, concept, span.infons["names"]]
    return [span.label, concept] if concept else [span.label]


def _choose_id(name: str, ids: IdSet) -> str:
    """Return an id that PubTator allows: the document's own, or a changed one that is not used yet."""
    usable = NOT_IN_ID.sub("_", name) or "_"
    if usable == name:
        return name
    free, number = usable, 1
    while free in ids:
        number += 1
        free = f"{usable}_{number}"
    return free


def _format_lines(document: Document, name: str) -> Iterator[str]:
    end, text = _find_title_end(document), document.text
    title, abstract = _replace_line_breaks(text[:end]), _replace_line_breaks(text[end + 1 :])
    yield f"{name}|t|{title}"
    if end < len(text):
        yield f"{name}|a|{abstract}"
    written = f"{title}\n{abstract}"
    for span in document.spans:
        if span.label and not span.is_discontinuous and 0 <= span.start < span.end <= len(text):
            columns = [as_column(written[span.start : span.end]), *map(_format_column, _columns_after_text(span))]
            yield "\t".join((name, str(span.start), str(span.end), *columns))
    for relation in document.relations:
        if _is_writable(relation, written):
            yield "\t".join((name, *map(_format_column, _relation_columns(relation))))


def _replace_line_breaks(text: str) -> str:
    """Return the text with spaces for line breaks, of the same length."""
    return (text[:-1] + " " if text.endswith("\r") else text).replace("\n", " ")


def _format_column(value: str) -> str:
    return NOT_IN_COLUMN.sub(" ", value)
