"""Reads the documents of a request's body, in any format, with every problem at its place."""

import codecs
import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from linnet.contracts import Notes, ReadOptions, formats, readable_formats
from linnet.documents.document import Document
from linnet.errors import LinnetError
from linnet.formats.jsonl import document_from_json
from linnet.formats.reading import find_format
from linnet.serving.http.media_types import AUTO, JSON, TEXT
from linnet.serving.http.offsets import document_in_characters
from linnet.serving.http.refusals import Refusal, refusal_of
from linnet.storage.json_keys import iterate_strings, load_json

__all__ = ["Body", "decode_text", "parse_json", "private_file", "read_body", "read_texts"]

OWN_FIELDS = ("text", "texts", "documents")
DOCUMENT_FIELDS = {"id", "text", "passages", "sentences", "spans", "relations", "infons"}
SHAPE = 'send {"text": "..."}, {"texts": ["...", "..."]} or {"documents": [{"id": "1", "text": "..."}]}'
SAVE_AS_UTF8 = "send the text as UTF-8"
KNOWN_XML = "send BioC, JATS or PubMed XML; `?from=text` takes markup as a text"
NO_BINARY = "send text, not binary data"
HALF = re.compile(  # of a character, as JSON can write it and no answer can hold it
    r"\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f]", re.IGNORECASE
)
NAME = "request"  # of the file that holds a body while it is read


class _HalfCharacter(Refusal):
    """JSON that is whole but for half of a character; no format would take it."""


@dataclass(frozen=True)
class Body:
    """Documents of a request, and the format that an answer has if no other is wanted."""

    documents: list[Document]
    format: str
    notes: tuple[str, ...] = ()


def read_body(content: bytes, format: str, *, name: str = "", is_utf16: bool = False) -> Body:
    """Return the documents of a body.

    Args:
        content: the bytes of the body.
        format: a registered one, `json`, `text`, `lines`, or `auto` where the content decides.
        name: of the file that the client has read, without folders: the id of a plain text, and a hint to its format.
        is_utf16: are the offsets of `{"documents": [...]}` in UTF-16 code units?

    Raises:
        Refusal: with the line, if there is one.
    """
    if not content.strip():
        raise Refusal(400, "the body is empty", SHAPE, where="body")
    if format in (TEXT, "lines"):
        return Body(_read_plain(decode_text(content), name, is_lines=format == "lines"), JSON)
    if format in (JSON, AUTO) and (own := _read_own(content, is_json=format == JSON, is_utf16=is_utf16)) is not None:
        return Body(own, JSON)
    with private_file(content, suffix=_known_suffix(name)) as path:
        notes = Notes()
        try:
            source = format if format not in (JSON, AUTO) else _detect(path)
            if source == TEXT and format == JSON:
                raise _unknown_json(content)
            if source == TEXT and _is_markup(content):
                raise Refusal(400, "no format has this XML or HTML", KNOWN_XML, where="body")
            if source == TEXT:
                return Body(_read_plain(decode_text(content), name, is_lines=False), JSON)
            found = list(formats.get(source).read(path, ReadOptions(), notes))
        except LinnetError as error:
            raise refusal_of(error, place=str(path), status=400) from None
        sentences = tuple(each.replace(str(path), "body") for each in notes.sentences())
    return Body(found, source, sentences)


def read_texts(found: Any) -> list[str | tuple[str, str]]:  # any JSON
    """Return the texts and pairs of texts of a JSON body, for models about whole texts."""
    texts = [found["text"]] if isinstance(found, dict) and "text" in found else None
    if texts is None:
        texts = found.get("texts") if isinstance(found, dict) else found
    if not isinstance(texts, list) or not texts:
        raise Refusal(400, "there is no text in the body", 'send {"texts": ["...", ["first", "second"]]}', where="body")
    return [_parse_text_or_pair(text, number) for number, text in enumerate(texts)]


def parse_json(content: bytes, shape: str = SHAPE) -> Any:  # whatever JSON can hold; the callers check it
    """Return what a JSON body holds, or refuse it with its line; `shape` says what to send instead."""
    if not content.strip():
        raise Refusal(400, "the body is empty", shape, where="body")
    text = decode_text(content)
    try:
        found = load_json(text)
    except json.JSONDecodeError as error:
        raise Refusal(
            400, f"this is not JSON ({error.msg})", shape, where=f"body, line {error.lineno}, column {error.colno}"
        ) from None
    except ValueError as error:
        why = str(error).partition(";")[0]  # without what Python advises its programmers
        raise Refusal(400, f"this JSON cannot be read ({why})", shape, where="body") from None
    _refuse_half_characters(found, text)
    return found


@contextmanager
def private_file(content: bytes | None = None, *, suffix: str = "") -> Iterator[Path]:
    """Yield a file that nobody else can read, with this content or still to be written; no request names a path."""
    with tempfile.TemporaryDirectory(prefix="linnet-serve-") as folder:
        path = Path(folder) / f"{NAME}{suffix}"
        if content is not None:
            path.write_bytes(content)
        yield path


