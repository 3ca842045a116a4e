"""What a document is."""

import pickle

import pytest

from linnet.documents.document import Argument, Document, Link, Passage, Relation, Sentence, Span

TEXT = "Breast and ovarian cancer 😀 in BRCA1 carriers."
BROKEN = Span(0, 25, "Disease", fragments=((0, 6), (19, 25)))


def test_a_span_knows_its_own_characters() -> None:
    assert Span(31, 36, "Gene").text_in(TEXT) in TEXT
    assert Span(0, 25, "Disease").text_in(TEXT) == "Breast and ovarian cancer"


def test_offsets_count_astral_characters_once() -> None:
    start = TEXT.index("BRCA1")

    assert Span(start, start + 5, "Gene").text_in(TEXT) == "BRCA1"
    assert start == 31  # counted by hand: 25 characters, space, one emoji, " in "


def test_a_discontinuous_span_leaves_out_what_lies_between() -> None:
    assert BROKEN.is_discontinuous
    assert BROKEN.text_in(TEXT) == "Breast cancer"
    assert BROKEN.stretches == ((0, 6), (19, 25))


def test_a_continuous_span_is_one_stretch() -> None:
    span = Span(2, 5, "X")

    assert not span.is_discontinuous
    assert span.stretches == ((2, 5),)


def test_a_document_yields_its_mentions_with_their_text() -> None:
    document = Document("d", TEXT, (BROKEN, Span(31, 36, "Gene")))

    assert [text for _, text in document.mentions()] == ["Breast cancer", "BRCA1"]


def test_other_spans_take_the_relations_away_that_named_the_old_ones() -> None:
    relation = Relation("ties", (Argument("a", "T1"),))
    document = Document("d", TEXT, (Span(0, 6, "X", id="T1"),), (relation,))

    predicted = document.with_spans((Span(31, 36, "Gene"),))

    assert (predicted.spans, predicted.relations) == ((Span(31, 36, "Gene"),), ())
    assert (predicted.id, predicted.text) == (document.id, document.text)


def test_records_can_be_hashed_compared_and_sent_to_other_processes() -> None:
    document = Document(
        "d",
        TEXT,
        (Span(0, 6, "X", id="T1", links=(Link("D1", "MESH"),), score=0.5, infons={"a": "b"}),),
        (Relation("r", (Argument("a", "T1"),), infons={"novel": "No"}),),
        (Passage(0, 6, {"type": "title"}),),
        (Sentence(0, 6, ((0, 6),), (("NN",),)),),
        {"year": "2020"},
    )

    copy = pickle.loads(pickle.dumps(document))

    assert copy == document
    assert hash(copy) == hash(document)


def test_records_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Document("d", TEXT).text = "other"  # type: ignore[misc]  # that is the point
