"""Reading and writing of brat folders.

A folder holds a `NAME.txt` and a `NAME.ann` for every document; NAME is the document's id, with `%2F` for a slash
and the like. The lines are described in `lines`. What brat has no line for is kept in notes of our own kinds, which
brat shows as comments or ignores, so nothing is lost. Mentions and relations keep ids like `T1` and `R1`; other ids
are replaced, together with the references to them.
"""

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Any

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Argument, Document, Relation, Span
from linnet.errors import BadFile
from linnet.formats.brat.lines import TRIGGER, AnnotationReader, check_json, name_key, one_line
from linnet.formats.brat.prefixes import WORDS, format_concept, shared_prefixes
from linnet.formats.escapes import Escapes
from linnet.formats.jsonl import document_to_json
from linnet.formats.link_details import lost_link_details
from linnet.formats.unique_ids import IdSet, claim_id, ids_to_claim
from linnet.storage.files import check_text, new_file, new_folder, read_text

__all__ = ["Brat"]

NOT_IN_NAMES = '/\\:*?"<>|\x7f' + "".join(map(chr, range(1, 32)))
NAMES = Escapes(NOT_IN_NAMES + ". ")  # dots only at the edges, spaces only at the end
LONGEST_NAME = 200  # bytes; file systems allow 255, with the suffix and the prefix of an unfinished file
ATTRIBUTE_NAME = re.compile(r"[A-Za-z][\w-]*", re.ASCII)
ATTRIBUTE_VALUE = re.compile(r"[\w.-]+", re.ASCII)
BYTE_ORDER_MARK = "\ufeff"
PAIRS = "a brat folder holds a NAME.txt and a NAME.ann for every document"

Line = tuple[str, str]  # the letter of a line without a number ("" for a line with its id), and the rest


class Brat:
    """Pairs of text and stand-off annotation, as the annotation tool brat keeps them."""

    name = "brat"
    suffixes: tuple[str, ...] = ()
    description = "brat: a folder with a .txt and an .ann file for every document, discontinuous mentions kept"
    reads_unique_ids = True

    def recognises(self, path: Path, head: str) -> bool:
        """Is this a folder with .ann files, or one file of a pair?"""
        if path.is_dir():
            return any(path.glob("*.ann"))
        return path.suffix == ".ann" or (path.suffix == ".txt" and path.with_suffix(".ann").is_file())

    def read(self, path: Path, options: ReadOptions, notes: Notes) -> Iterator[Document]:
        """Stream the documents in the order of their file names."""
        ids = IdSet()
        for text_file, annotation_file in _find_pairs(path):
            reader = AnnotationReader(read_text(text_file), notes, options.repair)
            reader.read(annotation_file)
            document = reader.document(NAMES.decode(text_file.stem))
            if not ids.add(document.id):
                raise BadFile(f"{annotation_file}: a second document is called {document.id!r}", "rename one of them")
            yield document

    def losses(self, document: Document) -> Iterator[tuple[str, int]]:
        """Yield details of links; everything else that brat has no line for is kept in notes."""
        yield from lost_link_details(document.spans)

    def write(self, documents: Iterable[Document], path: Path, options: WriteOptions) -> None:
        """Write a pair of files for each document; the folder appears when all are complete."""
        ids = ids_to_claim(options)
        taken = IdSet()
        with new_folder(path) as folder:
            for document in documents:
                claim_id(document.id, ids, str(path))
                check_text(document.id, f"document {document.id!r}")
                name = _choose_name(document.id, taken)
                lines = list(_build_lines(document))
                if NAMES.decode(name) != document.id:
                    lines.append(("#", f"DocumentId -\t{_encode_json(document.id)}"))
                _write_pair(document, lines, folder / name)


formats.register("brat")(Brat())


def _find_pairs(path: Path) -> Iterator[tuple[Path, Path]]:
    """Yield the text and the annotation file of each document."""
    folder = path if path.is_dir() else path.parent
    found = list(path.iterdir()) if path.is_dir() else [path]
    # some systems leave hidden files such as "._NAME.ann"
    files = [file for file in found if file.suffix in (".ann", ".txt") and not file.name.startswith(".")]
    if not files or (path.is_dir() and not any(file.suffix == ".ann" for file in files)):
        raise BadFile(f"{path}: found no .ann file", PAIRS)
    for stem in sorted({file.stem for file in files}):
        text_file, annotation_file = folder / f"{stem}.txt", folder / f"{stem}.ann"
        if not text_file.is_file():
            raise BadFile(f"{annotation_file}: without {text_file.name} beside it", PAIRS)
        if not annotation_file.is_file():
            raise BadFile(
                f"{text_file}: without {annotation_file.name} beside it",
                f"if nothing is marked in it, create an empty {annotation_file.name}; if it is no document, move it",
            )
        yield text_file, annotation_file


