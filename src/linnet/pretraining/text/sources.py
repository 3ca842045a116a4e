"""Text sources of a pretraining: files and folders, and the documents in them.

A source is a file or a folder. A folder is read recursively in the order of names; compressed files are unpacked. Files
in a corpus format give the format's documents, with a new line at each passage and line break. Any other file is plain
UTF-8 text: blank lines end a document; without blank lines between lines of text, each line is a document. In folders,
plain text has the suffix `.txt` or `.text`; other files are skipped.

The output folders of this run and of earlier ones are skipped too: they are no text to learn from, and their content
would differ when the run is resumed.

Files of one token per line that do not mark documents give documents of `SENTENCES_PER_DOCUMENT` sentences, as many as
an abstract has: single sentences would fill no sequence.
"""

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path

from linnet.contracts import Notes, ReadOptions, formats, readable_formats
from linnet.documents.document import Document
from linnet.errors import BadFile, LinnetError, problems_of, refuse
from linnet.formats.corpus import corpus_place
from linnet.formats.reading import find_format, head_of
from linnet.formats.rows import DOCUMENT_STARTS
from linnet.pretraining.text.load_or_build import PREPARED_FOLDER
from linnet.storage.compression import unpacked_name
from linnet.storage.files import SAVE_AS_UTF8, check_path, open_bytes, read_lines, resolve_path
from linnet.storage.run_folders import is_run

__all__ = ["LINES", "PLAIN", "TextFile", "find_texts", "read_texts", "split_lines", "text_place"]

PLAIN, LINES = "plain text", "plain text, a document per line"
PLAIN_SUFFIXES = (".txt", ".text")
BRAT_SUFFIXES = (".txt", ".ann")
SENTENCES_PER_DOCUMENT = 10
LEFT_ASIDE, EMPTY = "files of the folder left aside", "files without text"
NAMED_TWICE = "files named twice, read once"
OWN_FOLDERS = "folders that runs write to, left aside"
NOT_TEXT = re.compile(r"(?:readme|licen[cs]e|provenance|guidelines?|changelog)(?:\.\w+)*", re.IGNORECASE)
N_TRIED = 20  # documents of a corpus file that are parsed before the work begins


@dataclass(frozen=True)
class TextFile:
    """A file (or brat folder) of text that was read once to check it."""

    source: str  # as the user named it
    path: Path
    format: str  # a registered one, or `PLAIN` or `LINES`
    n_bytes: int  # unpacked
    digest: str
    n_files: int = 1  # text files, of a brat folder


def find_texts(sources: Sequence[str], notes: Notes, *, own: Collection[Path] = ()) -> list[TextFile]:
    """Return the text files of all sources in order; each is read once, so that problems show before the work begins.

    Of files in a corpus format the first documents are also parsed; errors further on show later.

    Args:
        sources: files and folders.
        notes: counts the skipped files.
        own: resolved folders that the run writes to, which are skipped.

    Raises:
        BadFile: with all files that cannot be read.
    """
    files: dict[Path, TextFile] = {}
    problems: list[LinnetError] = []
    for source in sources:
        for file in _find_files(source, notes, own, problems):
            if files.setdefault(resolve_path(file.path), file) is not file:
                notes.add(NAMED_TWICE, str(file.path))
    refuse(problems)
    return list(files.values())


def read_texts(file: TextFile, notes: Notes) -> Iterator[list[str]]:
    """Stream the documents of a file, each as its lines."""
    if file.format == PLAIN:
        yield from _split_at_blank_lines(file.path)
    elif file.format == LINES:
        yield from ([line] for _, line in read_lines(file.path) if line.strip())
    else:
        # annotations are not used here, so invalid tags are repaired instead of refused
        documents = formats.get(file.format).read(file.path, ReadOptions(repair=True), notes)
        if file.format == "conll" and not head_of(file.path).lstrip().startswith(DOCUMENT_STARTS):
            yield from _group_sentences(documents)
        else:
            yield from (split_lines(document) for document in documents)


def split_lines(document: Document) -> list[str]:
    """Return the lines of a document: the text between line breaks and passage boundaries."""
    text = document.text
    edges = {0, len(text), *(edge for passage in document.passages for edge in (passage.start, passage.end))}
    pieces = (text[start:end] for start, end in pairwise(sorted(edges)))
    return [line for piece in pieces for line in piece.split("\n") if line.strip()]


def text_place(source: str) -> Path:
    """Return the path of a source, which may be a path, or the name of a corpus or of a file of one.

    Raises:
        BadFile: if it does not exist.
    """
    place = corpus_place(source)
    if not place.exists():
        raise BadFile(f"{place}: there is no such file or folder", "check `texts`")
    return place


def _find_files(source: str, notes: Notes, own: Collection[Path], problems: list[LinnetError]) -> Iterator[TextFile]:
    """Yield the files of a source that contain text, and add what is wrong with it to the problems."""
    n_before, n_with_text = len(problems), 0
    try:
        place = text_place(source)
    except BadFile as problem:
        problems.append(problem)
        return
    if not place.is_dir() and not place.is_file():
        problems.append(BadFile(f"{place}: is neither a file nor a folder", "write the text to a file first"))
        return
    for path, format in [(place, None)] if place.is_file() else _find_below(place, notes, own, problems):
        try:
            file = _inspect_file(source, path, format)
        except LinnetError as problem:
            problems.append(problem)
            continue
        if file is None:
            notes.add(EMPTY, str(path))
        else:
            n_with_text += 1
            yield file
    if not n_with_text and len(problems) == n_before:  # otherwise the unreadable files are reported already
        problems.append(_empty_source(place))


