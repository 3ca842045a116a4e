"""Which tokens a span of characters covers."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from linnet.documents.document import Document, Passage, Sentence, Span
from linnet.labels.alignment import TaggableSentence, align, spans_from_mentions
from linnet.labels.mention import Mention

texts = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("Aa1. \n\u2028😀"), max_size=40)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    text = draw(texts)
    offsets = st.tuples(*[st.integers(0, len(text))] * 2).map(sorted)
    spans = [
        Span(start, end, label)
        for (start, end), label in draw(st.lists(st.tuples(offsets, st.sampled_from("XY")), max_size=6))
    ]
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), min_size=4, max_size=4)))
    if draw(st.booleans()):
        spans.append(Span(cuts[0], cuts[3], "X", fragments=((cuts[0], cuts[1]), (cuts[2], cuts[3]))))
    passages = tuple(Passage(start, end) for start, end in draw(st.lists(offsets, max_size=2)))
    own = tuple(Sentence(start, end) for start, end in draw(st.lists(offsets, max_size=1)))
    return Document("d", text, tuple(spans), passages=passages, sentences=own)


def only(document: Document) -> TaggableSentence:
    (row,) = align(document)
    return row


def test_a_span_covers_its_tokens() -> None:
    row = only(Document("d", "low blood pressure here", (Span(4, 18, "Disease"),)))

    assert row.mentions == (Mention(1, 3, "Disease"),)
    assert (row.widened, row.left_out) == ((), ())
    assert row.words("low blood pressure here") == ["low", "blood", "pressure", "here"]


def test_a_span_that_cuts_a_token_is_widened_and_said_so() -> None:
    span = Span(0, 6, "Chemical")

    row = only(Document("d", "potassiums level", (span,)))

    assert row.mentions == (Mention(0, 1, "Chemical"),)
    assert row.widened == (span,)


def test_of_two_spans_in_one_token_the_one_with_more_characters_keeps_it() -> None:
    small, large = Span(0, 2, "X"), Span(2, 9, "Y")

    row = only(Document("d", "abcdefghi", (small, large)))

    assert row.mentions == (Mention(0, 1, "Y"),)
    assert (row.widened, row.left_out) == ((large,), (small,))


def test_of_two_equal_spans_in_one_token_the_earlier_keeps_it() -> None:
    first, second = Span(0, 2, "X"), Span(2, 4, "Y")

    row = only(Document("d", "abcd", (second, first)))

    assert row.mentions == (Mention(0, 1, "X"),)
    assert row.left_out == (second,)


def test_discontinuous_and_nested_spans_are_returned() -> None:
    outer, inner = Span(0, 13, "X"), Span(7, 13, "X")
    broken = Span(0, 20, "X", fragments=((0, 6), (14, 20)))

    row = only(Document("d", "breast cancer tumour", (inner, broken, outer)))

    assert row.mentions == (Mention(0, 2, "X"),)
    assert Counter(row.left_out) == Counter([inner, broken])


def test_a_span_of_white_space_is_returned() -> None:
    blank = Span(3, 4, "X")

    assert only(Document("d", "one two", (blank,))).left_out == (blank,)


def test_spans_behind_the_last_sentence_and_between_two_are_returned() -> None:
    between, behind = Span(4, 5, "X"), Span(9, 11, "X")

    rows = list(align(Document("d", "One. Two.  ", (between, behind))))

    assert [row.left_out for row in rows] == [(), (between, behind)]


def test_a_discontinuous_span_that_begins_between_sentences_is_returned() -> None:
    broken = Span(4, 8, "X", fragments=((4, 5), (6, 8)))

    assert [span for row in align(Document("d", "One. Two.", (broken,))) for span in row.left_out] == [broken]


def test_a_span_in_a_text_without_a_visible_character_is_returned() -> None:
    row = only(Document("d", " \n ", (Span(0, 2, "X"),)))

    assert (row.n_tokens, row.left_out) == (0, (Span(0, 2, "X"),))


def test_a_document_without_text_and_spans_has_no_sentence() -> None:
    assert list(align(Document("d", ""))) == []


def test_mentions_lie_in_the_sentence_that_holds_them() -> None:
    rows = list(align(Document("d", "No pain. Fever came.", (Span(9, 14, "X"), Span(3, 7, "X")))))

    assert [row.mentions for row in rows] == [(Mention(1, 2, "X"),), (Mention(0, 1, "X"),)]


def test_tokens_of_the_document_are_used_where_it_has_them() -> None:
    document = Document("d", "IL-2 gene", (Span(0, 4, "X"),), sentences=(Sentence(0, 9, ((0, 4), (5, 9))),))

    assert only(document).mentions == (Mention(0, 1, "X"),)


def test_mentions_become_spans_from_the_first_token_to_the_last() -> None:
    sentence = Sentence(10, 30, ((10, 14), (15, 20), (21, 30)))

    assert spans_from_mentions(sentence, [Mention(1, 3, "X")]) == [Span(15, 30, "X")]


@given(documents())
def test_every_span_is_held_or_returned(document: Document) -> None:
    rows = list(align(document))

    n_held = sum(len(row.mentions) for row in rows)
    left_out = Counter(span for row in rows for span in row.left_out)
    assert n_held + left_out.total() == len(document.spans)
    assert left_out <= Counter(document.spans)


@given(documents())
def test_mentions_do_not_overlap_and_stand_in_order(document: Document) -> None:
    for row in align(document):
        edges = [edge for mention in row.mentions for edge in (mention.start, mention.end)]

        assert edges == sorted(edges)
        assert all(mention.start < mention.end <= row.n_tokens for mention in row.mentions)


@given(documents())
def test_a_span_that_is_neither_widened_nor_left_out_comes_back_exactly(document: Document) -> None:
    rows = list(align(document))

    again = Counter(span for row in rows for span in spans_from_mentions(row.sentence, list(row.mentions)))
    reported = Counter(span for row in rows for span in (*row.widened, *row.left_out))
    assert Counter(document.spans) - reported <= again
