"""What must an extension offer? Read this file first if you write one.

An extension registers itself under a name in one of the registries below, either from its home in this package
or from another package through the entry-point group in the registry's `group`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from linnet.documents.document import Document
from linnet.registry import Registry

__all__ = ["Format", "Notes", "ReadOptions", "WeightingScheme", "WriteOptions", "formats", "weighting_schemes"]


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


@dataclass
class Notes:
    """What was repaired, widened or left out, counted by kind, with the first place of each."""

    counts: Counter[str] = field(default_factory=Counter)
    first_place: dict[str, str] = field(default_factory=dict)

    def add(self, what: str, place: str, number: int = 1) -> None:
        """Count one more of a kind; `place` is a file:line or a document id."""
        self.counts[what] += number
        self.first_place.setdefault(what, place)

    def sentences(self) -> list[str]:
        """Return one sentence for each kind."""
        return [f"{what}: {n:,} (first: {self.first_place[what]})" for what, n in self.counts.items()]


class Format(Protocol):
    """A way to keep documents in a file or folder."""

    name: str
    suffixes: tuple[str, ...]  # the first is given to new files; empty for formats that are folders
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


class WeightingScheme(Protocol):
    """A price for each tag, from how often it occurs."""

    def __call__(self, counts: Mapping[str, int], /) -> dict[str, float]:
        """Return a positive weight for every name in `counts`."""
        ...


formats: Registry[Format] = Registry("format", home="linnet.formats")
weighting_schemes: Registry[Callable[..., dict[str, float]]] = Registry(
    "weighting scheme", home="linnet.losses.weighting"
)
