"""The contract of a format: a way to keep documents in a file or folder."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from linnet.documents.document import Document
from linnet.registry import Registry

__all__ = ["Format", "Notes", "ReadOptions", "WriteOptions", "formats", "readable_formats", "writable_formats"]


@dataclass(frozen=True)
class ReadOptions:
    """What a reader may be told; each format uses what concerns it."""

    label: str | None = None  # for bare B/I/O tags: what they mark
    tag_column: int | None = None  # counted from 1; the last one where not given
    tagging: str | None = None  # found from the data where not given
    repair: bool = False  # mend what can be mended by a stated rule, and count it


@dataclass(frozen=True)
class WriteOptions:
    """What a writer may be told; each format uses what concerns it."""

    tagging: str = "iob2"
    model: str = ""  # fingerprint of the model that found the mentions, for formats that have a place for it


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
        """Add what others have noted."""
        for what, number in other.counts.items():
            self.add(what, other.first_place[what], number)

    def clear(self) -> None:
        """Forget everything, before the same is read again."""
        self.counts.clear()
        self.first_place.clear()

    def sentences(self) -> list[str]:
        """Return one sentence for each kind."""
        return [f"{what}: {n:,} (first: {self.first_place[what]})" for what, n in self.counts.items()]


class Format(Protocol):
    """A way to keep documents in a file or folder.

    A format that can only be read has `can_write = False`, one that can only be written `can_read = False`; what it
    cannot do raises `BadSetting`. Formats that do both need not say so.
    """

    name: str
    suffixes: tuple[str, ...]  # the first is given to new files; empty for folders and for what is never written
    description: str  # one line for `linnet list formats`

    def recognises(self, path: Path, head: str) -> bool:
        """Is this the format of the file (or folder)? `head` is its first 64 kB, without a byte-order mark."""
        ...

    def read(self, path: Path, options: ReadOptions, notes: Notes) -> Iterator[Document]:
        """Stream the documents; raise `BadFile` with file and line where it cannot be read whole."""
        ...

    def losses(self, document: Document) -> Iterable[tuple[str, int]]:
        """Name what the format cannot hold of this document, with how many there are of each."""
        ...

    def write(self, documents: Iterable[Document], path: Path, options: WriteOptions) -> None:
        """Write the documents as they come; the file appears under its name when it is complete."""
        ...


formats: Registry[Format] = Registry("format", home="linnet.formats")


def readable_formats() -> list[str]:
    """Return the names of the formats that documents can be read from."""
    return [name for name in formats.names() if getattr(formats.get(name), "can_read", True)]


def writable_formats() -> list[str]:
    """Return the names of the formats that documents can be written to."""
    return [name for name in formats.names() if getattr(formats.get(name), "can_write", True)]
