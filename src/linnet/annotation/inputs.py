"""Reads the documents to annotate: any document format and plain text, from files, folders or standard input.

A folder is read with everything in it, in the order of names, each file in its own format. Files compressed with gzip
or zstd are read as what they hold. In plain text, lines of text and Linnet's own format, documents do not depend on one
another: one that cannot be read becomes a failure, and the next one is read. In all other formats the end of an
error is not known, so it stops the reading. An entry of a folder that cannot be opened is a failure in any format.
"""

import codecs
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import astuple, dataclass, replace
from pathlib import Path

from linnet.annotation.blocks import Failure
from linnet.annotation.file_list import NO_REGULAR_FILE, Spooled, files_below, opening_problem
from linnet.contracts import Notes, ReadOptions, formats, readable_formats, reads_unique_ids
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
from linnet.storage.limits import refuse_long, split_lines

__all__ = ["InputFile", "checks_ids", "find_inputs", "list_inputs", "read_input", "read_inputs", "read_leniently"]

PLAIN = ("text", "lines")
FROM_STANDARD_INPUT = (*PLAIN, "jsonl", "pubtator", "pubmed-xml", "bioc-xml")  # those that are read as a stream
CHECK_PERMISSIONS = "check the name and the permissions"
LEFT_ASIDE = "files of the folder left aside"
INDEPENDENT = {
    ".txt": "text",
    ".jsonl": "jsonl",
}  # formats in which one broken document does not stop the reading, by suffix


@dataclass(frozen=True)
class InputFile:
    """A file with documents, and how to read it."""

    path: Path
    format: str  # a registered one, "text" or "lines"
    name: str  # of which the ids of texts and lines are made
    problem: str = ""  # why it cannot be opened


def read_inputs(path: Path, *, format: str | None, notes: Notes) -> Iterator[Document]:
    """Stream the documents of a file, a folder, or standard input (`-`).

    `text` takes each file as one document, `lines` each line that is not blank. Without a format, a
    file that no format recognises is text if its name ends in .txt; standard input is text.
    """
    for found in find_inputs(path, format=format, notes=notes):
        yield from read_input(found, notes)


def find_inputs(path: Path, *, format: str | None, notes: Notes, leaving_out: Collection[Path] = ()) -> list[InputFile]:
    """Return the files to read, in order; all of them are checked, so that problems show before the work."""
    return list(_find_inputs(path, format, notes, leaving_out))


def list_inputs(
    path: Path, *, format: str | None, notes: Notes, leaving_out: Collection[Path] = ()
) -> "list[InputFile] | Spooled[InputFile]":
    """Return the files to read like `find_inputs`, without keeping those of a large folder in memory.

    Args:
        path: a file, a folder, or `-`.
        format: a registered format, `text` or `lines`; found for each file where not given.
        notes: collects the files of a folder that are left aside.
        leaving_out: files and folders inside that are not input, such as the output.
    """
    files = _find_inputs(path, format, notes, leaving_out)
    if path.is_dir():
        return Spooled(files, to_row=lambda file: (str(file.path), *astuple(file)[1:]), from_row=_build_input_file)
    return list(files)


def _build_input_file(path: str, *fields: str) -> InputFile:
    return InputFile(Path(path), *fields)


def _find_inputs(path: Path, format: str | None, notes: Notes, leaving_out: Collection[Path]) -> Iterable[InputFile]:
    format = format and format.lower()
    if format is not None and format not in PLAIN:
        formats.get(format)  # an unknown name is refused before any file is opened
    if str(path) == "-":
        return [_describe_standard_input(format)]
    if not path.exists():
        raise BadFile(f"{path}: there is no such file or folder", "check the name")
    if path.is_dir() and format != "brat":
        return _find_in_folder(path, format, notes, {each.resolve() for each in leaving_out})
    return [InputFile(path, format or _find_format(path), unpacked_name(path).stem)]


def read_input(found: InputFile, notes: Notes, options: ReadOptions | None = None) -> Iterator[Document]:
    """Stream the documents of one file."""
    if found.problem:
        raise BadFile(found.problem, CHECK_PERMISSIONS)
    if found.format == "text":
        yield Document(found.name, read_text(found.path))
    elif found.format == "lines":
        yield from _read_lines(found)
    else:
        yield from formats.get(found.format).read(found.path, options or ReadOptions(), notes)


def read_leniently(file: InputFile, notes: Notes, options: ReadOptions | None = None) -> Iterator[Document | Failure]:
    """Yield the documents of a file, and a failure for each that cannot be read."""
    if file.problem or file.format == "text":
        try:
            yield from read_input(file, notes)
        except BadFile as error:
            yield Failure(file.name, error.problem)
    elif problem := _find_opening_problem(file):
        yield Failure(file.name, problem)
    elif file.format in READERS:
        yield from _read_lines_leniently(file, READERS[file.format])
    else:
        yield from read_input(file, notes, options)


def checks_ids(file: InputFile) -> bool:
    """Does the reader of this file refuse two documents with the same id?"""
    if file.problem or file.format in PLAIN or file.format in READERS:
        return False
    return reads_unique_ids(formats.get(file.format))


