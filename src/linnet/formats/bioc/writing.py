"""Conversion of documents to BioC structures, and the list of what BioC cannot hold.

A document without passages becomes one passage. BioC has no text between passages: a line break there is restored by
the reader, other white space becomes line breaks, and anything else becomes a passage of its own (listed by
`losses_of`). A passage with sentences has its own text only if it differs from the sentences joined by spaces. All
relations are written in the document, not in its passages.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from linnet.contracts import WriteOptions
from linnet.documents.document import Document, Link, Passage, Relation, Sentence, Span
from linnet.formats.bioc.fields import Structure
from linnet.formats.bioc.structure import (
    BETWEEN_PASSAGES,
    BETWEEN_SENTENCES,
    Container,
    Containers,
    collect_concepts,
    collection_of,
    fill_ids,
    header_of,
    infons_of_relation,
    infons_of_span,
    relation_from,
    span_from,
)
from linnet.formats.link_details import SEVERAL_LINKS, lost_link_details
from linnet.formats.unique_ids import IdSet, claim_id, ids_to_claim
from linnet.storage.files import check_text

__all__ = ["losses_of", "structures_of"]


@dataclass(frozen=True)
class _Layout:
    """The passages and sentences to write, and how many of the passages are not in the document."""

    passages: list[Passage]
    sentences: list[Sentence]
    n_added: int

    @property
    def containers(self) -> Containers:
        return Containers(self.passages, self.sentences)


def structures_of(
    documents: Iterable[Document], place: str, options: WriteOptions
) -> tuple[Structure, Iterator[Structure]]:
    """Return the collection without documents, and an iterator of its documents.

    The fields of the collection are those of the first document; a document with other values keeps them as infons.
    """
    rest = iter(documents)
    first = list(islice(rest, 1))
    header = header_of(first[0].infons) if first else {}
    return collection_of(header), _build_structures(chain(first, rest), header, place, ids_to_claim(options))


def losses_of(document: Document) -> list[tuple[str, int]]:
    """Return what would be lost if the document were written and read again; added ids are not counted."""
    layout = _plan_layout(document)
    targets = _find_targets(document)
    plain = [replace(span, links=_without_details(span.links)) for span in document.spans]
    spans = [(span, span_from(infons_of_span(span), span.stretches, span.id)) for span in plain]
    concepts = collect_concepts(again for _, again in spans)
    found = (
        ("token boundaries", sum(len(sentence.tokens) for sentence in document.sentences)),
        ("token columns", sum(any(row) for sentence in document.sentences for row in sentence.columns)),
        ("text outside passages", layout.n_added),
        ("white space outside passages", _count_blanks(document, layout.passages)),
        ("overlapping passages", max(0, len(document.passages) + layout.n_added - len(layout.passages))),
        ("sentences that overlap or cross passages", len(document.sentences) - len(layout.sentences)),
        *lost_link_details(document.spans),
        (SEVERAL_LINKS, sum(map(_is_joined, spans))),
        (
            "links or infons of mentions whose names BioC reads in another way",
            sum(_content(_join_links(span)) != _content(again) for span, again in spans),
        ),
        ("arguments that do not name one span", sum(_count_lost_arguments(r, targets) for r in document.relations)),
        ("arguments and infons of relations", sum(not _is_restored(r, concepts) for r in document.relations)),
    )
    return [(what, number) for what, number in found if number]


def _count_blanks(document: Document, passages: Iterable[Passage]) -> int:
    """Count the characters outside the written passages that a reader does not restore."""
    reach = number = 0
    for passage in passages:
        gap = document.text[reach : passage.start]
        number += len(gap) - gap.count(BETWEEN_PASSAGES)
        reach = passage.end
    return number + len(document.text) - reach


def _build_structures(
    documents: Iterable[Document], header: Mapping[str, str], place: str, ids: IdSet | None
) -> Iterator[Structure]:
    for document in documents:
        claim_id(document.id, ids, place)
        structure = _build_structure(document, header)
        if _holds_nul([structure, dict(header)]):
            check_text("\0", f"document {document.id!r}")
        yield structure


def _holds_nul(value: object) -> bool:
    if isinstance(value, dict):
        return any(_holds_nul(key) or _holds_nul(part) for key, part in value.items())
    if isinstance(value, list):
        return any(map(_holds_nul, value))
    return isinstance(value, str) and "\0" in value


def _build_structure(document: Document, header: Mapping[str, str]) -> Structure:
    layout = _plan_layout(document)
    annotations = _build_annotations(document, layout.containers)
    targets = _find_targets(document)
    own = header_of(document.infons)
    same = {key for key, value in own.items() if header.get(key) == value}
    infons = {key: value for key, value in document.infons.items() if key not in same}
    return {
        "id": document.id,
        "infons": infons | {key: "" for key in header if key not in own},
        "passages": list(_build_passages(document, layout, annotations)),
        "annotations": annotations.get(layout.containers.document, []),
        "relations": [_build_relation(relation, targets) for relation in document.relations],
    }


def _plan_layout(document: Document) -> _Layout:
    passages, n_added = _plan_passages(document)
    containers = Containers(passages, ())
    sentences: list[Sentence] = []
    for sentence in sorted(document.sentences, key=lambda sentence: (sentence.start, sentence.end)):
        is_free = not sentences or sentences[-1].end <= sentence.start
        if is_free and containers.passage_of(sentence.start, sentence.end) is not None:
            sentences.append(sentence)
    return _Layout(passages, sentences, n_added)


def _plan_passages(document: Document) -> tuple[list[Passage], int]:
    """Return passages that do not overlap and cover all text, and how many of them were added for that."""
    end = len(document.text)
    if not document.passages:
        return ([Passage(0, end)] if end or document.sentences else []), 0
    written: list[Passage] = []
    reach = n_added = 0
    for passage in sorted(document.passages, key=lambda passage: (passage.start, passage.end)):
        if passage.start < reach:
            continue
        if _needs_passage(document, reach, passage.start):
            written.append(Passage(reach, passage.start))
            n_added += 1
        written.append(passage)
        reach = passage.end
    if _needs_passage(document, reach, end, is_last=True):
        written.append(Passage(reach, end))
        n_added += 1
    return written, n_added


def _needs_passage(document: Document, start: int, end: int, *, is_last: bool = False) -> bool:
    """Would the reader fill this gap between or after passages with other characters, or lose a span in it?"""
    gap = document.text[start:end]
    if not gap or (not is_last and not gap.strip(BETWEEN_PASSAGES)):
        return False
    stop = end + 1 if is_last else end  # an empty span may stand behind the last character
    return not gap.isspace() or any(s < stop and e > start for span in document.spans for s, e in span.stretches)


def _build_annotations(document: Document, containers: Containers) -> dict[Container, list[Structure]]:
    targets = (argument.target for relation in document.relations for argument in relation.arguments)
    taken = (*targets, *(relation.id for relation in document.relations))
    by_container: dict[Container, list[Structure]] = {}
    names = fill_ids((span.id for span in document.spans), taken)
    for span, name in zip(document.spans, names, strict=True):
        structure: Structure = {
            "id": name,
            "infons": infons_of_span(span),
            "locations": [{"offset": start, "length": end - start} for start, end in span.stretches],
            "text": span.text_in(document.text),
        }
        by_container.setdefault(containers.of(span.start, span.end), []).append(structure)
    return by_container


def _build_passages(
    document: Document, layout: _Layout, annotations: Mapping[Container, list[Structure]]
) -> Iterator[Structure]:
    containers = layout.containers
    sentences_of: dict[int | None, list[tuple[int, Sentence]]] = {}
    for index, sentence in enumerate(layout.sentences):
        passage_index = containers.passage_of(sentence.start, sentence.end)
        sentences_of.setdefault(passage_index, []).append((index, sentence))
    for index, passage in enumerate(layout.passages):
        numbered = sentences_of.get(index, [])
        text = document.text[passage.start : passage.end]
        is_implied = (
            numbered and _join_sentences(document.text, passage, [sentence for _, sentence in numbered]) == text
        )
        yield {
            "infons": dict(passage.infons),
            "offset": passage.start,
            **({} if is_implied else {"text": text}),
            "sentences": [
                _build_sentence(document, sentence, annotations.get((index, number), []))
                for number, sentence in numbered
            ],
            "annotations": annotations.get((index, len(layout.sentences)), []),
            "relations": [],
        }


def _join_sentences(text: str, passage: Passage, sentences: list[Sentence]) -> str:
    """Return the text that a reader builds from the sentences of the passage."""
    reach = passage.start
    pieces: list[str] = []
    for sentence in sentences:
        pieces += (BETWEEN_SENTENCES * (sentence.start - reach), text[sentence.start : sentence.end])
        reach = sentence.end
    return "".join(pieces)


def _build_sentence(document: Document, sentence: Sentence, annotations: list[Structure]) -> Structure:
    return {
        "infons": dict(sentence.infons),
        "offset": sentence.start,
        "text": document.text[sentence.start : sentence.end],
        "annotations": annotations,
        "relations": [],
    }


def _build_relation(relation: Relation, targets: frozenset[str]) -> Structure:
    return {
        "id": relation.id,
        "infons": infons_of_relation(relation),
        "nodes": [
            {"refid": argument.target, "role": argument.role}
            for argument in relation.arguments
            if not argument.is_concept and argument.target in targets
        ],
    }


def _find_targets(document: Document) -> frozenset[str]:
    """Return the ids that a node may refer to: those of exactly one span, or of relations."""
    n_by_id = Counter(span.id for span in document.spans)
    of_spans = {name for name, number in n_by_id.items() if number == 1}
    of_relations = {relation.id for relation in document.relations} - n_by_id.keys()
    return frozenset(of_spans | of_relations) - {""}


def _count_lost_arguments(relation: Relation, targets: frozenset[str]) -> int:
    return sum(not argument.is_concept and argument.target not in targets for argument in relation.arguments)


def _without_details(links: Sequence[Link]) -> tuple[Link, ...]:
    """Return the links as BioC holds them."""
    return tuple(Link(link.identifier, link.database) for link in links)


def _is_joined(pair: tuple[Span, Span]) -> bool:
    """Are several links of a mention read back as one?"""
    span, again = pair
    return span.links != again.links == _join_links(span).links


def _join_links(span: Span) -> Span:
    """Return the mention with one link for each vocabulary, as BioC holds them."""
    identifiers: dict[str, list[str]] = {}
    for link in span.links:
        identifiers.setdefault(link.database, []).append(link.identifier)
    return replace(span, links=tuple(Link("|".join(each), database) for database, each in identifiers.items()))


def _content(span: Span) -> tuple[object, ...]:
    return (span.label, span.links, span.score, span.infons)


def _is_restored(relation: Relation, concepts: frozenset[str]) -> bool:
    nodes = [argument for argument in relation.arguments if not argument.is_concept]
    return relation_from(infons_of_relation(relation), nodes, relation.id, concepts) == relation
