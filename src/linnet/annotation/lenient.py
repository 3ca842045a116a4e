"""What can be read of a file in which single documents are broken?

Texts, lines of text and Linnet's own format hold documents that do not depend on one another: one that cannot be read
is given back as a failure, and the next one is read. In all other formats an error has no end that could be known, so
it stops the reading there.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from linnet.annotation.blocks import Failure
from linnet.annotation.inputs import InputFile, line_name, read_input
from linnet.contracts import Notes, ReadOptions
from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.formats.jsonl import document_of_line
from linnet.storage.files import check_text, open_bytes, without_line_end

__all__ = ["read_leniently"]


def read_leniently(file: InputFile, notes: Notes, options: ReadOptions | None = None) -> Iterator[Document | Failure]:
    """Yield the documents of a file, and failures in the place of those that cannot be read."""
    if file.format == "text":
        try:
            yield from read_input(file, notes)
        except BadFile as error:
            yield Failure(file.name, error.problem)
    elif file.format in READERS:
        yield from _each_line(file, READERS[file.format])
    else:
        yield from read_input(file, notes, options)


def _each_line(file: InputFile, read: Callable[[str, str, str], Document]) -> Iterator[Document | Failure]:
    """Yield what `read` makes of each line that is not blank, its name and its place."""
    n_documents = 0
    with open_bytes(file.path) as content:
        for number, line in enumerate(content, 1):
            if not line.strip():
                continue
            n_documents += 1
            is_text = file.format == "lines"  # which has no ids of its own
            name = line_name(file, number, n_documents) if is_text else f"{Path(file.name).name}:{number}"
            place = f"{file.path}:{number}"
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8")
                yield read(without_line_end(text), name, place)
            except UnicodeDecodeError as error:
                yield Failure(name, f"{place}: this is not UTF-8 text ({error.reason})")
            except BadFile as error:
                yield Failure(name, error.problem)


def _document(line: str, _name: str, place: str) -> Document:
    return document_of_line(line, place)


def _text(line: str, name: str, place: str) -> Document:
    check_text(line, place)
    return Document(name, line)


READERS = {"jsonl": _document, "lines": _text}  # of formats with a document on each line
