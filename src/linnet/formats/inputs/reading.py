"""Reads the documents to annotate: any document format and plain text, from files, folders or standard input.

A folder is read with everything in it, in the order of names, each file in its own format. Files compressed with gzip
or zstd are read as what they hold. An entry of a folder that cannot be opened, or that is damaged where it begins, has
its problem beside its name.
"""

import codecs
from collections.abc import Collection, Iterable, Iterator
from dataclasses import astuple, dataclass, field, replace
from importlib.resources import files
from pathlib import Path

from linnet.contracts import Notes, ReadOptions, formats, readable_formats
from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.formats.corpus import NOT_DATA
from linnet.formats.inputs.file_list import NO_REGULAR_FILE, Spooled, files_below, opening_problem
from linnet.formats.reading import HEAD_BYTES, detect_format, find_format, head_of
from linnet.storage.compression import unpacked_name
from linnet.storage.files import (
    STANDARD_INPUT,
    open_bytes,
    peek_standard_input,
    read_head,
    read_lines,
    read_text,
    resolve_path,
)

__all__ = ["InputFile", "find_inputs", "list_inputs", "name_line", "read_input", "read_inputs"]

PLAIN = ("text", "lines")
FROM_STANDARD_INPUT = (*PLAIN, "jsonl", "pubtator", "pubmed-xml", "jats", "bioc-xml")  # those that are read as a stream
CHECK_PERMISSIONS = "check the name and the permissions"
LEFT_ASIDE = "files of the folder left aside"
EMBEDDED_CORPUS = Path(str(files("linnet") / "demo"))
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
    is_in_folder: bool = field(default=False, compare=False)  # are there others to go on with, if it is damaged?


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


def _build_input_file(path: str, format: str, name: str, problem: str, is_in_folder: bool) -> InputFile:
    return InputFile(path=Path(path), format=format, name=name, problem=problem, is_in_folder=is_in_folder)


def _find_inputs(path: Path, format: str | None, notes: Notes, leaving_out: Collection[Path]) -> Iterable[InputFile]:
    format = format and format.lower()
    if format is not None and format not in PLAIN:
        formats.get(format)  # an unknown name is refused before any file is opened
    if str(path) == "-":
        return [_describe_standard_input(format)]
    if not path.exists():
        raise BadFile(f"{path}: there is no such file or folder", "check the name")
    if path.is_dir() and format != "brat":
        return _find_in_folder(path, format, notes, set(map(resolve_path, leaving_out)))
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


def _describe_standard_input(format: str | None) -> InputFile:
    if format is not None and format not in FROM_STANDARD_INPUT:
        raise BadFile(
            f"standard input cannot be read as {format}",
            f"write it to a file first, or use one of {', '.join(FROM_STANDARD_INPUT)}",
        )
    return InputFile(STANDARD_INPUT, format or _recognise_standard_input(), "stdin")


def _recognise_standard_input() -> str:
    """Return the format that the beginning has; plain text where it has none."""
    head = peek_standard_input()
    known = (name for name in FROM_STANDARD_INPUT if name not in PLAIN)
    return next((name for name in known if formats.get(name).recognises(Path("stdin"), head)), "text")


def _find_in_folder(
    folder: Path, format: str | None, notes: Notes, leaving_out: Collection[Path]
) -> Iterator[InputFile]:
    n_found = 0
    for path, problem in files_below(folder, notes, leaving_out):
        found = _describe_in_folder(path, problem, format)
        if found is not None:
            name = unpacked_name(path).relative_to(folder).with_suffix("").as_posix()
            n_found += 1
            yield replace(found, name=name, is_in_folder=True)
        elif not _is_second_of_pair(path) and folder != EMBEDDED_CORPUS:  # whose guideline is no user's file
            notes.add(LEFT_ASIDE, str(path))
    if not n_found:
        expected = ".txt file" if format in PLAIN else f"{format or 'readable'} file"
        raise BadFile(f"{folder}: the folder has no {expected}", "give a folder with texts or documents, or one file")


def _describe_in_folder(path: Path, problem: str, format: str | None) -> InputFile | None:
    """Return the file with its format or problem, or None if it is left aside."""
    if NOT_DATA.match(path.name) or _is_second_of_pair(path):
        return None
    try:
        its_format = None if problem else _find_format_in_folder(path, format)
    except BadFile as error:
        return InputFile(path, format="", name="", problem=error.problem)
    if its_format is not None:
        return InputFile(path, its_format, "")
    problem = problem or opening_problem(path)
    return (
        InputFile(path, format="", name="", problem=problem)
        if problem and _may_be_input(path, problem, format)
        else None
    )


def _may_be_input(path: Path, problem: str, format: str | None) -> bool:
    """Might this be a document, if it could be read? A link without a target may be, whatever its name."""
    if format in PLAIN:
        return _suffix(path) == ".txt"
    return _is_known(path) or (format is None and not problem.endswith(NO_REGULAR_FILE))


def _find_format_in_folder(path: Path, format: str | None) -> str | None:
    """Return the format of the file, or None if it is left aside.

    Raises:
        BadFile: if its beginning is damaged.
    """
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


def name_line(found: InputFile, number: int, n_documents: int) -> str:
    """Return the id of the document on a line; `n_documents` counts the documents up to it."""
    return str(n_documents) if found.path is STANDARD_INPUT else f"{found.name}-{number}"


def _read_lines(found: InputFile) -> Iterator[Document]:
    n_documents = 0
    for number, line in read_lines(found.path):
        if line.strip():
            n_documents += 1
            yield Document(name_line(found, number, n_documents), line)
