"""JSON Lines format: Linnet's own format, which keeps every field of a document.

One document per line, a JSON object with the fields of `Document`; empty fields are left out. Every span has its text
beside its offsets, for people to read and for the reader to check.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Argument, Document, Link, Passage, Relation, Sentence, Span
from linnet.errors import BadFile
from linnet.formats.document_checks import check_offsets, check_targets
from linnet.formats.json_stream import read_first_object
from linnet.formats.unique_ids import IdSet, claim_id, ids_to_claim
from linnet.storage.files import check_text, new_file, read_lines
from linnet.storage.json_keys import DoubledKey, iterate_strings, load_json

__all__ = ["JSONLines", "document_from_json", "document_of_line", "document_to_json", "parse_line"]

SURROGATE = re.compile("[\ud800-\udfff]")
ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
DOCUMENT = frozenset("id text passages sentences spans relations infons".split())  # the fields of each object
PASSAGE = frozenset("start end infons".split())
SENTENCE = frozenset("start end tokens columns infons".split())
SPAN = frozenset("id start end label text fragments links score infons".split())
LINK = frozenset("identifier database name score".split())
RELATION = frozenset("id label arguments infons".split())
FOREIGN = frozenset("denotations sourceid tracks annotations predictions data".split())  # of annotation tools
ARGUMENT = {kind: frozenset(("role", kind)) for kind in ("concept", "span")}
Json = dict[str, Any]  # the result of json.loads, checked field by field below


class JSONLines:
    """Linnet's own format."""

    name = "jsonl"
    suffixes: tuple[str, ...] = (".jsonl",)
    description = "Linnet's own loss-free format, one JSON document per line"
    reads_unique_ids = True

    def recognises(self, path: Path, head: str) -> bool:
        """Is the first line a JSON object with an id and a text?"""
        first = head.lstrip().partition("\n")[0]
        is_object = first.startswith("{") and ('"id"' in first or path.suffix == ".jsonl")
        return is_object and '"passages": [{"off' not in first and not FOREIGN & read_first_object(first).keys()

    def read(self, path: Path, options: ReadOptions, notes: Notes) -> Iterator[Document]:
        """Stream the documents; offsets and texts of spans are checked against the text."""
        ids = IdSet()
        for number, line in read_lines(path):
            if not line.strip():
                continue
            place = f"{path}:{number}"
            document = document_of_line(line, place)
            if not ids.add(document.id):
                raise BadFile(f"{place}: a second document is called {document.id!r}", "give each its own id")
            yield document
        if not len(ids):
            raise BadFile(f"{path}: holds no document", "give a file with one JSON document per line")

    def losses(self, document: Document) -> Iterator[tuple[str, int]]:
        """Yield nothing: every field of a document is kept."""
        yield from ()

    def write(self, documents: Iterable[Document], path: Path, options: WriteOptions) -> None:
        """Write one line per document."""
        ids = ids_to_claim(options)
        with new_file(path) as file:
            for document in documents:
                claim_id(document.id, ids, str(path))
                line = _encode(record := document_to_json(document), document.id)
                _refuse_nul(record, line, f"document {document.id!r}")
                file.write(f"{line}\n")


def document_of_line(line: str, place: str) -> Document:
    """Return the document of a line.

    Raises:
        BadFile: if the line is not a document, holds characters that no file can hold, or has relations to mentions
            that do not exist.
    """
    found = parse_line(line, place)
    _refuse_nul(found, line, place)
    if "\\ud" in line.casefold() and any(SURROGATE.search(text) for text in iterate_strings(found)):
        raise BadFile(f"{place}: found half of a character (a lone surrogate)", "remove it; it is a broken character")
    document = document_from_json(found, place)
    check_targets(document, place)
    return document


def document_to_json(document: Document) -> Json:
    """Return the document as plain JSON values without empty fields."""
    return _drop_empty(
        {
            "id": document.id,
            "text": document.text,
            "passages": [
                _drop_empty({"start": p.start, "end": p.end, "infons": dict(p.infons)}) for p in document.passages
            ],
            "sentences": [_sentence_to_json(sentence) for sentence in document.sentences],
            "spans": [_span_to_json(span, document.text) for span in document.spans],
            "relations": [_relation_to_json(relation) for relation in document.relations],
            "infons": dict(document.infons),
        },
        always=("id", "text"),
    )


def document_from_json(found: Json, place: str) -> Document:
    """Return the document that a JSON object describes, or refuse it with its place."""
    try:
        _refuse_unknown(found, DOCUMENT)
        document = Document(
            id=_parse_text(found["id"]),
            text=_parse_text(found["text"]),
            passages=tuple(map(_passage_from_json, found.get("passages", ()))),
            sentences=tuple(map(_sentence_from_json, found.get("sentences", ()))),
            spans=tuple(map(_span_from_json, found.get("spans", ()))),
            relations=tuple(map(_relation_from_json, found.get("relations", ()))),
            infons=_parse_infons(found),
        )
        check_text(document.text, place)
        document.text.encode("utf-8")
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        what = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise BadFile(
            f"{place}: this is not a document of Linnet's ({what})", "see the jsonl page of the docs for the fields"
        ) from None
    check_offsets(document, found, place)
    return document


def _refuse_nul(value: Json, line: str, place: str) -> None:
    if "\\u0000" in line and any("\0" in text for text in iterate_strings(value)):
        check_text("\0", place)