def _choose_name(document_id: str, taken: IdSet) -> str:
    """Return a file name that no file system confuses with an earlier one."""
    name = NAMES.encode(document_id, NOT_IN_NAMES)
    if name[0] == ".":
        name = NAMES.encode(".") + name[1:]
    if name[-1] in ". ":
        name = name[:-1] + NAMES.encode(name[-1])
    if len(name.encode("utf-8", "surrogatepass")) > LONGEST_NAME or _normalise_name(name) in taken:
        digest = blake2b(document_id.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        name = f"{name[:40]}~{digest}"
    taken.add(_normalise_name(name))
    return name


def _normalise_name(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _build_lines(document: Document) -> Iterator[Line]:
    record = document_to_json(replace(document, spans=(), relations=()))
    for kind, parts in (("Passage", record.get("passages", ())), ("Sentence", record.get("sentences", ()))):
        yield from (("#", f"{kind} -\t{_encode_json(part)}") for part in parts)
    if document.infons:
        yield "#", f"Infons -\t{_encode_json(dict(document.infons))}"
    prefixes = shared_prefixes(document.spans)
    if prefixes:
        yield "#", f"Prefixes -\t{_encode_json(prefixes)}"
    span_ids = _assign_ids([span.id for span in document.spans], "T")
    kinds = _choose_kinds(document)
    relation_ids = _relation_ids(document.relations, kinds)
    new_ids = _map_ids((*document.spans, *document.relations), span_ids + relation_ids)
    for span, span_id in zip(document.spans, span_ids, strict=True):
        yield from _build_span_lines(span, span_id, document, prefixes)
    for relation, kind, relation_id in zip(document.relations, kinds, relation_ids, strict=True):
        arguments = tuple(_replace_target(argument, new_ids, document) for argument in relation.arguments)
        yield from _build_relation_lines(replace(relation, id=relation_id, arguments=arguments), kind)


def _encode_json(value: Any) -> str:  # Any: JSON values
    content = json.dumps(value, ensure_ascii=False)
    check_json(content, content[:80])
    return content


def _assign_ids(wanted: Sequence[str], prefix: str) -> list[str]:
    """Return distinct ids of the form T1: the wanted id if it has this form and is not used yet."""
    form = re.compile(rf"{prefix}\d+", re.ASCII)
    reserved = set(wanted)
    free = (fresh for number in count(1) if (fresh := f"{prefix}{number}") not in reserved)
    taken: set[str] = set()
    ids: list[str] = []
    for name in wanted:
        ids.append(name if form.fullmatch(name) and name not in taken else next(free))
        taken.add(name)
    return ids


def _choose_kinds(document: Document) -> list[str]:
    """Return the letter of the line of each relation; C if it needs a note of our own."""
    spans = {span.id for span in document.spans if span.id}
    events = {relation.id for relation in document.relations if relation.id and _has_trigger(relation, spans)}
    return [_choose_kind(relation, spans, events) for relation in document.relations]


def _has_trigger(relation: Relation, spans: set[str]) -> bool:
    first = relation.arguments[0] if relation.arguments else Argument("", "")
    return first.role == TRIGGER and not first.is_concept and first.target in spans


def _choose_kind(relation: Relation, spans: set[str], events: set[str]) -> str:
    targets = {argument.target for argument in relation.arguments}
    roles = {argument.role for argument in relation.arguments}
    if any(argument.is_concept for argument in relation.arguments) or not targets <= spans | events:
        return "C"
    if roles == {""} and len(relation.arguments) > 1 and targets <= spans and not relation.id and not relation.infons:
        return "*"
    if _has_trigger(relation, spans):
        return "E"
    return "R" if len(relation.arguments) == 2 else "C"


def _relation_ids(relations: Sequence[Relation], kinds: Sequence[str]) -> list[str]:
    """Return an id for each relation; none for equivalences, nor for notes without one."""
    ids = [""] * len(relations)
    for prefix in "REC":
        places = [i for i, kind in enumerate(kinds) if kind == prefix and (prefix != "C" or relations[i].id)]
        for place, fresh in zip(places, _assign_ids([relations[i].id for i in places], prefix), strict=True):
            ids[place] = fresh
    return ids


def _map_ids(owners: Sequence[Span | Relation], ids: Sequence[str]) -> dict[str, str]:
    """Return the new id of each old id; of several owners of an old id the first counts."""
    return {owner.id: new for owner, new in reversed(list(zip(owners, ids, strict=True)))}


def _replace_target(argument: Argument, new_ids: Mapping[str, str], document: Document) -> Argument:
    if argument.is_concept:
        return argument
    if not argument.target or argument.target not in new_ids:
        raise BadFile(
            f"document {document.id!r}: a relation refers to {argument.target!r}, which is not in the document",
            "correct the relation in the input",
        )
    return replace(argument, target=new_ids[argument.target])


def _build_span_lines(span: Span, span_id: str, document: Document, prefixes: Mapping[str, str]) -> Iterator[Line]:
    if not all(0 <= start <= end <= len(document.text) for start, end in span.stretches):
        raise BadFile(
            f"document {document.id!r}: {span.start} to {span.end} is outside its text", "correct the offsets"
        )
    mention = one_line(span.text_in(document.text))
    stretches = ";".join(f"{start} {end}" for start, end in span.stretches)
    yield "", f"{span_id}\t{WORDS.encode(span.label)} {stretches}\t{mention}"
    for link in span.links:
        known_name = span.infons.get(name_key(link), mention)
        name = known_name if _is_one_line(known_name) else mention
        yield "N", f"Reference {span_id} {format_concept(link, prefixes)}\t{name}"
    if span.score is not None:
        yield "#", f"Score {span_id}\t{span.score!r}"
    yield from _build_infon_lines(span.infons, span_id)


def _is_one_line(text: str) -> bool:
    return "\n" not in text and not text.endswith("\r")


def _build_infon_lines(infons: Mapping[str, str], owner: str) -> Iterator[Line]:
    others: dict[str, str] = {}
    for name, value in infons.items():
        if name == "note" and _is_one_line(value):
            yield "#", f"AnnotatorNotes {owner}\t{value}"
        elif name != "note" and ATTRIBUTE_NAME.fullmatch(name) and ATTRIBUTE_VALUE.fullmatch(value):
            yield "A", f"{name} {owner}" if value == "true" else f"{name} {owner} {value}"
        else:
            others[name] = value
    if others:
        yield "#", f"Infons {owner}\t{_encode_json(others)}"


def _build_relation_lines(relation: Relation, kind: str) -> Iterator[Line]:
    label = WORDS.encode(relation.label)
    words = [f"{WORDS.encode(argument.role)}:{argument.target}" for argument in relation.arguments]
    if kind == "C":
        note = "ConceptRelation" if any(argument.is_concept for argument in relation.arguments) else "Relation"
        yield "#", f"{note} -\t{_encode_json(_relation_to_json(relation))}"
        return
    if kind == "R":
        yield "", f"{relation.id}\t{label} {' '.join(words)}"
    elif kind == "E":
        yield "", " ".join([f"{relation.id}\t{label}:{relation.arguments[0].target}", *words[1:]])
    else:
        yield "", f"*\t{label} {' '.join(argument.target for argument in relation.arguments)}"
    yield from _build_infon_lines(relation.infons, relation.id)


def _relation_to_json(relation: Relation) -> dict[str, Any]:  # in the form of the jsonl format
    arguments = [{"role": a.role, "concept" if a.is_concept else "span": a.target} for a in relation.arguments]
    return {"id": relation.id, "label": relation.label, "arguments": arguments, "infons": dict(relation.infons)}


def _write_pair(document: Document, lines: Iterable[Line], stem: Path) -> None:
    annotations = "".join(_number_lines(lines))
    # readers remove one byte-order mark, so a text that begins with one needs two
    mark = BYTE_ORDER_MARK if document.text.startswith(BYTE_ORDER_MARK) else ""
    for suffix, content in ((".txt", mark + document.text), (".ann", annotations)):
        check_text(content, f"document {document.id!r}")
        with new_file(stem.with_name(stem.name + suffix)) as file:
            file.write(content)


def _number_lines(lines: Iterable[Line]) -> Iterator[str]:
    numbers: dict[str, Iterator[int]] = defaultdict(lambda: count(1))
    for kind, rest in lines:
        yield f"{kind}{next(numbers[kind])}\t{rest}\n" if kind else f"{rest}\n"
