"""How are documents read from a path, and carried from one format to another?"""

import codecs
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from linnet.contracts import Format, Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Document
from linnet.errors import BadFile, UnknownName, WouldLose
from linnet.files import SAVE_AS_UTF8

__all__ = ["Conversion", "convert_documents", "detect_format", "format_for_output", "read_documents"]

HEAD_BYTES = 65536


@dataclass
class Conversion:
    """What was carried over, what was lost with consent, what was repaired."""

    n_documents: int = 0
    n_mentions: int = 0
    n_relations: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    notes: Notes = field(default_factory=Notes)

    def __iadd__(self, other: "Conversion") -> "Conversion":
        self.n_documents += other.n_documents
        self.n_mentions += other.n_mentions
        self.n_relations += other.n_relations
        self.lost += other.lost
        for what, number in other.notes.counts.items():
            self.notes.add(what, other.notes.first_place[what], number)
        return self

    def as_dict(self) -> dict[str, int | dict[str, int]]:
        """Return plain values for JSON."""
        counts: dict[str, int | dict[str, int]] = {
            "documents": self.n_documents, "mentions": self.n_mentions, "relations": self.n_relations,
        }  # fmt: skip
        return counts | {"lost": dict(self.lost), "repaired": dict(self.notes.counts)}


def detect_format(path: Path) -> Format:
    """Return the format of a file or folder, found from its content (and, where that is broken, from its suffix).

    Raises:
        BadFile: where there is nothing to read, or no format recognises it.
    """
    if not path.exists():
        raise BadFile(f"{path}: there is no such file or folder", "check the name")
    head = "" if path.is_dir() else _head(path)
    if not path.is_dir() and not head.strip():
        raise BadFile(f"{path}: the file is empty", "give a file with documents in it")
    for name in formats.names():
        if formats.get(name).recognises(path, head):
            return formats.get(name)
    by_suffix = [name for name in formats.names() if path.suffix.lower() in formats.get(name).suffixes]
    if len(by_suffix) == 1 and path.is_file() and path.suffix.lower() != ".txt":
        return formats.get(by_suffix[0])  # whose reader will say at which line it goes wrong
    raise BadFile(
        f"{path}: this is in no format that Linnet knows",
        f"name the format with `--format` (or `--from`): {', '.join(formats.names())}",
    )


def read_documents(
    path: Path, *, format: str | None = None, options: ReadOptions | None = None, notes: Notes | None = None
) -> Iterator[Document]:
    """Stream the documents of a file (or brat folder)."""
    source = formats.get(format) if format else detect_format(path)
    if not path.exists():
        raise BadFile(f"{path}: there is no such file or folder", "check the name")
    return source.read(path, options or ReadOptions(), notes if notes is not None else Notes())


def format_for_output(path: Path) -> Format:
    """Return the format whose file suffix the output has."""
    for name in formats.names():
        if path.suffix.lower() in formats.get(name).suffixes:
            return formats.get(name)
    raise UnknownName(
        f"{path}: the name does not say which format to write", f"add `--to` with one of {', '.join(formats.names())}"
    )


def convert_documents(
    documents: Iterable[Document],
    target: Path,
    *,
    to: Format,
    options: WriteOptions | None = None,
    is_lossy: bool = False,
    notes: Notes | None = None,
) -> Conversion:
    """Write the documents in another format, or nothing at all where something would be lost without consent."""
    done = Conversion(notes=notes if notes is not None else Notes())
    to.write(_counted(documents, to, done, is_lossy), target, options or WriteOptions())
    return done


def _counted(documents: Iterable[Document], to: Format, done: Conversion, is_lossy: bool) -> Iterator[Document]:
    """Pass the documents on, counting; refuse at the end, while the output has not taken its name yet."""
    for document in documents:
        done.n_documents += 1
        done.n_mentions += len(document.spans)
        done.n_relations += len(document.relations)
        for what, number in to.losses(document):
            if number:
                done.lost[what] += number
        yield document
    if done.lost and not is_lossy:
        listed = "; ".join(f"{what}: {number:,}" for what, number in done.lost.items())
        raise WouldLose(
            f"{to.name} cannot hold all of this. Would be lost: {listed}",
            "add `--lossy` to accept this loss, or choose a format that keeps everything (jsonl)",
        )


def _head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(HEAD_BYTES)
    except OSError as error:
        raise BadFile(f"{path}: cannot be read ({error.strerror})", "check the name and the permissions") from None
    try:
        text = codecs.getincrementaldecoder("utf-8-sig")().decode(raw)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise BadFile(f"{path}:{line}: this is not UTF-8 text ({error.reason})", SAVE_AS_UTF8) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise BadFile(f"{path}:{line}: found a NUL character", "give a text file; this one looks binary or UTF-16")
    return text
