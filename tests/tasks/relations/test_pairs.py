"""Candidate pairs: of which types, how far apart, and which two mentions."""

import pytest

from linnet.documents.document import Argument, Document, Link, Relation, Span
from linnet.errors import BadFile
from linnet.tasks.relations.pairs import (
    Level,
    concepts_of,
    entities_of,
    pairs_of,
    parse_type_pairs,
    type_pairs,
    unit_of,
    with_span_ids,
)

TEXT = "Aspirin helps. Ataxia follows aspirin. Gout, too."
ASPIRIN, AGAIN = (0, 7), (30, 37)
ATAXIA, GOUT = (15, 21), (39, 43)


def span(at: tuple[int, int], label: str, *concepts: str, id: str = "") -> Span:
    return Span(*at, label, id=id, links=tuple(map(Link, concepts)))


def document(*spans: Span, relations: tuple[Relation, ...] = ()) -> Document:
    return Document("1", TEXT, spans, relations)


def tie(first: str, second: str, *, is_concept: bool = True) -> Relation:
    return Relation("causes", (Argument("a", first, is_concept), Argument("b", second, is_concept)))


LINKED = (
    span(ASPIRIN, "Chemical", "C1"),
    span(ATAXIA, "Disease", "D1"),
    span(AGAIN, "Chemical", "C1"),
    span(GOUT, "Disease", "D2"),
)


def described(found: Document, level: Level = "sentence") -> list[tuple[str, str, str]]:
    pairs = pairs_of(found, "concept", [("Chemical", "Disease"), ("Disease", "Disease")], level)
    return [(pair.subject.key, pair.object.key, TEXT[slice(*pair.stretch)]) for pair in pairs]


def test_a_pair_in_a_sentence_is_read_in_that_sentence() -> None:
    assert described(document(*LINKED)) == [("C1", "D1", "Ataxia follows aspirin.")]


def test_a_pair_in_a_document_is_read_in_all_of_it() -> None:
    found = described(document(*LINKED), level="document")

    assert found == [("C1", "D1", TEXT), ("C1", "D2", TEXT), ("D1", "D2", TEXT)]


def test_the_order_of_spans_does_not_matter() -> None:
    assert described(document(*LINKED[::-1]), level="document") == described(document(*LINKED), level="document")


def test_the_closest_two_mentions_stand_for_a_pair() -> None:
    (pair,) = pairs_of(document(*LINKED[:3]), "concept", [("Disease", "Chemical")], "document")

    # 9 characters lie between the ataxia and the second aspirin; 8 between the first aspirin and the ataxia
    assert [(each.start, each.end) for each in pair.mentions] == [ATAXIA, ASPIRIN]
    assert pair.keys == {"C1", "D1"}


def test_a_composite_mention_stands_for_both_only_where_there_are_no_others() -> None:
    both = span(ATAXIA, "Disease", "D1,D2")

    (alone,) = pairs_of(document(both), "concept", [("Disease", "Disease")], "sentence")
    (pair,) = pairs_of(document(both, span(GOUT, "Disease", "D2")), "concept", [("Disease", "Disease")], "document")

    assert alone.mentions == (both, both)
    assert [each.start for each in pair.mentions] == [ATAXIA[0], GOUT[0]]


def test_mentions_of_one_sentence_are_paired_singly() -> None:
    found = document(span(ASPIRIN, "A", id="T9"), span(AGAIN, "A"), span(ATAXIA, "B"))

    pairs = pairs_of(found, "mention", [("A", "A"), ("A", "B")], "document")

    # ids are given in the order of the spans, pairs come in reading order
    assert [(pair.subject.key, pair.object.key) for pair in pairs] == [("T9", "T2"), ("T9", "T1"), ("T1", "T2")]


def test_two_mentions_with_one_id_are_refused() -> None:
    with pytest.raises(BadFile, match="document '1': two mentions are called 'T1'"):
        entities_of(document(span(ASPIRIN, "A", id="T1"), span(GOUT, "A", id="T1")), "mention")


def test_ids_are_given_to_mentions_without_one() -> None:
    found = with_span_ids(document(span(ASPIRIN, "A"), span(ATAXIA, "A", id="T1"), span(GOUT, "A")))

    assert [each.id for each in found.spans] == ["T2", "T1", "T3"]
    assert with_span_ids(found) is found


def test_a_concept_has_the_type_of_most_mentions() -> None:
    mentions = [span(ASPIRIN, "A", "1"), span(ATAXIA, "B", "1"), span(GOUT, "B", "1")]

    assert entities_of(document(*mentions), "concept")["1"].label == "B"
    assert entities_of(document(*mentions[:2]), "concept")["1"].label == "A"  # as many of each: the first by name


@pytest.mark.parametrize(
    ("identifier", "concepts"),
    [
        ("3172,3651;12", ["3172", "3651", "12"]),
        ("D006470|D003556", ["D006470", "D003556"]),
        ("OMIM:151400+D009369", ["OMIM:151400", "D009369"]),
        ("c|DEL|1314_1328|", ["c|DEL|1314_1328|"]),
        ("p|SUB|R|399|Q,rs25487", ["p|SUB|R|399|Q", "rs25487"]),
        ("D1234,D1234", ["D1234"]),
        ("-1", []),
        ("-", []),
    ],
)
def test_composite_identifiers_are_taken_apart(identifier: str, concepts: list[str]) -> None:
    assert concepts_of(span(GOUT, "X", identifier)) == concepts


def test_what_is_paired_is_what_relations_tie() -> None:
    concepts = document(*LINKED, relations=(tie("C1", "D1"),))
    mentions = document(*LINKED, relations=(tie("T1", "T2", is_concept=False),))

    assert unit_of([concepts, mentions, concepts]) == "concept"
    assert unit_of([mentions]) == "mention"
    assert unit_of([document(*LINKED)]) == "concept"
    assert unit_of([document(span(GOUT, "X"))]) == "mention"


def test_types_stand_in_the_order_of_most_relations() -> None:
    relations = (tie("D1", "C1"), tie("C1", "D1"), tie("C1", "D2"), tie("D1", "D2"), tie("D1", "D1"), tie("D1", "X"))

    assert type_pairs([document(*LINKED, relations=relations)], "concept") == [
        ("Chemical", "Disease"),
        ("Disease", "Disease"),
    ]


def test_of_two_orders_as_frequent_the_first_by_name_counts() -> None:
    relations = (tie("D1", "C1"), tie("C1", "D2"))

    assert type_pairs([document(*LINKED, relations=relations)], "concept") == [("Chemical", "Disease")]


def test_names_of_type_pairs_may_hold_hyphens() -> None:
    assert parse_type_pairs(["A-B"]) == [("A", "B")]
    assert parse_type_pairs(["A-B-C"]) == [("A", "B-C"), ("A-B", "C")]
    assert parse_type_pairs(["A"]) == []


def test_white_space_at_the_edge_of_a_mention_belongs_to_its_stretch() -> None:
    text = "a b "
    found = Document("1", text, (Span(0, 1, "A"), Span(2, 4, "B")))

    (pair,) = pairs_of(found, "mention", [("A", "B")], "sentence")

    assert pair.stretch == (0, 4)
