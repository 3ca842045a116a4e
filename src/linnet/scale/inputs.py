"""Which texts are to be annotated? Any format of documents, and plain text."""

import sys
from collections.abc import Iterator
from pathlib import Path

from linnet.contracts import Notes
from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.files import SAVE_AS_UTF8, check_text, read_lines, read_text, without_line_end
from linnet.formats.reading import detect_format, read_documents

__all__ = ["read_inputs"]


def read_inputs(path: Path, *, format: str | None, notes: Notes) -> Iterator[Document]:
    """Stream the documents of a file, a folder, or standard input (`-`).

    `text` takes each file as one document, `lines` each line that is not blank. Without a format, what no format
    recognises is text if its name ends in .txt.
    """
    if str(path) == "-":
        yield from _standard_input(format)
    elif format == "lines":
        yield from _lines(path)
    elif format == "text" or (format is None and _is_plain_text(path)):
        yield from _texts(path)
    else:
        yield from read_documents(path, format=format, notes=notes)


def _standard_input(format: str | None) -> Iterator[Document]:
    if format not in (None, "text", "lines"):
        raise BadFile(f"standard input cannot be read as {format}", "write it to a file first, or use text or lines")
    text = _read_standard_input()
    if format == "lines":
        rows = [without_line_end(f"{line}\n") for line in text.split("\n") if line.strip()]
        yield from (Document(str(number), line) for number, line in enumerate(rows, 1))
    else:
        yield Document("stdin", text)


def _read_standard_input() -> str:
    """Return every character as it came: UTF-8 whatever the terminal speaks, line ends unchanged."""
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(f"standard input: this is not UTF-8 text ({error.reason})", SAVE_AS_UTF8) from None
    check_text(text, "standard input")
    return text


def _lines(path: Path) -> Iterator[Document]:
    for number, line in read_lines(path):
        if line.strip():
            yield Document(f"{path.stem}-{number}", line)


def _texts(path: Path) -> Iterator[Document]:
    files = sorted(path.glob("*.txt")) if path.is_dir() else [path]
    if not files:
        raise BadFile(f"{path}: the folder has no .txt file", "give a folder with texts, or one file")
    for file in files:
        yield Document(file.stem, read_text(file))


def _is_plain_text(path: Path) -> bool:
    if path.is_dir():
        return not any(path.glob("*.ann")) and any(path.glob("*.txt"))
    if path.suffix != ".txt" or not path.is_file():
        return False
    try:
        detect_format(path)
    except BadFile:
        return bool(read_text(path).strip())
    return False
