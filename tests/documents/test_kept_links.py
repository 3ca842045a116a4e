"""Mentions keep the links that they bring."""

import pytest

from linnet.documents.document import Document, Link, Span
from linnet.documents.kept_links import keep_links

OLD, NEW = Link("D1", score=0.5), Link("D2", score=0.9)


def test_only_mentions_without_links_get_new_ones() -> None:
    given = Document("1", "a b c", (Span(0, 1, "X", links=(OLD,)), Span(2, 3, "X"), Span(4, 5, "X")))
    linked = Document(
        "1", "a b c", (Span(0, 1, "X", infons={"n": "1"}), Span(2, 3, "X", links=(NEW,)), Span(4, 5, "X"))
    )

    kept = keep_links(linked, given)

    assert [span.links for span in kept.spans] == [(OLD,), (NEW,), ()]
    assert kept.spans[0].infons == {"n": "1"}


def test_documents_with_other_mentions_are_a_bug() -> None:
    with pytest.raises(ValueError, match="zip"):
        keep_links(Document("1", "a"), Document("1", "a", (Span(0, 1, "X"),)))
