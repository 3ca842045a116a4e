"""Format detection, reading of documents from a path, and writing in another format."""

import codecs
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from linnet.contracts import Format, Notes, ReadOptions, WriteOptions, formats, readable_formats, writable_formats
from linnet.documents.document import Document
from linnet.errors import BadFile, BadSetting, UnknownName, WouldLose
from linnet.formats.inputs.parts import parts_of, read_whole
from linnet.formats.relabelling import LabelCounts
from linnet.storage.compression import unpacked_name
from linnet.storage.files import SAVE_AS_UTF8, open_bytes, read_head

__all__ = [
    "Conversion",
    "convert_documents",
    "detect_format",
    "explain_suffix",
    "find_format",
    "format_for_output",
    "head_of",
    "read_documents",
]

HEAD_BYTES = 65536
AMBIGUOUS = (".txt", ".tsv")  # suffixes of outputs that many programs use for something else


@dataclass
class Conversion:
    """Counts of a conversion: documents, mentions, relations, accepted losses and repairs."""

    n_documents: int = 0
    n_mentions: int = 0
    n_relations: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    notes: Notes = field(default_factory=Notes)
    labels: LabelCounts | None = None  # if labels were filtered or renamed
    documents_by_split: dict[str, int] = field(default_factory=dict)  # of a corpus

    def __iadd__(self, other: "Conversion") -> "Conversion":
        self.n_documents += other.n_documents
        self.n_mentions += other.n_mentions
        self.n_relations += other.n_relations
        self.lost += other.lost
        self.notes.take(other.notes)
        return self

    def as_dict(self) -> dict[str, object]:
        """Return plain values for JSON."""
        counts: dict[str, object] = {
            "documents": self.n_documents, "mentions": self.n_mentions, "relations": self.n_relations,
        }  # fmt: skip
        counts |= {"splits": dict(self.documents_by_split)} if self.documents_by_split else {}
        changed = {} if self.labels is None else self.labels.as_dict()
        return counts | {"lost": dict(self.lost), "repaired": dict(self.notes.counts)} | changed


def detect_format(path: Path) -> Format:
    """Return the format of a file or folder, detected from its content, or from its suffix if that is damaged.

    Raises:
        BadFile: if there is nothing to read, or no format recognises it.
    """
    found = find_format(path)
    if found is None:
        raise BadFile(
            f"{path}: this is in no format that Linnet knows",
            f"name the format with `--format` (or `--from`): {', '.join(readable_formats())}",
        )
    return found


def find_format(path: Path, *, by_suffix: bool = True) -> Format | None:
    """Return the format of a file or folder as `detect_format` does, or None if no format recognises it.

    Args:
        path: of the file or folder.
        by_suffix: may the suffix alone decide, if no format recognises the content?

    Raises:
        BadFile: if there is nothing to read, or it is not text.
    """
    if not path.exists():
        raise BadFile(f"{path}: there is no such file or folder", "check the name")
    named = unpacked_name(path)  # compressed files are recognised by their content
    _refuse_unreadable(named)
    if parts := parts_of(path):
        return find_format(parts[0], by_suffix=by_suffix)
    head = "" if path.is_dir() else head_of(path)
    if not path.is_dir() and not head.strip():
        raise BadFile(f"{path}: the file is empty", "give a file with documents in it")
    readable = [formats.get(name) for name in readable_formats()]
    for known in readable:
        if known.recognises(named, head):
            return known
    by_name = [known for known in readable if named.suffix.lower() in known.suffixes]
    if by_suffix and len(by_name) == 1 and path.is_file() and named.suffix.lower() != ".txt":
        return by_name[0]  # its reader will report the line of the error
    return None


def read_documents(
    path: str | Path, *, format: str | None = None, options: ReadOptions | None = None, notes: Notes | None = None
) -> Iterator[Document]:
    """Stream the documents of a file, a brat folder, or a folder with the parts of an output."""
    path = Path(path)
    source = formats.get(format) if format else detect_format(path)
    if not path.exists():
        raise BadFile(f"{path}: there is no such file or folder", "check the name")
    return read_whole(source, path, options or ReadOptions(), notes if notes is not None else Notes())


def format_for_output(path: Path, name: str | None = None) -> Format:
    """Return the format of this name, or the format of the output's suffix, which may be followed by `.gz` or `.zst`.

    Raises:
        BadSetting: if the format can only be read.
    """
    if name is not None:
        name = formats.canonical(name, among=writable_formats)
        if name not in writable_formats():
            raise BadSetting(f"{name} can only be read", f"write one of {', '.join(writable_formats())}")
        return formats.get(name)
    suffix = unpacked_name(path).suffix.lower()
    for known in writable_formats():
        if suffix in formats.get(known).suffixes:
            return formats.get(known)
    raise UnknownName(
        f"{path}: the name does not say which format to write",
        f"add `--to` with one of {', '.join(writable_formats())}",
    )


def explain_suffix(path: Path, name: str | None) -> list[str]:
    """Return a sentence about the format of an output whose suffix may stand for another one, where none was named."""
    if name is not None or unpacked_name(path).suffix.lower() not in AMBIGUOUS:
        return []
    return [f"{path}: written as {format_for_output(path).name}, by its suffix; `--to` names another format"]


def convert_documents(
    documents: Iterable[Document],
    target: Path,
    *,
    to: Format,
    options: WriteOptions | None = None,
    is_lossy: bool = False,
    notes: Notes | None = None,
) -> Conversion:
    """Write the documents in another format, or nothing if something would be lost and `is_lossy` is not set."""
    done = Conversion(notes=notes if notes is not None else Notes())
    to.write(_count_documents(documents, to, done, is_lossy), target, options or WriteOptions())
    return done


def head_of(path: Path) -> str:
    """Return the beginning of a text file, decompressed, without a byte-order mark."""
    with open_bytes(path) as file:
        raw = read_head(file, HEAD_BYTES)
    try:
        text = codecs.getincrementaldecoder("utf-8-sig")().decode(raw)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise BadFile(f"{path}:{line}: this is not UTF-8 text ({error.reason})", SAVE_AS_UTF8) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise BadFile(f"{path}:{line}: found a NUL character", "give a text file; this one looks binary or UTF-16")
    return text


def _refuse_unreadable(path: Path) -> None:
    for name in set(formats.names()) - set(readable_formats()):
        if path.suffix.lower() in formats.get(name).suffixes:
            raise BadFile(f"{path}: {name} can only be written", f"read one of {', '.join(readable_formats())}")


def _count_documents(documents: Iterable[Document], to: Format, done: Conversion, is_lossy: bool) -> Iterator[Document]:
    """Yield the documents and count them; refuse losses at the end, before the output is renamed to its final name."""
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