def _drop_empty(record: Json, *, always: tuple[str, ...] = ()) -> Json:
    """Return the record without empty values, except 0 and the fields that are `always` kept."""
    return {key: value for key, value in record.items() if value or value == 0 or key in always}


def _sentence_to_json(sentence: Sentence) -> Json:
    record = {"start": sentence.start, "end": sentence.end, "tokens": [list(token) for token in sentence.tokens]}
    return _drop_empty({**record, "columns": [list(row) for row in sentence.columns], "infons": dict(sentence.infons)})


def _span_to_json(span: Span, text: str) -> Json:
    record = {
        "id": span.id,
        "start": span.start,
        "end": span.end,
        "label": span.label,
        "text": span.text_in(text),
        "fragments": [list(fragment) for fragment in span.fragments],
        "links": [_link_to_json(link) for link in span.links],
        "score": span.score,
        "infons": dict(span.infons),
    }
    return _drop_empty(record, always=("label", "text"))


def _link_to_json(link: Link) -> Json:
    record = {"identifier": link.identifier, "database": link.database, "name": link.name, "score": link.score}
    return _drop_empty(record, always=("identifier",))


def _relation_to_json(relation: Relation) -> Json:
    arguments = [
        {"role": argument.role, "concept" if argument.is_concept else "span": argument.target}
        for argument in relation.arguments
    ]
    record = {"id": relation.id, "label": relation.label, "arguments": arguments, "infons": dict(relation.infons)}
    return _drop_empty(record, always=("label", "arguments"))


def _refuse_unknown(found: Json, known: frozenset[str]) -> None:
    if unknown := found.keys() - known:
        raise ValueError(f"unknown field {min(unknown)!r}")


def _passage_from_json(found: Json) -> Passage:
    _refuse_unknown(found, PASSAGE)
    return Passage(_parse_offset(found["start"]), _parse_offset(found["end"]), _parse_infons(found))


def _sentence_from_json(found: Json) -> Sentence:
    _refuse_unknown(found, SENTENCE)
    sentence = Sentence(
        start=_parse_offset(found["start"]),
        end=_parse_offset(found["end"]),
        tokens=tuple((_parse_offset(start), _parse_offset(end)) for start, end in found.get("tokens", ())),
        columns=tuple(tuple(map(_parse_text, row)) for row in found.get("columns", ())),
        infons=_parse_infons(found),
    )
    if sentence.columns and len(sentence.columns) != len(sentence.tokens):
        raise ValueError(f"{len(sentence.columns)} rows of columns for {len(sentence.tokens)} tokens")
    return sentence


def _span_from_json(found: Json) -> Span:
    _refuse_unknown(found, SPAN)
    return Span(
        start=_parse_offset(found["start"]),
        end=_parse_offset(found["end"]),
        label=_parse_text(found["label"]),
        fragments=tuple((_parse_offset(start), _parse_offset(end)) for start, end in found.get("fragments", ())),
        id=_parse_text(found.get("id", "")),
        links=tuple(map(_link_from_json, found.get("links", ()))),
        score=_parse_score(found),
        infons=_parse_infons(found),
    )


def _link_from_json(found: Json) -> Link:
    _refuse_unknown(found, LINK)
    optional = {key: _parse_text(found.get(key, "")) for key in ("database", "name")}
    return Link(_parse_text(found["identifier"]), **optional, score=_parse_score(found))


def _relation_from_json(found: Json) -> Relation:
    _refuse_unknown(found, RELATION)
    arguments = tuple(map(_argument_from_json, found["arguments"]))
    return Relation(_parse_text(found["label"]), arguments, _parse_text(found.get("id", "")), _parse_infons(found))


def _argument_from_json(found: Json) -> Argument:
    kind = "concept" if "concept" in found else "span"
    _refuse_unknown(found, ARGUMENT[kind])
    return Argument(_parse_text(found["role"]), _parse_text(found[kind]), kind == "concept")


def _parse_infons(found: Json) -> Mapping[str, str]:
    return {_parse_text(key): _parse_text(value) for key, value in found.get("infons", {}).items()}


def _parse_score(found: Json) -> float | None:
    score = found.get("score")
    if isinstance(score, bool | str) or not math.isfinite(score or 0):
        raise ValueError(f"the score is {score!r}, expected a finite number")
    return None if score is None else float(score)


def _parse_offset(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} should be a whole number")
    return value


def _parse_text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} should be a string")
    return value


def parse_line(line: str, place: str) -> Json:
    """Return the JSON object of a line, or refuse it with its place."""
    try:
        found = load_json(line)
    except DoubledKey as double:
        raise BadFile(f"{place}: {double}", "keep one of them, or rename one") from None
    except json.JSONDecodeError as error:
        found_there = error.msg.removesuffix(" at").removesuffix(" starting")
        raise BadFile(
            f"{place}: broken JSON, {found_there} at column {error.colno}", "the file may be cut off; write it again"
        ) from None
    except ValueError as error:  # numbers of thousands of digits, brackets thousands deep
        raise BadFile(f"{place}: unreadable JSON, {error}", "this is not a document of Linnet's") from None
    if not isinstance(found, dict):
        raise BadFile(f"{place}: found {type(found).__name__}, expected a JSON object", "one document per line")
    return found


def _encode(record: Json, name: str) -> str:
    try:
        return ENCODER.encode(record)
    except ValueError as error:
        raise BadFile(
            f"document {name!r}: a score is no finite number, which JSON cannot hold ({error})", "correct the scores"
        ) from None


formats.register("jsonl")(JSONLines())
