"""A relation stays as long as all of its arguments do."""

from linnet.documents.document import Argument, Document, Link, Relation, Span
from linnet.documents.whole_relations import keep_whole_relations

SPANS = (Span(0, 1, "X", id="T1", links=(Link("D001"),)), Span(2, 3, "X", id="T2", links=(Link("D001"),)))


def ids(document: Document, *spans: Span) -> list[str]:
    return [relation.id for relation in keep_whole_relations(document, spans)]


def test_a_concept_stays_with_any_of_its_mentions() -> None:
    document = Document("d", "a b", SPANS, (Relation("r", (Argument("a", "D001", is_concept=True),), id="R1"),))

    assert ids(document, SPANS[1]) == ["R1"]
    assert ids(document) == []


def test_a_relation_goes_with_the_relation_that_it_is_about() -> None:
    inner = Relation("r", (Argument("a", "T1"),), id="R1")
    outer = Relation("r", (Argument("a", "R1"),), id="R2")
    document = Document("d", "a b", SPANS, (outer, inner))

    assert ids(document, SPANS[1]) == []
    assert ids(document, SPANS[0]) == ["R2", "R1"]
