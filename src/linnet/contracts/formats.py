"""The contract of a format: a way to keep documents in a file or folder."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from linnet.documents.document import Document
from linnet.registry import Registry

__all__ = [
    "Format",
    "Notes",
    "ReadOptions",
    "WriteOptions",
    "formats",
    "readable_formats",
    "reads_unique_ids",
    "writable_formats",
]


@dataclass(frozen=True)
class ReadOptions:
    """Options for readers; each format uses those that concern it."""

    label: str | None = None  # of bare B/I/O tags
    tag_column: int | None = None  # counted from 1; the last one where not given
    tagging: str | None = None  # found from the data where not given
    repair: bool = False  # repair where a stated rule can, and count the repairs


@dataclass(frozen=True)
class WriteOptions:
    """Options for writers; each format uses those that concern it."""

    tagging: str = "iob2"
    model: str = ""  # fingerprint of the model that found the mentions, for formats that have a place for it
    are_ids_unique: bool = False  # the caller has made sure that no two documents have the same id


@dataclass
class Notes:
    """What was repaired, widened or left out, counted by kind, with the first place of each."""

    counts: Counter[str] = field(default_factory=Counter)
    first_place: dict[str, str] = field(default_factory=dict)

    def add(self, what: str, place: str, number: int = 1) -> None:
        """Count one more of a kind; `place` is a file:line or a document id."""
        self.counts[what] += number
        self.first_place.setdefault(what, place)

    def take(self, other: "Notes") -> None:
        """Add the notes of another collection."""
        for what, number in other.counts.items():
            self.add(what, other.first_place[what], number)

    def clear(self) -> None:
        """Remove all notes, before the same is read again."""
        self.counts.clear()
        self.first_place.clear()

    def sentences(self) -> list[str]:
        """Return one sentence for each kind; kinds that differ only in a quoted name at their end share one."""
        alike: dict[str, list[str]] = {}
        for what in self.counts:
            alike.setdefault(what.split(": '")[0], []).append(what)
        return [self._sentence(stem, kinds) for stem, kinds in alike.items()]

    def _sentence(self, stem: str, kinds: list[str]) -> str:
        first = f"(first: {self.first_place[kinds[0]]})"
        if len(kinds) == 1:
            return f"{kinds[0]}: {self.counts[kinds[0]]:,} {first}"
        return f"{stem}: {', '.join(f'{kind.removeprefix(stem)[2:]} {self.counts[kind]:,}' for kind in kinds)} {first}"


class Format(Protocol):
    """A way to keep documents in a file or folder.

    A format that can only be read has `can_write = False`, one that can only be written `can_read = False`; the other
    direction raises `BadSetting`. Formats that do both need neither. A format whose reader never returns two documents
    with the same id has `reads_unique_ids = True`, so that a conversion need not check the ids again. A format that can
    go on after a document that cannot be read has a method `read_leniently`, which takes what `read` takes and yields a
    `Failure` for each of those.
    """

    name: str
    suffixes: tuple[str, ...]  # new files get the first; empty for folders and for formats that cannot be written
    description: str  # one line for `linnet list formats`

    def recognises(self, path: Path, head: str) -> bool:
        """Is this the format of the file (or folder)? `head` is its first 64 kB, without a byte-order mark."""
        ...

    def read(self, path: Path, options: ReadOptions, notes: Notes) -> Iterator[Document]:
        """Stream the documents; raise `BadFile` with file and line where it cannot be read whole."""
        ...

    def losses(self, document: Document) -> Iterable[tuple[str, int]]:
        """Return what the format cannot hold of this document, with the number of each."""
        ...

    def write(self, documents: Iterable[Document], path: Path, options: WriteOptions) -> None:
        """Write the documents as they come; the file appears under its name when it is complete."""
        ...


formats: Registry[Format] = Registry("format", home="linnet.formats", contract=Format)


def readable_formats() -> list[str]:
    """Return the names of the formats that documents can be read from."""
    return [name for name in formats.names() if getattr(formats.get(name), "can_read", True)]


def writable_formats() -> list[str]:
    """Return the names of the formats that documents can be written to."""
    return [name for name in formats.names() if getattr(formats.get(name), "can_write", True)]


def reads_unique_ids(format: Format) -> bool:
    """Do all documents that are read from one file of this format have different ids?"""
    return getattr(format, "reads_unique_ids", False)