def _describe_standard_input(format: str | None) -> InputFile:
    if format is not None and format not in FROM_STANDARD_INPUT:
        raise BadFile(
            f"standard input cannot be read as {format}",
            f"write it to a file first, or use one of {', '.join(FROM_STANDARD_INPUT)}",
        )
    return InputFile(STANDARD_INPUT, format or "text", "stdin")


def _find_in_folder(
    folder: Path, format: str | None, notes: Notes, leaving_out: Collection[Path]
) -> Iterator[InputFile]:
    n_found = 0
    for path, problem in files_below(folder, notes, leaving_out):
        found = _describe_in_folder(path, problem, format)
        if found is not None:
            name = unpacked_name(path).relative_to(folder).with_suffix("").as_posix()
            n_found += 1
            yield replace(found, name=name)
        elif not _is_second_of_pair(path):
            notes.add(LEFT_ASIDE, str(path))
    if not n_found:
        expected = ".txt file" if format in PLAIN else f"{format or 'readable'} file"
        raise BadFile(f"{folder}: the folder has no {expected}", "give a folder with texts or documents, or one file")


def _find_opening_problem(file: InputFile) -> str:
    """Return why a file, or the annotations beside it, cannot be opened; standard input can."""
    pair = [file.path.with_suffix(".ann")] if file.format == "brat" and file.path.suffix == ".txt" else []
    paths = () if file.path is STANDARD_INPUT else (file.path, *pair)
    return next(filter(None, map(opening_problem, paths)), "")


def _describe_in_folder(path: Path, problem: str, format: str | None) -> InputFile | None:
    """Return the file with its format or problem, or None if it is left aside."""
    if NOT_DATA.match(path.name) or _is_second_of_pair(path):
        return None
    its_format = None if problem else _find_format_in_folder(path, format)
    if its_format is not None:
        return InputFile(path, its_format, "")
    problem = problem or opening_problem(path)
    return InputFile(path, "", "", problem) if problem and _may_be_input(path, problem, format) else None


def _may_be_input(path: Path, problem: str, format: str | None) -> bool:
    """Might this be a document, if it could be read? A link without a target may be, whatever its name."""
    if format in PLAIN:
        return _suffix(path) == ".txt"
    return _is_known(path) or (format is None and not problem.endswith(NO_REGULAR_FILE))


def _find_format_in_folder(path: Path, format: str | None) -> str | None:
    """Return the format of the file, or None if it is left aside."""
    is_text = _suffix(path) == ".txt"
    if format in PLAIN:
        return format if is_text else None
    try:
        if is_text and format is None and not head_of(path).strip():
            return "text"
        found = find_format(path)
    except BadFile:
        if not _is_known(path) or opening_problem(path):
            return None  # an image, for example
        if not _is_broken_inside(path):
            raise
        found = None
    by_suffix = INDEPENDENT.get(_suffix(path)) if found is None else found.name
    if format is None:
        return by_suffix
    named = formats.get(format)
    return format if found is named or (found is None and _suffix(path) in named.suffixes) else None


def _is_second_of_pair(path: Path) -> bool:
    """Is this the annotation file of a text, which is read with the text?"""
    return path.suffix == ".ann" and path.with_suffix(".txt").is_file()


def _is_known(path: Path) -> bool:
    return any(_suffix(path) in (".txt", *formats.get(name).suffixes) for name in readable_formats())


def _suffix(path: Path) -> str:
    return unpacked_name(path).suffix.lower()


def _find_format(path: Path) -> str:
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
    """Is a part of the file not text, and can the other documents be read without it?"""
    if _suffix(path) not in INDEPENDENT:
        return False
    with open_bytes(path) as file:
        head = read_head(file, HEAD_BYTES)
    return bool(head.strip()) and not head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


def _line_name(found: InputFile, number: int, n_documents: int) -> str:
    """Return the id of the document on a line; `n_documents` counts the documents up to it."""
    return str(n_documents) if found.path is STANDARD_INPUT else f"{found.name}-{number}"


def _read_lines(found: InputFile) -> Iterator[Document]:
    n_documents = 0
    for number, line in read_lines(found.path):
        if line.strip():
            n_documents += 1
            yield Document(_line_name(found, number, n_documents), line)


def _read_lines_leniently(file: InputFile, read: Callable[[str, str, str], Document]) -> Iterator[Document | Failure]:
    """Yield the document of each line that is not blank, or a failure; `read` takes a line, its name and its place."""
    n_documents = 0
    with open_bytes(file.path) as content:
        for number, line in enumerate(split_lines(content), 1):
            if line is not None and not line.strip():
                continue
            n_documents += 1
            is_text = file.format == "lines"  # without ids of its own
            name = _line_name(file, number, n_documents) if is_text else f"{Path(file.name).name}:{number}"
            place = f"{file.path}:{number}"
            if line is None:
                yield Failure(name, refuse_long(place, "a line").problem)
                continue
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8")
                yield read(without_line_end(text), name, place)
            except UnicodeDecodeError as error:
                yield Failure(name, f"{place}: this is not UTF-8 text ({error.reason})")
            except BadFile as error:
                yield Failure(name, error.problem)


def _document_of_line(line: str, _name: str, place: str) -> Document:
    return document_of_line(line, place)


def _document_of_text(line: str, name: str, place: str) -> Document:
    check_text(line, place)
    return Document(name, line)


READERS = {"jsonl": _document_of_line, "lines": _document_of_text}  # of formats with one document on each line
