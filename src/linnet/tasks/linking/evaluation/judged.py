"""Mentions and documents with gold and predicted identifiers, from which all scores of linking are counted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from linnet.documents.document import Document
from linnet.tasks.linking.candidates import Candidate
from linnet.tasks.linking.evaluation.gold import GoldIdentifiers, mention_form
from linnet.tasks.linking.linker import Linker

__all__ = ["TOP", "FoundMention", "JudgedDocument", "JudgedMention", "Seen", "find_mentions", "judge"]

TOP = 5  # candidates that are kept and judged

Seen = tuple[set[str], set[str]]  # forms and identifiers of the training corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedMention:
    """A gold mention with its identifiers, and what the linker says about it."""

    start: int
    end: int
    text: str
    expanded: str  # abbreviations and names in brackets resolved
    label: str
    gold: tuple[str, ...]  # none: NIL
    parts: tuple[tuple[str, ...], ...]  # candidates of each concept that the mention names, the best first
    links: tuple[str, ...]  # what reaches the threshold
    names: tuple[str, ...]  # preferred name of the best candidate of each part
    matched: tuple[str, ...]  # the name that it was found by
    scores: tuple[float, ...]
    is_known: bool  # does the vocabulary have a gold identifier?
    is_seen: bool | None = None  # was the form learned from the training corpus? None: not known
    is_seen_concept: bool | None = None

    @property
    def ranked(self) -> list[str]:
        """All candidates: the best of each part, then the second of each."""
        longest = max(map(len, self.parts), default=0)
        return [part[place] for place in range(longest) for part in self.parts if place < len(part)]

    @property
    def answers(self) -> list[str]:
        """The best candidate of each part, each once."""
        return list(dict.fromkeys(part[0] for part in self.parts if part))


@dataclass(frozen=True, slots=True)
class FoundMention:
    """A mention that was found end to end, with its links."""

    start: int
    end: int
    label: str
    links: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JudgedDocument:
    """A document with its gold mentions, and with the mentions found end to end."""

    id: str
    text: str
    mentions: tuple[JudgedMention, ...]
    found: tuple[FoundMention, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> "JudgedDocument":
        """Return what `as_dict` wrote."""
        mentions = (JudgedMention(**{name: _freeze(value) for name, value in each.items()}) for each in row["mentions"])
        found = (FoundMention(**{name: _freeze(value) for name, value in each.items()}) for each in row["found"])
        return cls(row["id"], row["text"], tuple(mentions), tuple(found))


def judge(
    linker: Linker,
    document: Document,
    gold: GoldIdentifiers,
    *,
    seen: Seen | None = None,
    found: Sequence[FoundMention] | None = None,
) -> JudgedDocument:
    """Return what a linker says about the gold mentions of a document.

    Args:
        linker: the linker.
        document: with gold mentions and identifiers.
        gold: brings identifiers into one spelling.
        seen: forms and identifiers of the training corpus.
        found: mentions found end to end; the gold mentions if not given.
    """
    mentions = []
    for span, parts in zip(document.spans, linker.rank_parts(document, TOP), strict=True):
        text, expanded = parts[0].mention.text, parts[0].mention.expanded
        identifiers = gold.of_span(span)
        best = [part.candidates[0] for part in parts if part.candidates]
        is_right = [gold.concept(each) is not None for each in identifiers]
        mentions.append(
            JudgedMention(
                start=span.start,
                end=span.end,
                text=text,
                expanded=expanded,
                label=span.label,
                gold=identifiers,
                parts=tuple(tuple(gold.canonical(each.id) for each in part.candidates) for part in parts),
                links=_links(best, linker.min_score, gold),
                names=tuple(each.name for each in best),
                matched=tuple(each.matched for each in best),
                scores=tuple(round(each.score, 6) for each in best),
                is_known=any(is_right),
                is_seen=None if seen is None else mention_form(expanded) in seen[0],
                is_seen_concept=None if seen is None else any(each in seen[1] for each in identifiers),
            )
        )
    if found is None:
        found = [FoundMention(each.start, each.end, each.label, each.links) for each in mentions]
    return JudgedDocument(document.id, document.text, tuple(mentions), tuple(found))


def find_mentions(document: Document, gold: GoldIdentifiers) -> list[FoundMention]:
    """Return the linked mentions of a document as they are scored end to end."""
    return [FoundMention(span.start, span.end, span.label, gold.of_span(span)) for span in document.spans]


def _links(best: Iterable[Candidate], min_score: float, gold: GoldIdentifiers) -> tuple[str, ...]:
    return tuple(dict.fromkeys(gold.canonical(each.id) for each in best if each.score >= min_score))


def _freeze(value: Any) -> Any:  # Any: a value of JSON
    return tuple(map(_freeze, value)) if isinstance(value, list) else value
