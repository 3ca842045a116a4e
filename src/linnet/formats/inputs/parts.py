"""The parts of one output: a folder with `part-00000` and so on, as `--shard` writes it, is read as one file."""

import re
from collections.abc import Iterator
from pathlib import Path

from linnet.contracts import Format, Notes, ReadOptions
from linnet.documents.document import Document
from linnet.formats.inputs.failures import ERRORS

__all__ = ["parts_of", "read_whole"]

PART = re.compile(r"part-\d{5,}\.")


def parts_of(place: Path) -> list[Path]:
    """Return the parts of an output, in order; none where this is no folder of parts alone."""
    if not place.is_dir():
        return []
    found = []
    for each in place.iterdir():  # a folder of something else may be large, and its first entry tells
        if PART.match(each.name) and each.is_file():
            found.append(each)
        elif each.name != ERRORS and not each.name.startswith("."):
            return []
    return sorted(found)


def read_whole(format: Format, place: Path, options: ReadOptions, notes: Notes) -> Iterator[Document]:
    """Stream the documents of a file, of a folder that is one in this format, or of the parts of an output."""
    parts = parts_of(place)
    if not parts:
        return format.read(place, options, notes)
    return (document for path in parts for document in format.read(path, options, notes))
