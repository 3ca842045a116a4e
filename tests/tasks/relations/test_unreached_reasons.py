"""Every relation is the label of a candidate pair, or is listed with the reason why it is not."""

from collections import Counter

import pytest

from linnet.documents.document import Argument, Document, Link, Relation, Span
from linnet.errors import BadFile
from linnet.formats.reading import read_documents
from linnet.tasks.relations.pairs import Level, pairs_of, type_pairs
from linnet.tasks.relations.unreached import (
    ARGUMENTS,
    ITSELF,
    NO_MENTION,
    OTHER_UNIT,
    SECOND,
    SENTENCES,
    TYPES,
    reach_of,
    unreached_relations,
)
from tests.shared_data import SHARED, needs_shared

BIORED = SHARED / "data" / "linking" / "biored"
SPANS = (
    Span(0, 1, "A", id="T1", links=(Link("a"),)),
    Span(2, 3, "B", id="T2", links=(Link("b"),)),
    Span(5, 6, "C", id="T3", links=(Link("c"),)),
    Span(7, 8, "B", id="T4", links=(Link("d"),)),
)
TYPE_PAIRS = [("A", "B")]


def tie(label: str, *targets: str, is_concept: bool = True) -> Relation:
    return Relation(label, tuple(Argument("", each, is_concept) for each in targets), id=label)


def document(*relations: Relation) -> Document:
    return Document("7", "X y. Z w.", SPANS, relations)


def test_every_relation_is_reached_or_has_a_reason() -> None:
    relations = [
        tie("reached", "b", "a"),
        tie("triple", "a", "b", "c"),
        tie("mentions", "T1", "T2", is_concept=False),
        tie("absent", "a", "e"),
        tie("self", "a", "a"),
        tie("types", "a", "c"),
        tie("sentences", "a", "d"),
        tie("second", "a", "b"),
    ]

    found = document(*relations)
    reach = reach_of(found, pairs_of(found, "concept", TYPE_PAIRS, "sentence"), "concept", TYPE_PAIRS)

    assert reach.label_by_pair == {frozenset("ab"): "reached"}
    assert reach.reversed == relations[:1]
    assert {each.relation.label: each.reason for each in reach.unreached} == {
        "triple": ARGUMENTS,
        "mentions": OTHER_UNIT,
        "absent": NO_MENTION,
        "self": ITSELF,
        "types": TYPES,
        "sentences": SENTENCES,
        "second": SECOND,
    }


def test_a_relation_that_says_the_same_as_another_is_reached_with_it() -> None:
    found = document(tie("x", "a", "b"), tie("x", "b", "a"), tie("y", "a", "b"))

    reach = reach_of(found, pairs_of(found, "concept", TYPE_PAIRS, "sentence"), "concept", TYPE_PAIRS)

    assert reach.label_by_pair == {frozenset("ab"): "x"}
    assert [(each.relation.label, each.reason) for each in reach.unreached] == [("y", SECOND)]


def test_a_relation_across_sentences_is_reached_in_the_document() -> None:
    found = unreached_relations([document(tie("x", "a", "d"))], unit="concept", types=TYPE_PAIRS, level="document")

    assert found == []


def test_a_relation_whose_mention_is_missing_is_refused() -> None:
    with pytest.raises(BadFile, match="document '7', relation 'x': there is no mention 'T9'") as refused:
        unreached_relations(
            [document(tie("x", "T1", "T9", is_concept=False))], unit="mention", types=TYPE_PAIRS, level="document"
        )
    assert "add the mention" in refused.value.remedy


def test_an_event_that_ties_another_is_listed() -> None:
    event, other = tie("x", "T1", "y", is_concept=False), tie("y", "T1", "T2", is_concept=False)

    (found,) = unreached_relations([document(event, other)], unit="mention", types=TYPE_PAIRS, level="document")

    assert (found.document, found.relation, found.reason) == ("7", event, NO_MENTION)


# 400 and 100 documents with 4,178 and 1,162 relations (PROVENANCE.md). Three and one tie a concept to itself; four name
# the two concepts of one mention as one. How many lie in no sentence together depends on our sentence splitter.
@needs_shared
@pytest.mark.parametrize(
    ("file", "level", "n_relations", "reasons"),
    [
        ("Train.PubTator", "document", 4178, {ITSELF: 3, NO_MENTION: 4}),
        ("Train.PubTator", "sentence", 4178, {ITSELF: 3, NO_MENTION: 4, SENTENCES: 564}),
        ("Dev.PubTator", "document", 1162, {ITSELF: 1}),
        ("Dev.PubTator", "sentence", 1162, {ITSELF: 1, SENTENCES: 204}),
        ("Dev.BioC.XML", "document", 1162, {ITSELF: 1}),
    ],
)
def test_every_relation_of_biored_is_accounted_for(
    file: str, level: Level, n_relations: int, reasons: dict[str, int]
) -> None:
    documents = list(read_documents(BIORED / file))
    types = type_pairs(documents, "concept")

    reaches = [reach_of(each, pairs_of(each, "concept", types, level), "concept", types) for each in documents]

    unreached = Counter(each.reason for reach in reaches for each in reach.unreached)
    assert unreached == reasons
    assert sum(len(reach.label_by_pair) for reach in reaches) + unreached.total() == n_relations
