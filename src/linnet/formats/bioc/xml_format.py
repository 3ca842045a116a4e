"""Reading and writing of BioC XML files.

The reader keeps one document in memory at a time. It is safe: nothing is downloaded, no DTD is loaded, and files that
declare or use entities of their own are refused. Characters that XML cannot hold are written as spaces, one for each,
so that offsets stay valid (`losses` lists them). A carriage return is written as a character reference, because XML
would turn it into a line break.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from lxml import etree

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.formats.bioc.fields import SEE_BIOC, Structure
from linnet.formats.bioc.reading import Entry, documents_from, header_in
from linnet.formats.bioc.structure import is_concept_key
from linnet.formats.bioc.writing import losses_of, structures_of
from linnet.formats.xml_stream import (
    CHUNK,
    NO_ENTITIES,
    PROLOG,
    WELL_FORMED,
    check_encoding,
    forget,
    new_parser,
    read_prolog,
)
from linnet.storage.files import check_text, new_file, open_text
from linnet.storage.limits import LimitedSize

__all__ = ["BioCXML"]

NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
START = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE collection SYSTEM "BioC.dtd">\n<collection>\n'
PARTS = {  # in the order of the DTD
    "collection": ("source", "date", "key", "infons"),
    "document": ("id", "infons", "passages", "annotations", "relations"),
    "passage": ("infons", "offset", "text", "sentences", "annotations", "relations"),
    "sentence": ("infons", "offset", "text", "annotations", "relations"),
    "annotation": ("infons", "locations", "text"),
    "relation": ("infons", "nodes"),
    "location": (),
    "node": (),
}
ATTRIBUTES = {
    "annotation": ("id",),
    "relation": ("id",),
    "location": ("offset", "length"),
    "node": ("refid", "role"),
}
MANY = {f"{tag}s": tag for tag in ("passage", "sentence", "annotation", "relation", "location", "node")}


class BioCXML:
    """Passages, sentences, annotations and relations with infons, in XML."""

    name = "bioc-xml"
    suffixes: tuple[str, ...] = (".xml",)
    description = "BioC XML: passages, sentences, annotations, relations and infons, one collection per file"
    reads_unique_ids = True

    def recognises(self, path: Path, head: str) -> bool:
        """Is the first element a collection?"""
        return (found := PROLOG.match(head)) is not None and _is_collection(found)

    def read(self, path: Path, options: ReadOptions, notes: Notes) -> Iterator[Document]:
        """Stream the documents of a file."""
        return documents_from(_read_entries(path, notes), options, notes)

    def losses(self, document: Document) -> list[tuple[str, int]]:
        """Return what BioC or XML cannot hold of the document."""
        collection, structures = structures_of([document], "", WriteOptions())
        n_controls = _count_controls([collection, *structures]) + len(NOT_IN_XML.findall(document.text))
        controls = [("control characters that XML cannot hold", n_controls)] if n_controls else []
        return [*losses_of(document), *controls]

    def write(self, documents: Iterable[Document], path: Path, options: WriteOptions) -> None:
        """Write the documents as they come."""
        with new_file(path) as file:
            collection, structures = structures_of(documents, str(path), options)
            file.write(START)
            for element in _build_element("collection", collection):
                file.write(_serialise(element))
            for structure in structures:
                file.write(_serialise(_build_element("document", structure)))
            file.write("</collection>\n")


formats.register("bioc-xml")(BioCXML())


def _count_controls(value: object) -> int:
    """Count the characters that XML cannot hold in a structure, except in texts."""
    if isinstance(value, dict):
        return sum(_count_controls(key) + _count_controls(part) for key, part in value.items() if key != "text")
    if isinstance(value, list):
        return sum(_count_controls(part) for part in value)
    return len(NOT_IN_XML.findall(value)) if isinstance(value, str) else 0


def _build_element(tag: str, structure: Structure) -> etree._Element:
    named = {name: _clean(structure.get(name, "")) for name in ATTRIBUTES.get(tag, ())}
    element = etree.Element(tag, {name: value for name, value in named.items() if value})
    for part in PARTS[tag]:
        value = structure.get(part)
        if isinstance(value, dict):
            for key, infon in value.items():
                etree.SubElement(element, "infon", {"key": _clean(key)}).text = _clean(infon)
        elif isinstance(value, list):
            element.extend(_build_element(MANY[part], one) for one in value)
        elif value is not None:
            etree.SubElement(element, part).text = _clean(value)
    return element


def _clean(value: object) -> str:
    return NOT_IN_XML.sub(" ", str(value))


def _serialise(element: etree._Element) -> str:
    return etree.tostring(element, encoding="unicode", pretty_print=True)


def _read_entries(path: Path, notes: Notes) -> Iterator[Entry]:
    header: dict[str, str] | None = None
    for event, element in _read_events(path):
        parent = element.getparent()
        if element.tag == "collection":
            if event == "end" and header is not None:
                _refuse_late(element, path)
        elif parent is None or parent.getparent() is not None:
            raise _element_error(element, path, "a <document> directly inside the <collection>")
        elif event == "end":
            yield Entry(_build_structure(element, path), f"{path}:{element.sourceline}", header or {})
            forget(element, parent)
        elif header is None:
            header = header_in(_read_collection(element, path), f"{path}:{parent.sourceline}", notes)
        else:
            _refuse_late(element.itersiblings(preceding=True), path)


def _read_events(path: Path) -> Iterator[tuple[str, etree._Element]]:
    """Yield the start and end events of the collection and its documents."""
    parser = new_parser(("start", "end"), ("collection", "document"))
    size = LimitedSize(str(path))
    with open_text(path, in_lines=False) as file:
        for chunk in _read_chunks(file, path):
            _feed(parser, chunk, path)
            size.add(len(chunk))
            for event in _take_elements(parser):
                size.restart()
                yield event
    _feed(parser, "", path)
    yield from _take_elements(parser)


def _read_chunks(file: TextIO, path: Path) -> Iterator[str]:
    """Yield the file in chunks, after a check that it is a collection without entity declarations."""
    chunk = file.read(CHUNK)
    encoding = _check_root(chunk, path)
    n_lines = 0
    while chunk:
        if "\0" in chunk:
            check_text("\0", f"{path}:{n_lines + chunk.count(chr(10), 0, chunk.index(chr(0))) + 1}")
        check_encoding(chunk, encoding, path)
        yield chunk
        n_lines += chunk.count("\n")
        chunk = file.read(CHUNK)


def _is_collection(found: re.Match[str]) -> bool:
    """Is this a collection, perhaps with declarations in its DOCTYPE, which the reader refuses?"""
    return found["root"] == "collection" or (found["stop"] == "[" and "DOCTYPE collection" in found.group())


def _check_root(head: str, path: Path) -> str:
    """Return the declared encoding, after a check of the first element."""
    name, encoding = read_prolog(head, path)
    if name != "collection":
        first = f"<{name}>" if name else repr(head[:40])
        raise BadFile(f"{path}:1: expected a BioC <collection>, found {first}", SEE_BIOC)
    return encoding


def _feed(parser: etree.XMLPullParser, chunk: str, path: Path) -> None:
    """Parse the chunk, or finish if it is empty; errors that lxml would ignore are refused."""
    failure: etree.XMLSyntaxError | None = None
    try:
        if chunk:
            parser.feed(chunk.encode("utf-8"))
        else:
            parser.close()
    except etree.XMLSyntaxError as error:
        failure = error
    for entry in parser.feed_error_log:
        if "UNDECLARED_ENTITY" in entry.type_name:
            raise BadFile(f"{path}:{entry.line}: {entry.message}", NO_ENTITIES)
        if entry.level >= etree.ErrorLevels.ERROR:
            raise BadFile(f"{path}:{entry.line}: this is not well-formed XML ({entry.message})", WELL_FORMED)
    if failure:
        raise BadFile(f"{path}:{failure.lineno}: this is not well-formed XML ({failure.msg})", WELL_FORMED)


def _take_elements(parser: etree.XMLPullParser) -> Iterator[tuple[str, etree._Element]]:
    for event, element in parser.read_events():
        if isinstance(element, etree._Element):  # always the case for these events
            yield event, element


def _read_collection(document: etree._Element, path: Path) -> Structure:
    """Return the fields before the first document, and remove them from the tree."""
    before = etree.Element("collection")
    before.extend(reversed(list(document.itersiblings(preceding=True))))
    return _build_structure(before, path)


def _refuse_late(siblings: Iterable[etree._Element], path: Path) -> None:
    for sibling in siblings:
        if sibling.tag != "document":
            raise _element_error(sibling, path, "only documents after the first document")


def _build_structure(element: etree._Element, path: Path) -> Structure:
    """Return the element as a structure of BioC JSON; unknown elements are kept under their own names."""
    found: Structure = {str(name): value for name, value in element.attrib.items()}
    parts = PARTS[element.tag]
    infons: dict[str, str] = {}
    many: dict[str, list[Structure]] = {}
    _refuse_stray_text(element, path)
    for child in element:
        tag = str(child.tag)
        if tag == "infon":
            _add_infon(infons, child, path)
        elif f"{tag}s" in parts:
            many.setdefault(f"{tag}s", []).append(_build_structure(child, path))
        elif tag in found:
            raise _element_error(child, path, f"only one <{tag}> in <{element.tag}>")
        else:
            found[tag] = _read_text(child, path) if tag in parts else "left out"
    return {**found, **many, "infons": infons}


def _refuse_stray_text(element: etree._Element, path: Path) -> None:
    for text in (element.text, *(child.tail for child in element)):
        if text and not text.isspace():
            raise BadFile(
                f"{path}:{element.sourceline}: found the text {text.strip()[:40]!r} directly inside <{element.tag}>",
                SEE_BIOC,
            )


def _add_infon(infons: dict[str, str], infon: etree._Element, path: Path) -> None:
    key, value = infon.get("key"), _read_text(infon, path)
    if key is None:
        raise _element_error(infon, path, "a key with every infon")
    if infons.get(key, value) == value:
        infons[key] = value
    elif is_concept_key(key):
        infons[key] = f"{infons[key]}|{value}"
    else:
        raise _element_error(infon, path, f"one infon with the key {key!r}, or the same value again")


def _read_text(element: etree._Element, path: Path) -> str:
    if len(element):
        raise _element_error(element[0], path, f"only text inside <{element.tag}>")
    return element.text or ""


def _element_error(element: etree._Element, path: Path, expected: str) -> BadFile:
    return BadFile(f"{path}:{element.sourceline}: expected {expected}, found <{element.tag}>", SEE_BIOC)
