"""Reading and writing of BioC JSON files.

A file to read is one collection, a list of collections (as from PubMed Central's service), or a single document. The
fields of a collection may come before or after its documents. A written file is one collection, a document per line.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.formats.bioc.fields import Structure
from linnet.formats.bioc.reading import Entry, documents_from, header_in
from linnet.formats.bioc.writing import losses_of, structures_of
from linnet.formats.json_stream import JsonStream, read_first_object
from linnet.storage.files import new_file, open_text

__all__ = ["BioCJSON"]

HEADER_FIELDS = {"source", "date", "key", "infons"}
EXPECTED = "a BioC JSON file holds a collection with 'documents', a list of such collections, or one document"


class BioCJSON:
    """Passages, sentences, annotations and relations with infons, in JSON."""

    name = "bioc-json"
    suffixes: tuple[str, ...] = (".json",)
    description = "BioC JSON: passages, sentences, annotations, relations and infons, one collection per file"
    reads_unique_ids = True

    def recognises(self, path: Path, head: str) -> bool:
        """Is it an object or a list of objects with documents, or with passages and without a text?"""
        keys = read_first_object(head)
        return "documents" in keys or ("passages" in keys and "text" not in keys)

    def read(self, path: Path, options: ReadOptions, notes: Notes) -> Iterator[Document]:
        """Stream the documents of a file."""
        return documents_from(_read_entries(path, notes), options, notes)

    def losses(self, document: Document) -> list[tuple[str, int]]:
        """Return what BioC cannot hold of the document."""
        return losses_of(document)

    def write(self, documents: Iterable[Document], path: Path, options: WriteOptions) -> None:
        """Write the documents as they come."""
        with new_file(path) as file:
            collection, structures = structures_of(documents, str(path), options)
            file.write(_encode(collection).removesuffix("}") + ', "documents": [')
            separator = "\n"
            for structure in structures:
                file.write(separator + _encode(structure))
                separator = ",\n"
            file.write("\n]}\n")


formats.register("bioc-json")(BioCJSON())


def _read_entries(path: Path, notes: Notes) -> Iterator[Entry]:
    header: dict[str, str] = {}
    current = -1
    complete: dict[int, Structure] = {}
    for number, collection, place, structure in _read_documents(path):
        if number != current:
            if not complete and not collection.keys() >= HEADER_FIELDS:
                complete = _read_collections(path)
            current = number
            header = header_in(complete.get(number, collection), place, notes)
        yield Entry(structure, place, header)


def _read_documents(path: Path) -> Iterator[tuple[int, Structure, str, Structure]]:
    """Yield the number and the fields so far of the collection, the place and the content of each document."""
    with open_text(path, in_lines=False) as file:
        stream = JsonStream(file, str(path))
        places = stream.elements() if stream.peek() == "[" else (stream.place,)
        for number, place in enumerate(places):
            for collection, document_place, document in _read_object(stream, place):
                yield number, collection, document_place, document
        stream.end()


def _read_object(stream: JsonStream, place: str) -> Iterator[tuple[Structure, str, Structure]]:
    fields: Structure = {}
    is_collection = False
    for key in stream.members():
        if key == "documents":
            is_collection = True
            for document_place in stream.elements():
                yield fields, document_place, _read_document(stream, document_place)
        else:
            fields[key] = stream.value()
    if not is_collection and "passages" not in fields:
        raise BadFile(f"{place}: found an object with {sorted(fields)[:10]}, expected one with 'documents'", EXPECTED)
    if not is_collection:
        yield dict.fromkeys(HEADER_FIELDS), place, fields


def _read_document(stream: JsonStream, place: str) -> Structure:
    found = stream.value()
    if not isinstance(found, dict):
        raise BadFile(f"{place}: expected a document, found {json.dumps(found)[:60]}", EXPECTED)
    return found


def _read_collections(path: Path) -> dict[int, Structure]:
    """Return all fields of the collections in the file, also those after their documents."""
    return {number: collection for number, collection, _, _ in _read_documents(path)}


def _encode(structure: Structure) -> str:
    return json.dumps(structure, ensure_ascii=False)
