"""Document records: text, spans, relations, passages and sentences.

Offsets are characters (Python code points) of `Document.text`, end exclusive. The text is the user's input and is
never altered.
"""

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from linnet.documents.whole_relations import keep_whole_relations

__all__ = ["Argument", "Document", "Link", "Passage", "Relation", "Sentence", "Span"]

Interval = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Link:
    """A link from a span to a concept, as its file has it (`D018213`, `OMIM:151400|D009369`)."""

    identifier: str
    database: str = ""  # the name of the vocabulary if the file gives it, e.g. "MESH"
    name: str = ""  # the preferred name of the concept, where a linker gives it
    score: float | None = None  # of a linker, from 0 to 1


@dataclass(frozen=True, slots=True)
class Span:
    """A mention with its entity type as `label`; `fragments` is filled only if the mention is discontinuous."""

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
        """Does the mention have gaps between its start and its end?"""
        return len(self.fragments) > 1

    @property
    def stretches(self) -> tuple[Interval, ...]:
        """The intervals of the mention, at least one."""
        return self.fragments or ((self.start, self.end),)

    def text_in(self, text: str) -> str:
        """Return the text of the mention; fragments are joined by a space."""
        return " ".join(text[start:end] for start, end in self.stretches)


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a relation: the id of a span, or the identifier of a concept."""

    role: str
    target: str
    is_concept: bool = False


@dataclass(frozen=True, slots=True)
class Relation:
    """A labelled relation between spans or concepts of one document."""

    label: str
    arguments: tuple[Argument, ...]
    id: str = ""
    infons: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Passage:
    """A section of the document, e.g. its title (`infons["type"]`)."""

    start: int
    end: int
    infons: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, with tokens and further token columns if its file has them."""

    start: int
    end: int
    tokens: tuple[Interval, ...] = ()
    columns: tuple[tuple[str, ...], ...] = ()  # per token, the columns between word and tag
    infons: Mapping[str, str] = field(default_factory=dict, hash=False)

    def moved(self, offset: int) -> "Sentence":
        """Return the sentence with so many characters more before it."""
        tokens = tuple((start + offset, end + offset) for start, end in self.tokens)
        return replace(self, start=self.start + offset, end=self.end + offset, tokens=tokens)


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its annotations."""

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
        """Return the document with other spans, and with the relations whose mentions are among them.

        A mention is the same if it has the same id and the same place. A warning says how many relations are dropped;
        `without_annotations` drops all mentions and relations on purpose.
        """
        kept = tuple(keep_whole_relations(self, spans))
        if n_dropped := len(self.relations) - len(kept):
            found = f"{n_dropped} of {len(self.relations)} relations are dropped with their mentions"
            warnings.warn(f"document {self.id!r}: {found}", stacklevel=2)
        return replace(self, spans=spans, relations=kept)

    def without_annotations(self) -> "Document":
        """Return the document without mentions and relations."""
        return replace(self, spans=(), relations=())
