"""What a document is."""

import pickle
from dataclasses import replace

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


def related() -> Document:
    spans = (Span(0, 6, "X", id="T1"), Span(31, 36, "Gene", id="T2"), Span(10, 12, "X", id="T3"))
    pair = Relation("ties", (Argument("a", "T1"), Argument("b", "T2")), id="R1")
    other = Relation("ties", (Argument("a", "T1"), Argument("b", "T3")), id="R2")
    return Document("d", TEXT, spans, (pair, other))


def test_relations_whose_mentions_stay_are_kept_and_the_others_are_said() -> None:
    document = related()

    with pytest.warns(UserWarning, match=r"document 'd': 1 of 2 relations are dropped with their mentions"):
        fewer = document.with_spans(document.spans[:2])

    assert [relation.id for relation in fewer.relations] == ["R1"]
    assert (fewer.id, fewer.text) == (document.id, document.text)


def test_mentions_with_another_label_or_score_stay() -> None:
    document = related()

    renamed = document.with_spans(tuple(replace(span, label="Y", score=0.5) for span in document.spans))

    assert renamed.relations == document.relations


def test_an_equal_id_at_another_place_is_another_mention() -> None:
    document = related()

    with pytest.warns(UserWarning, match="2 of 2"):
        predicted = document.with_spans((Span(31, 36, "Gene", id="T1"),))

    assert predicted.relations == ()


def test_a_document_without_annotations_keeps_its_text() -> None:
    bare = related().without_annotations()

    assert (bare.text, bare.spans, bare.relations) == (TEXT, (), ())


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
