"""What is a document, and what can be marked in it?

Offsets are characters (Python code points) of `Document.text`, end exclusive. The text is what the
user gave us and is never altered.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

__all__ = ["Argument", "Document", "Link", "Passage", "Relation", "Sentence", "Span"]

Interval = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Link:
    """A concept that a span stands for, as its file wrote it (`D018213`, `OMIM:151400|D009369`)."""

    identifier: str
    database: str = ""  # the name of the vocabulary where the file says it, e.g. "MESH"


@dataclass(frozen=True, slots=True)
class Span:
    """A typed mention. `fragments` is filled only where the mention is not one stretch of text."""

    start: int
    end: int
    label: str
    fragments: tuple[Interval, ...] = ()
    id: str = ""
    links: tuple[Link, ...] = ()
    score: float | None = None
    infons: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def is_discontinuous(self) -> bool:
        """Does the mention leave out characters between its start and its end?"""
        return len(self.fragments) > 1

    @property
    def stretches(self) -> tuple[Interval, ...]:
        """The pieces of text that the mention is made of, at least one."""
        return self.fragments or ((self.start, self.end),)

    def text_in(self, text: str) -> str:
        """Return the mention's own characters; pieces of a discontinuous one are joined by a space."""
        return " ".join(text[start:end] for start, end in self.stretches)


@dataclass(frozen=True, slots=True)
class Argument:
    """One participant of a relation: the id of a span, or the identifier of a concept."""

    role: str
    target: str
    is_concept: bool = False


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed tie between spans or concepts of one document."""

    label: str
    arguments: tuple[Argument, ...]
    id: str = ""
    infons: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of the document with a role, e.g. its title (`infons["type"]`)."""

    start: int
    end: int
    infons: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, with the tokens and further token columns that its file gave, if it gave any."""

    start: int
    end: int
    tokens: tuple[Interval, ...] = ()
    columns: tuple[tuple[str, ...], ...] = ()  # per token, what stood between word and tag
    infons: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Document:
    """A text with everything that is marked in it."""

    id: str
    text: str
    spans: tuple[Span, ...] = ()
    relations: tuple[Relation, ...] = ()
    passages: tuple[Passage, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    infons: Mapping[str, str] = field(default_factory=dict, hash=False)

    def mentions(self) -> Iterator[tuple[Span, str]]:
        """Yield each span with its text."""
        for span in self.spans:
            yield span, span.text_in(self.text)

    def with_spans(self, spans: tuple[Span, ...]) -> "Document":
        """Return the same document with other spans, e.g. predicted ones, and no relations."""
        return replace(self, spans=spans, relations=())
