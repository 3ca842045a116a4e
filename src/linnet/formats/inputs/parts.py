"""The parts of one output: a folder with `part-00000` and so on, as `--shard` writes it, is read as one file."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from linnet.contracts import Format, Notes, ReadOptions, reads_unique_ids
from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.formats.inputs.failures import ERRORS
from linnet.formats.unique_ids import IdSet, claim_id

__all__ = ["parts_of", "read_whole"]

REMEDY = "get it again from where the output was written, or name the parts one by one"
PART = re.compile(r"part-(\d{5,})\.")


def parts_of(place: Path) -> list[Path]:
    """Return the parts of an output, in order; none where this is no folder of parts alone.

    Raises:
        BadFile: where a part is missing or is there twice. A missing last part cannot be seen.
    """
    if not place.is_dir():
        return []
    found: dict[int, Path] = {}
    doubled = None
    for each in place.iterdir():  # a folder of something else may be large, and its first entry tells
        if (match := PART.match(each.name)) and each.is_file():
            number = int(match[1])
            doubled = each if number in found else doubled
            found[number] = each
        elif each.name != ERRORS and not each.name.startswith("."):
            return []
    if doubled is not None:
        raise BadFile(f"{doubled}: another file has the same number", "remove the one that is not of this output")
    missing = next((number for number in range(len(found)) if number not in found), None)
    if missing is not None:
        raise BadFile(f"{place}: part-{missing:05d} is missing, so the folder is not whole", REMEDY)
    return [found[number] for number in sorted(found)]


def read_whole(format: Format, place: Path, options: ReadOptions, notes: Notes) -> Iterator[Document]:
    """Stream the documents of a file, of a folder that is one in this format, or of the parts of an output.

    Raises:
        BadFile: where an id stands in two parts of a format whose ids differ.
    """
    parts = parts_of(place)
    return _read_parts(format, parts, options, notes) if parts else format.read(place, options, notes)


def _read_parts(format: Format, parts: Sequence[Path], options: ReadOptions, notes: Notes) -> Iterator[Document]:
    ids = IdSet() if reads_unique_ids(format) else None
    for path in parts:
        for document in format.read(path, options, notes):
            if ids is not None:
                claim_id(document.id, ids, str(path))
            yield document
