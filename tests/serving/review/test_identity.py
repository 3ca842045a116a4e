"""A review is told from others by its documents."""

from dataclasses import replace

import pytest

from linnet.documents.document import Argument, Document, Link, Relation, Span
from linnet.errors import BadFile
from linnet.serving.review.identity import hash_documents, hash_mentions

DOCUMENTS = [Document("1", "ataxia and colds"), Document("2", "zinc"), Document("3", "none")]


def test_a_hash_of_documents_needs_ids_of_their_own() -> None:
    assert hash_documents(DOCUMENTS, "in") == hash_documents(DOCUMENTS[::-1], "in")
    assert hash_documents(DOCUMENTS, "in") != hash_documents(DOCUMENTS[:2], "in")
    with pytest.raises(BadFile, match="two documents have the id '1'"):
        hash_documents([DOCUMENTS[0], DOCUMENTS[0]], "in")
    with pytest.raises(BadFile, match="there are no documents"):
        hash_documents([], "in")


def test_a_hash_of_mentions_has_what_a_person_sees_of_them_and_no_confidence() -> None:
    def hashed(*spans: Span) -> str:
        return hash_mentions([replace(DOCUMENTS[0], spans=spans), DOCUMENTS[1]])

    one, two = Span(0, 6, "Disease", score=0.9, links=(Link("D1", "MESH"),)), Span(11, 16, "Disease")
    changes = ({"end": 5}, {"label": "Sign"}, {"links": ()}, {"fragments": ((0, 1), (3, 6))})
    others = [replace(one, **change) for change in changes]

    assert hashed(one, two) == hashed(two, replace(one, score=0.2))
    assert hashed(one) != hashed(one, two)
    assert len({hashed(one), *map(hashed, others)}) == 5


def test_a_hash_of_mentions_has_relations_and_whose_they_are() -> None:
    two = (Span(0, 6, "Disease", id="T1"), Span(11, 16, "Disease", id="T2"))
    document = replace(DOCUMENTS[0], spans=two)
    relation = Relation("with", (Argument("a", "T1"), Argument("b", "T2")))

    assert hash_mentions([document]) != hash_mentions([replace(document, relations=(relation,))])
    assert hash_mentions([document]) != hash_mentions([replace(document, id="2")])