def decode_text(content: bytes, where: str = "") -> str:
    """Return the text of a body, or of a part of it that is called `where`; refuse what is no UTF-8 text."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Refusal(
            400, f"this is not UTF-8 text ({error.reason})", SAVE_AS_UTF8, where=where or f"body, line {line}"
        ) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise Refusal(400, "found a NUL character", NO_BINARY, where=where or f"body, line {line}")
    return text


def _refuse_half_characters(found: Any, text: str) -> None:
    """Refuse JSON with half of a character in any of its strings."""
    half = HALF.search(text)
    try:
        if half is None or all(map(_is_whole, iterate_strings(found))):
            return
    except RecursionError:
        raise Refusal(400, "this JSON cannot be read (the JSON is nested too deeply)", SHAPE, where="body") from None
    line, column = text.count("\n", 0, half.start()) + 1, half.start() - text.rfind("\n", 0, half.start())
    raise _HalfCharacter(
        400,
        "found half of a character (a lone surrogate)",
        SAVE_AS_UTF8,
        where=f"body, line {line}, column {column}",
    )


def _is_whole(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _read_plain(text: str, name: str, *, is_lines: bool) -> list[Document]:
    if not is_lines:
        return [Document(PurePosixPath(name).stem or "1", text)]
    lines = (line.removesuffix("\r") for line in text.split("\n"))
    prefix = f"{PurePosixPath(name).stem}-" if name else ""
    return [Document(f"{prefix}{number}", line) for number, line in enumerate(filter(str.strip, lines), 1)]


def _known_suffix(name: str) -> str:
    """Return the suffix of a file's name, if it is that of a format; nothing else of the name reaches the disk."""
    suffix = PurePosixPath(name).suffix.lower()
    return suffix if any(suffix in formats.get(each).suffixes for each in readable_formats()) else ""


def _is_markup(content: bytes) -> bool:
    """Is this XML or HTML? A text neither begins nor ends with a tag."""
    text = content.removeprefix(codecs.BOM_UTF8).strip()
    return text.startswith(b"<") and text.endswith(b">")


def _detect(path: Path) -> str:
    found = find_format(path, by_suffix=bool(path.suffix))
    return TEXT if found is None else found.name


def _read_own(content: bytes, *, is_json: bool, is_utf16: bool) -> list[Document] | None:
    """Return the documents of our own JSON shapes; None if this is something else, which a format may know."""
    first = content.lstrip(codecs.BOM_UTF8 + b" \t\r\n")[:1]
    if not is_json and first not in (b"{", b"["):
        return None
    try:
        found = parse_json(content)
    except _HalfCharacter:
        raise
    except Refusal:
        if is_json and first not in (b"{", b"["):
            raise
        return None  # JSON lines, for example; the reader of the format will say what is wrong
    if isinstance(found, str):
        found = [found]
    if isinstance(found, list) and found and all(isinstance(each, str) for each in found):
        return _build_texts(found)
    if isinstance(found, list) and found and all(_is_bare_document(each) for each in found):
        return _build_documents(found, is_utf16=is_utf16)
    return _read_own_object(found, is_utf16=is_utf16) if isinstance(found, dict) else None


def _read_own_object(found: dict[str, Any], *, is_utf16: bool) -> list[Document] | None:
    if set(found) - {*OWN_FIELDS, "ids"}:
        return None
    given = [key for key in OWN_FIELDS if key in found]
    if given == ["documents"]:
        return _build_documents(found["documents"], is_utf16=is_utf16)
    if given == ["text"] or given == ["texts"]:
        texts = [found["text"]] if given == ["text"] else found["texts"]
        return _build_texts(texts, found.get("ids"))
    raise Refusal(400, f"the body has {', '.join(sorted(found)) or 'nothing'}", SHAPE, where="body")


def _is_bare_document(found: Any) -> bool:
    """Is this a document of ours? Formats that are lists of objects have other fields, such as `data`."""
    return isinstance(found, dict) and isinstance(found.get("text"), str) and not set(found) - DOCUMENT_FIELDS


def _unknown_json(content: bytes) -> Refusal:
    """Return the refusal for JSON that is none of our shapes and of no format; broken JSON with its place."""
    found = parse_json(content)
    what = f"fields {', '.join(map(repr, found))}"[:200] if isinstance(found, dict) else f"a {type(found).__name__}"
    return Refusal(400, f"no format has this JSON ({what})", SHAPE, where="body")


def _build_texts(texts: Any, ids: Any = None) -> list[Document]:
    if texts == []:
        raise Refusal(400, "the list of texts is empty", SHAPE, where="body")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise Refusal(400, "the texts are no list of texts", SHAPE, where="body")
    names = [str(number) for number in range(1, len(texts) + 1)] if ids is None else ids
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names) or len(names) != len(texts):
        raise Refusal(400, "the ids are no list with one id for each text", SHAPE, where="body")
    documents = [Document(name, text) for name, text in zip(names, texts, strict=True)]
    _check_texts(documents)
    return documents


def _build_documents(found: Any, *, is_utf16: bool) -> list[Document]:
    if found == []:
        raise Refusal(400, "the list of documents is empty", SHAPE, where="body")
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise Refusal(400, "the documents are no list of documents", SHAPE, where="body")
    documents = []
    for number, each in enumerate(found):
        where = f"documents[{number}]"
        record = document_in_characters(each, where) if is_utf16 else each
        try:
            documents.append(document_from_json({"id": str(number + 1), **record}, ""))
        except LinnetError as error:
            raise refusal_of(error, where=where, status=400) from None
    _check_texts(documents)
    return documents


def _check_texts(documents: Sequence[Document]) -> None:
    for number, document in enumerate(documents):
        if "\0" in document.text:
            raise Refusal(400, "found a NUL character", NO_BINARY, where=f"texts[{number}]")


def _parse_text_or_pair(given: Any, number: int) -> str | tuple[str, str]:
    if isinstance(given, str):
        return given
    if isinstance(given, list) and len(given) == 2 and all(isinstance(each, str) for each in given):
        return given[0], given[1]
    raise Refusal(
        400,
        "expected a text or a pair of texts",
        'send {"texts": ["...", ["first", "second"]]}',
        where=f"texts[{number}]",
    )
