"""Small BioC structures for the tests."""

import json
from pathlib import Path
from typing import Any

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Document

BOTH = ("bioc-xml", "bioc-json")


def read(path: Path, *, name: str, repair: bool = False, notes: Notes | None = None) -> list[Document]:
    return list(formats.get(name).read(path, ReadOptions(repair=repair), notes or Notes()))


def again(document: Document, name: str, folder: Path) -> Document:
    path = folder / "documents"
    formats.get(name).write([document], path, WriteOptions())
    (found,) = read(path, name=name)
    return found


def from_json(structure: dict[str, Any], folder: Path, *, repair: bool = False, notes: Notes | None = None) -> Document:
    """Read one document from its structure; nearly all rules are shared by the two formats."""
    path = folder / "one.json"
    path.write_text(json.dumps({"documents": [structure]}), encoding="utf-8")
    (found,) = read(path, name="bioc-json", repair=repair, notes=notes)
    return found


def one_passage(text: str = "aspirin helps", **fields: object) -> dict[str, Any]:
    return {"id": "1", "passages": [{"offset": 0, "text": text, **fields}]}


def annotation(start: int, end: int, text: str | None = None, *, name: str = "T1", **infons: object) -> dict[str, Any]:
    return {
        "id": name,
        "infons": {"type": "Chemical", **infons},
        "locations": [{"offset": start, "length": end - start}],
        **({} if text is None else {"text": text}),
    }
