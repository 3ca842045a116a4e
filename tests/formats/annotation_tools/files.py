"""Reading and writing of small files in a temporary folder."""

import json
from pathlib import Path

from linnet.contracts import Format, Notes, ReadOptions, WriteOptions
from linnet.documents.document import Document

__all__ = ["read", "written"]


def read(
    source: Format, content: object, folder: Path, *, notes: Notes | None = None, repair: bool = False
) -> list[Document]:
    """Return the documents of a file with this content."""
    path = folder / "corpus.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return list(source.read(path, ReadOptions(repair=repair), notes if notes is not None else Notes()))


def written(to: Format, documents: list[Document], folder: Path) -> str:
    """Return the content of the file that the documents are written to."""
    to.write(documents, folder / "out", WriteOptions())
    return (folder / "out").read_text(encoding="utf-8")