def _find_below(
    folder: Path, notes: Notes, own: Collection[Path], problems: list[LinnetError]
) -> Iterator[tuple[Path, str | None]]:
    """Yield the files of a folder, and the format where it is known already."""
    unreadable = problems_of(lambda: check_path(folder))
    if unreadable:
        problems += unreadable
        return
    is_brat = any(path.name[0] != "." for path in folder.glob("*.ann"))
    if is_brat:
        yield folder, "brat"
    for path in sorted(folder.iterdir()):
        is_hidden = path.name.startswith(".")
        if is_brat and path.suffix in BRAT_SUFFIXES and not is_hidden:
            continue
        if path.is_dir() and (resolve_path(path) in own or PREPARED_FOLDER.fullmatch(path.name) or is_run(path)):
            notes.add(OWN_FOLDERS, str(path))
        elif path.is_dir() and not is_hidden and not path.is_symlink():  # a link may lead back to this folder
            yield from _find_below(path, notes, own, problems)
        elif path.is_file() and not is_hidden and not NOT_TEXT.fullmatch(path.name) and _is_text(path):
            yield path, None
        else:
            notes.add(LEFT_ASIDE, str(path))


def _is_text(path: Path) -> bool:
    named = unpacked_name(path)
    if named.suffix.lower() in PLAIN_SUFFIXES:
        return True
    try:
        return find_format(path, by_suffix=False) is not None
    except BadFile:  # empty or binary; its suffix may still be that of a format
        return any(named.suffix.lower() in formats.get(name).suffixes for name in readable_formats())


def _inspect_file(source: str, path: Path, format: str | None) -> TextFile | None:
    """Return the text file after reading it once; None if it contains no text."""
    if path.is_dir():
        paths = [
            inside for inside in sorted(path.iterdir()) if inside.suffix in BRAT_SUFFIXES and inside.name[0] != "."
        ]
        scans = [_scan(inside) for inside in paths]
        digest = hashlib.sha256("".join(scan.digest for scan in scans).encode()).hexdigest()
        n_files = sum(inside.suffix == BRAT_SUFFIXES[0] for inside in paths)
        file = TextFile(
            source=source,
            path=path,
            format=format or "brat",
            n_bytes=sum(scan.n_bytes for scan in scans),
            digest=digest,
            n_files=n_files,
        )
        return _try_first_documents(file)
    scan = _scan(path)
    if not scan.has_text:
        return None
    known = find_format(path)
    plain = PLAIN if scan.has_gaps else LINES
    name = known.name if known else plain
    file = TextFile(source=source, path=path, format=name, n_bytes=scan.n_bytes, digest=scan.digest)
    return _try_first_documents(file)


def _try_first_documents(file: TextFile) -> TextFile:
    """Return the file if its first documents can be parsed."""
    if file.format not in (PLAIN, LINES):  # plain text needs no parsing
        for _ in islice(read_texts(file, Notes()), N_TRIED):
            pass
    return file


@dataclass
class _ScannedFile:
    """What is known of a file after reading it once."""

    n_bytes: int = 0
    has_text: bool = False
    has_gaps: bool = False  # blank lines between lines of text
    digest: str = ""


def _scan(path: Path) -> _ScannedFile:
    scan, digest, is_after_blank = _ScannedFile(), hashlib.sha256(), False
    with open_bytes(path) as file:
        for line in file:
            is_blank = not _decode_line(line, path, scan.n_bytes).strip()
            digest.update(line)
            scan.n_bytes += len(line)
            scan.has_gaps = scan.has_gaps or (is_after_blank and scan.has_text and not is_blank)
            scan.has_text = scan.has_text or not is_blank
            is_after_blank = is_blank
    scan.digest = digest.hexdigest()
    return scan


def _decode_line(line: bytes, path: Path, offset: int) -> str:
    """Return a line as text without a byte-order mark; refuse what is not UTF-8.

    Args:
        line: the raw bytes.
        path: of its file.
        offset: bytes of the unpacked file before the line.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        wrong = line[error.start : error.end].hex(" ")
        problem = f"{path}: this is not UTF-8 text (byte {offset + error.start:,} is {wrong}: {error.reason})"
        raise BadFile(problem, SAVE_AS_UTF8) from None
    if b"\0" in line:
        raise BadFile(
            f"{path}: found a NUL character (byte {offset + line.index(0):,})",
            "give a text file; this one looks binary or UTF-16",
        )
    return text if offset else text.removeprefix("\ufeff")


def _empty_source(path: Path) -> BadFile:
    if path.is_file():
        return BadFile(f"{path}: the file is empty", "give a file with text in it")
    return BadFile(
        f"{path}: the folder has no text (READMEs, licences and the like are not read)",
        f"give a folder with .txt files, or with files in a format of {', '.join(readable_formats())}",
    )


def _split_at_blank_lines(path: Path) -> Iterator[list[str]]:
    lines: list[str] = []
    for _, line in read_lines(path):
        if line.strip():
            lines.append(line)
        elif lines:
            yield lines
            lines = []
    if lines:
        yield lines


def _group_sentences(documents: Iterable[Document]) -> Iterator[list[str]]:
    lines: list[str] = []
    for document in documents:
        lines += split_lines(document)
        if len(lines) >= SENTENCES_PER_DOCUMENT:
            yield lines
            lines = []
    if lines:
        yield lines
