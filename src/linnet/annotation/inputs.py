"""Which texts are to be annotated? Any format of documents, and plain text, in files, folders or standard input.

A folder is read with all that is in it, in the order of names, each file in its own format. What is compressed with
gzip or zstd is read as what it holds.
"""

import codecs
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from linnet.annotation.blocks import Failure
from linnet.contracts import Notes, ReadOptions, formats, readable_formats
from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.formats.corpus import NOT_DATA
from linnet.formats.jsonl import document_of_line
from linnet.formats.reading import HEAD_BYTES, detect_format, find_format, head_of
from linnet.storage.compression import unpacked_name
from linnet.storage.files import (
    STANDARD_INPUT,
    check_text,
    open_bytes,
    read_head,
    read_lines,
    read_text,
    without_line_end,
)

__all__ = ["InputFile", "find_inputs", "read_input", "read_inputs", "read_leniently"]

PLAIN = ("text", "lines")
FROM_STANDARD_INPUT = (*PLAIN, "jsonl", "pubtator", "pubmed-xml", "bioc-xml")  # those that are read in one go
LEFT_ASIDE = "files of the folder left aside"
INDEPENDENT = {".txt": "text", ".jsonl": "jsonl"}  # of which one broken document does not stop the reading


@dataclass(frozen=True)
class InputFile:
    """A file with documents, and how to read it."""

    path: Path
    format: str  # a registered one, "text" or "lines"
    name: str  # what the ids of texts and lines are made of


def read_inputs(path: Path, *, format: str | None, notes: Notes) -> Iterator[Document]:
    """Stream the documents of a file, a folder, or standard input (`-`).

    `text` takes each file as one document, `lines` each line that is not blank. Without a format, what no format
    recognises is text if its name ends in .txt; standard input is text.
    """
    for found in find_inputs(path, format=format, notes=notes):
        yield from read_input(found, notes)


def find_inputs(path: Path, *, format: str | None, notes: Notes, leaving_out: Collection[Path] = ()) -> list[InputFile]:
    """Return the files to read, in their order; all of them are looked at, so that problems show before the work.

    Args:
        path: a file, a folder, or `-`.
        format: a registered format, `text` or `lines`; found for each file where not given.
        notes: takes the files of a folder that are left aside.
        leaving_out: files and folders inside that are no input, such as the output.
    """
    format = format and format.lower()
    if format is not None and format not in PLAIN:
        formats.get(format)  # a misspelt name is refused before any file is looked at
    if str(path) == "-":
        return [_standard_input(format)]
    if not path.exists():
        raise BadFile(f"{path}: there is no such file or folder", "check the name")
    if path.is_dir() and format != "brat":
        return _in_folder(path, format, notes, {each.resolve() for each in leaving_out})
    return [InputFile(path, format or _format_of(path), unpacked_name(path).stem)]


def read_input(found: InputFile, notes: Notes, options: ReadOptions | None = None) -> Iterator[Document]:
    """Stream the documents of one file."""
    if found.format == "text":
        yield Document(found.name, read_text(found.path))
    elif found.format == "lines":
        yield from _lines(found)
    else:
        yield from formats.get(found.format).read(found.path, options or ReadOptions(), notes)


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


def _standard_input(format: str | None) -> InputFile:
    if format is not None and format not in FROM_STANDARD_INPUT:
        raise BadFile(
            f"standard input cannot be read as {format}",
            f"write it to a file first, or use one of {', '.join(FROM_STANDARD_INPUT)}",
        )
    return InputFile(STANDARD_INPUT, format or "text", "stdin")


def _in_folder(folder: Path, format: str | None, notes: Notes, leaving_out: Collection[Path]) -> list[InputFile]:
    found: list[InputFile] = []
    for path in _files_below(folder, notes, leaving_out):
        kind = _format_in_folder(path, format)
        if kind is not None:
            name = unpacked_name(path).relative_to(folder).with_suffix("").as_posix()
            found.append(InputFile(path, kind, name))
        elif not _is_second_of_pair(path):
            notes.add(LEFT_ASIDE, str(path))
    if not found:
        expected = ".txt file" if format in PLAIN else f"{format or 'readable'} file"
        raise BadFile(f"{folder}: the folder has no {expected}", "give a folder with texts or documents, or one file")
    return found


def _files_below(folder: Path, notes: Notes, leaving_out: Collection[Path]) -> Iterator[Path]:
    """Yield the files by name, those of folders inside in their place; hidden ones are nobody's texts."""
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith(".") or entry.resolve() in leaving_out:
            continue
        if not entry.is_dir():
            yield entry
        elif entry.is_symlink():  # it may lead back to where we are
            notes.add("links to folders left aside", str(entry))
        else:
            yield from _files_below(entry, notes, leaving_out)


def _format_in_folder(path: Path, format: str | None) -> str | None:
    """Return how to read the file, or None where it is to be left aside."""
    is_text = _suffix(path) == ".txt"
    if NOT_DATA.match(path.name) or _is_second_of_pair(path):
        return None
    if format in PLAIN:
        return format if is_text else None
    try:
        if is_text and format is None and not head_of(path).strip():
            return "text"
        found = find_format(path)
    except BadFile:
        if not _is_known(path):
            return None  # a picture, say
        if not _is_broken_inside(path):
            raise
        found = None
    by_suffix = INDEPENDENT.get(_suffix(path)) if found is None else found.name
    if format is None:
        return by_suffix
    named = formats.get(format)
    return format if found is named or (found is None and _suffix(path) in named.suffixes) else None


def _is_second_of_pair(path: Path) -> bool:
    """Is this the annotation file of a text, which is read with it?"""
    return path.suffix == ".ann" and path.with_suffix(".txt").is_file()


def _is_known(path: Path) -> bool:
    return any(_suffix(path) in (".txt", *formats.get(name).suffixes) for name in readable_formats())


def _suffix(path: Path) -> str:
    return unpacked_name(path).suffix.lower()


def _format_of(path: Path) -> str:
    try:
        if _suffix(path) != ".txt":
            return detect_format(path).name
        found = find_format(path)
    except BadFile:
        if _is_broken_inside(path):
            return INDEPENDENT[_suffix(path)]
        raise
    return found.name if found else "text"


def _is_broken_inside(path: Path) -> bool:
    """Does the file hold something, though not all of it is text, and can the rest be read without it?"""
    if _suffix(path) not in INDEPENDENT:
        return False
    with open_bytes(path) as file:
        head = read_head(file, HEAD_BYTES)
    return bool(head.strip()) and not head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


def _line_name(found: InputFile, number: int, n_documents: int) -> str:
    """Return what the document of a line is called; `n_documents` is how many there are up to it."""
    return str(n_documents) if found.path is STANDARD_INPUT else f"{found.name}-{number}"


def _lines(found: InputFile) -> Iterator[Document]:
    n_documents = 0
    for number, line in read_lines(found.path):
        if line.strip():
            n_documents += 1
            yield Document(_line_name(found, number, n_documents), line)


def _each_line(file: InputFile, read: Callable[[str, str, str], Document]) -> Iterator[Document | Failure]:
    """Yield what `read` makes of each line that is not blank, its name and its place."""
    n_documents = 0
    with open_bytes(file.path) as content:
        for number, line in enumerate(content, 1):
            if not line.strip():
                continue
            n_documents += 1
            is_text = file.format == "lines"  # which has no ids of its own
            name = _line_name(file, number, n_documents) if is_text else f"{Path(file.name).name}:{number}"
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
