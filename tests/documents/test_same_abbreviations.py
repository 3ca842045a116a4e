"""Consistent mentions of abbreviations and their long forms."""

from linnet.documents.document import Document, Span
from linnet.documents.same_abbreviations import with_same_abbreviations

TEXT = "Ataxia telangiectasia (A-T) is rare. A-T is severe, but FA-T is not."
LONG, FIRST, SECOND = (0, 21), (23, 26), (37, 40)


def mark(*spans: Span, text: str = TEXT) -> Document:
    return Document("1", text, spans)


def places(document: Document) -> list[tuple[int, int, str]]:
    return [(span.start, span.end, span.label) for span in document.spans]


def test_an_abbreviation_gets_the_label_of_its_long_form_everywhere() -> None:
    found = with_same_abbreviations(mark(Span(*LONG, "Disease", score=0.8)))

    assert places(found) == [(*LONG, "Disease"), (*FIRST, "Disease"), (*SECOND, "Disease")]
    assert {span.score for span in found.spans} == {0.8}


def test_a_long_form_gets_the_label_that_most_of_its_abbreviations_have() -> None:
    found = with_same_abbreviations(mark(Span(*FIRST, "Gene"), Span(*SECOND, "Gene")))

    assert places(found) == [(*LONG, "Gene"), (*FIRST, "Gene"), (*SECOND, "Gene")]


def test_another_label_of_the_abbreviation_is_corrected() -> None:
    found = with_same_abbreviations(mark(Span(*LONG, "Disease"), Span(*SECOND, "Gene")))

    assert places(found) == [(*LONG, "Disease"), (*FIRST, "Disease"), (*SECOND, "Disease")]


def test_nothing_is_added_where_another_mention_stands() -> None:
    longer, wider = Span(0, 26, "Disease"), Span(37, 50, "Disease")

    assert with_same_abbreviations(mark(longer)) == mark(longer)
    assert with_same_abbreviations(mark(Span(*FIRST, "X"), Span(0, 6, "Y"))) == mark(Span(*FIRST, "X"), Span(0, 6, "Y"))
    assert places(with_same_abbreviations(mark(Span(*LONG, "D"), wider))) == [(*LONG, "D"), (*FIRST, "D"), (37, 50, "Disease")]  # fmt: skip  # noqa: E501


def test_a_document_without_definitions_or_mentions_stays_as_it_is() -> None:
    plain = mark(Span(0, 3, "X"), text="A-T is severe.")

    assert with_same_abbreviations(plain) is plain
    assert with_same_abbreviations(mark()) == mark()


def test_it_changes_nothing_the_second_time() -> None:
    once = with_same_abbreviations(mark(Span(*LONG, "Disease")))

    assert with_same_abbreviations(once) == once
