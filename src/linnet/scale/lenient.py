"""What can be read of a file in which single documents are broken?

Texts and Linnet's own format hold documents that do not depend on one another: one that cannot be read is given back as
a failure, and the next one is read. In all other formats an error has no end that could be known, so it stops the
reading there.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from linnet.contracts import Notes
from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.files import STANDARD_INPUT, check_text, open_bytes
from linnet.formats.jsonl import document_from_json
from linnet.scale.blocks import Failure
from linnet.scale.inputs import InputFile, read_input

__all__ = ["read_leniently"]


def read_leniently(file: InputFile, notes: Notes) -> Iterator[Document | Failure]:
    """Yield the documents of a file, and failures in the place of those that cannot be read."""
    if file.format == "text":
        try:
            yield from read_input(file, notes)
        except BadFile as error:
            yield Failure(file.name, error.problem)
    elif file.format == "jsonl":
        yield from _each_line(file)
    else:
        yield from read_input(file, notes)


def _each_line(file: InputFile) -> Iterator[Document | Failure]:
    with open_bytes(file.path) as content:
        for number, line in enumerate(content, 1):
            if line.strip():
                place = f"{'standard input' if file.path is STANDARD_INPUT else file.path}:{number}"
                try:
                    yield _document(line, place)
                except BadFile as error:
                    yield Failure(f"{Path(file.name).name}:{number}", error.problem)


def _document(line: bytes, place: str) -> Document:
    try:
        text = line.decode("utf-8-sig")
        found = json.loads(text)
    except UnicodeDecodeError as error:
        raise BadFile(f"{place}: this is not UTF-8 text ({error.reason})", "save it as UTF-8") from None
    except ValueError as error:
        raise BadFile(f"{place}: this is not JSON ({error})", "give one JSON document per line") from None
    if not isinstance(found, dict):
        raise BadFile(f"{place}: this is not a JSON object", "give one JSON document per line")
    document = document_from_json(found, place)
    check_text(document.text, place)
    return document
