"""What must an extension offer? Read this file first if you write one.

An extension registers itself under a name in one of the registries below, either from its home in this package
or from another package through the entry-point group in the registry's `group`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from linnet.documents.document import Document
from linnet.labels.label_set import LabelSet
from linnet.registry import Registry

if TYPE_CHECKING:  # what reads, converts and scores must start without torch
    from torch import Tensor

__all__ = [
    "Format",
    "Loss",
    "LossFactory",
    "Notes",
    "ReadOptions",
    "WeightingScheme",
    "WriteOptions",
    "formats",
    "losses",
    "readable_formats",
    "weighting_schemes",
    "writable_formats",
]


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


class WeightingScheme(Protocol):
    """A price for each tag, from how often it occurs."""

    def __call__(self, counts: Mapping[str, int], /) -> dict[str, float]:
        """Return a positive weight for every name in `counts`."""
        ...


class Loss(Protocol):
    """A number to make small; an `nn.Module` if it has parameters, which are then trained with the network's."""

    def __call__(self, logits: "Tensor", targets: "Tensor", /) -> "Tensor":
        """Return a scalar with a graph, zero where nothing is to be learned.

        Args:
            logits: (batch, tokens, tags), the tags in the order of the label set.
            targets: (batch, tokens), numbers of tags; -100 where a token does not count.
        """
        ...


class LossFactory(Protocol):
    """A function that makes a loss; its keyword arguments are the settings that a recipe may give it."""

    # Any, because each loss names its own settings; `build_loss` refuses those that are not in the signature.
    def __call__(
        self, label_set: LabelSet, weights: Mapping[str, float] | None, /, *args: Any, **settings: Any
    ) -> Loss:
        """Return the loss, or raise `BadSetting` where it cannot use the weights; they are never ignored.

        Args:
            label_set: the tags in the order of the logits.
            weights: a price by tag name; `None` prices all tags alike.
            args: stays empty; settings are given by keyword.
            settings: what the loss may be told, each with a default.
        """
        ...


class Task(Protocol):
    """A kind of question that a model answers."""

    name: str
    description: str  # one line for `linnet list tasks`


formats: Registry[Format] = Registry("format", home="linnet.formats")
weighting_schemes: Registry[Callable[..., dict[str, float]]] = Registry(
    "weighting scheme", home="linnet.losses.weighting"
)
losses: Registry[LossFactory] = Registry("loss", home="linnet.losses")
tasks: Registry[Task] = Registry("task", home="linnet.tasks")


def readable_formats() -> list[str]:
    """Return the names of the formats that documents can be read from."""
    return [name for name in formats.names() if getattr(formats.get(name), "can_read", True)]


def writable_formats() -> list[str]:
    """Return the names of the formats that documents can be written to."""
    return [name for name in formats.names() if getattr(formats.get(name), "can_write", True)]
