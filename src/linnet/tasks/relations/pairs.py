"""Candidate pairs of the mentions, or concepts, of a document.

Relations tie mentions (brat, BioC) or concepts (PubTator, BioRED, BC5CDR), and so do candidates. A concept stands for
all its mentions, and has the type of most of them. A candidate has no direction: of two types the pair of types says
which is the subject; of two entities of one type it is the one that is mentioned first.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, count
from typing import Literal

from linnet.documents.concepts import concepts_of
from linnet.documents.document import Document, Interval, Relation, Span
from linnet.documents.sentences import with_sentences
from linnet.documents.spans import in_reading_order, overlap
from linnet.errors import BadFile

__all__ = [
    "Entity",
    "Level",
    "Pair",
    "TypePair",
    "Unit",
    "concepts_of",
    "entities_of",
    "labelled_relations",
    "pairs_of",
    "parse_type_pairs",
    "tied_types",
    "type_pairs",
    "unit_of",
    "with_span_ids",
]

Unit = Literal["mention", "concept"]
Level = Literal["sentence", "document"]
TypePair = tuple[str, str]  # of the subject and of the object

N_ARGUMENTS = 2


@dataclass(frozen=True)
class Entity:
    """A mention, or a concept with all its mentions in reading order."""

    key: str  # the id of the span, or the identifier of the concept
    label: str
    mentions: tuple[Span, ...]


@dataclass(frozen=True)
class Pair:
    """Two entities that may be related, the two closest mentions of them, and the stretch of text to read."""

    subject: Entity
    object: Entity
    mentions: tuple[Span, Span]
    stretch: Interval

    @property
    def keys(self) -> frozenset[str]:
        """The two, in no order."""
        return frozenset((self.subject.key, self.object.key))


def unit_of(documents: Iterable[Document]) -> Unit:
    """Return what is paired: what most relations tie; where there are none, concepts if any mention has one."""
    counts: Counter[bool] = Counter()
    is_linked = False
    for document in documents:
        counts.update(all(each.is_concept for each in relation.arguments) for relation in document.relations)
        is_linked = is_linked or any(concepts_of(span) for span in document.spans)
    if not counts:
        return "concept" if is_linked else "mention"
    return "concept" if counts[True] >= counts[False] else "mention"


def with_span_ids(document: Document) -> Document:
    """Return the document with an id for each mention: its own, or else the first of T1, T2, ... that is free."""
    if all(span.id for span in document.spans):
        return document
    taken = {span.id for span in document.spans}
    free = (name for number in count(1) if (name := f"T{number}") not in taken)
    return replace(document, spans=tuple(span if span.id else replace(span, id=next(free)) for span in document.spans))


def entities_of(document: Document, unit: Unit) -> dict[str, Entity]:
    """Return what can be paired, by key, in the order in which it is mentioned first.

    Raises:
        BadFile: where mentions are paired and two have one id.
    """
    spans = in_reading_order((with_span_ids(document) if unit == "mention" else document).spans)
    if unit == "mention":
        by_id = {span.id: Entity(span.id, span.label, (span,)) for span in spans}
        if len(by_id) < len(spans):
            twice = Counter(span.id for span in spans).most_common(1)[0][0]
            raise BadFile(f"document {document.id!r}: two mentions are called {twice!r}", "give each its own id")
        return by_id
    by_concept: dict[str, list[Span]] = {}
    for span in spans:
        for concept in concepts_of(span):
            by_concept.setdefault(concept, []).append(span)
    return {key: Entity(key, _commonest_label(mentions), tuple(mentions)) for key, mentions in by_concept.items()}


def labelled_relations(document: Document) -> list[Relation]:
    """Return the relations that have a label; others cannot be learned or scored."""
    return [relation for relation in document.relations if relation.label.strip()]


def tied_types(relation: Relation, entities: Mapping[str, Entity]) -> TypePair | None:
    """Return the types of the two entities that a relation ties, None where it does not tie two."""
    tied = [entities[each.target] for each in relation.arguments if each.target in entities]
    if len(tied) == len(relation.arguments) == N_ARGUMENTS and tied[0].key != tied[1].key:
        return tied[0].label, tied[1].label
    return None


def type_pairs(documents: Iterable[Document], unit: Unit) -> list[TypePair]:
    """Return the types that relations tie, each two of them once, in the order in which most relations name them."""
    counts: Counter[TypePair] = Counter()
    for document in documents:
        relations = labelled_relations(document)
        entities = entities_of(document, unit) if relations else {}
        counts.update(types for relation in relations if (types := tied_types(relation, entities)))
    return sorted(pair for pair, n in counts.items() if (n, pair[::-1]) >= (counts[pair[::-1]], pair))


def parse_type_pairs(names: Iterable[str]) -> list[TypePair]:
    """Return the types that names such as `Chemical-Disease` stand for.

    A type may hold hyphens itself: then every reading of the name counts, of which a corpus has one.

    >>> parse_type_pairs(["CHEMICAL-GENE-N"])
    [('CHEMICAL', 'GENE-N'), ('CHEMICAL-GENE', 'N')]
    """
    return [
        ("-".join(parts[:at]), "-".join(parts[at:]))
        for name in names
        for parts in [name.split("-")]
        for at in range(1, len(parts))
    ]


def pairs_of(document: Document, unit: Unit, types: Sequence[TypePair], level: Level) -> list[Pair]:
    """Return the pairs of entities of these types that are mentioned in one sentence, or in the document.

    The mentions of a pair are the two that are closest to each other; two that overlap (a composite mention stands for
    both concepts) are taken only where there are no others.
    """
    allowed = frozenset(types)
    stretch_of = _stretches(document, level)
    found: list[Pair] = []
    for first, second in combinations(entities_of(document, unit).values(), 2):
        if (first.label, second.label) not in allowed:
            first, second = second, first
        if (first.label, second.label) not in allowed:
            continue
        mentions = min(_together(first, second, stretch_of), key=_apart, default=None)
        if mentions:
            start, end = stretch_of(mentions[0])  # without the white space that a mention may hold at its edges
            stretch = min(start, *(each.start for each in mentions)), max(end, *(each.end for each in mentions))
            found.append(Pair(first, second, mentions, stretch))
    return found


def _commonest_label(mentions: Sequence[Span]) -> str:
    counts = Counter(span.label for span in mentions)
    return min(counts, key=lambda label: (-counts[label], label))


def _stretches(document: Document, level: Level) -> Callable[[Span], Interval]:
    """Return a function from a mention to the stretch of text that it is read in."""
    if level == "document":
        return lambda span: (0, len(document.text))
    # sentences are joined where a mention reaches into the next one, so each mention lies in one
    sentences = [(sentence.start, sentence.end) for sentence in with_sentences(document)] or [(0, len(document.text))]
    starts = [start for start, _ in sentences]
    return lambda span: sentences[max(0, bisect_right(starts, span.start) - 1)]


def _together(first: Entity, second: Entity, stretch_of: Callable[[Span], Interval]) -> Iterator[tuple[Span, Span]]:
    for one in first.mentions:
        for other in second.mentions:
            if stretch_of(one) == stretch_of(other):
                yield one, other


def _apart(mentions: tuple[Span, Span]) -> tuple[bool, int, int, int]:
    """Return how far apart two mentions are, the first in reading order before others as far apart."""
    one, other = mentions
    gap = max(one.start, other.start) - min(one.end, other.end)
    return overlap(one, other), gap, one.start, other.start
