"""Parser for the notes of Linnet's own kinds in a brat annotation file.

They hold JSON: `Passage`, `Sentence`, `Infons`, `Score`, `DocumentId`, `Prefixes` (of identifiers, by database), and
`ConceptRelation` and `Relation` for relations that no line of brat's can hold.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.formats.jsonl import document_from_json
from linnet.storage.files import check_text
from linnet.storage.json_keys import load_json

if TYPE_CHECKING:
    from linnet.formats.brat.lines import AnnotationReader

__all__ = ["OWN_NOTES", "STANDOFF", "check_json", "read_prefixes_note", "read_relation_note"]

STANDOFF = "see https://brat.nlplab.org/standoff.html for the lines that an .ann file may hold"


def check_json(content: str, place: str) -> None:
    """Refuse NUL, also if JSON writes it as an escape."""
    check_text("\0" if "\\u0000" in content.replace("\\\\", "") else "", place)


def read_relation_note(reader: "AnnotationReader", columns: list[str], place: str) -> None:
    """Add the relation of a note, or refuse it."""
    records = {"relations": [_parse_json("".join(columns[2:]), place)]}
    reader.add_relation(_parse_partial(reader, records, place).relations[0], place)


def read_prefixes_note(reader: "AnnotationReader", columns: list[str], place: str) -> None:
    """Take the prefixes of identifiers by database, which the references of the file leave out."""
    found = _parse_json("".join(columns[2:]), place)
    if not isinstance(found, dict) or not all(isinstance(prefix, str) for prefix in found.values()):
        raise BadFile(f"{place}: expected the prefixes of identifiers by database", 'write them like {"MESH": "mesh"}')
    reader.prefixes |= found


def _read_passage_note(reader: "AnnotationReader", target: str, content: str, place: str) -> None:
    reader.passages += _parse_partial(reader, {"passages": [_parse_json(content, place)]}, place).passages


def _read_sentence_note(reader: "AnnotationReader", target: str, content: str, place: str) -> None:
    reader.sentences += _parse_partial(reader, {"sentences": [_parse_json(content, place)]}, place).sentences


def _read_infons_note(reader: "AnnotationReader", target: str, content: str, place: str) -> None:
    for key, value in _parse_partial(reader, {"infons": _parse_json(content, place)}, place).infons.items():
        reader.add_infon(target, key, value, place)


def _read_score_note(reader: "AnnotationReader", target: str, content: str, place: str) -> None:
    if target not in reader.spans:
        raise BadFile(f"{place}: {target!r}, which the score is about, is no mention here", STANDOFF)
    try:
        score = float(content)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise BadFile(f"{place}: expected a number as score, found {content[:80]!r}", "write it like 0.95")
    reader.spans[target] = replace(reader.spans[target], score=score)


def _read_id_note(reader: "AnnotationReader", target: str, content: str, place: str) -> None:
    reader.document_id = _parse_partial(reader, {"id": _parse_json(content, place)}, place).id


def _parse_json(content: str, place: str) -> Any:  # JSON may be anything; `_partial` checks it
    check_json(content, place)
    try:
        return load_json(content)
    except ValueError as error:
        what = getattr(error, "msg", error)
        raise BadFile(f"{place}: expected JSON in this note of Linnet's ({what})", "correct or remove it") from None


def _parse_partial(reader: "AnnotationReader", record: Mapping[str, Any], place: str) -> Document:
    """Return a document with only the fields of the record, checked against the text."""
    return document_from_json({"id": "", "text": reader.text, **record}, place)


OWN_NOTES = {
    "Passage": _read_passage_note,
    "Sentence": _read_sentence_note,
    "Infons": _read_infons_note,
    "Score": _read_score_note,
    "DocumentId": _read_id_note,
}
