"""Where sentences begin and end."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.documents.document import Document, Passage, Sentence, Span
from linnet.documents.sentences import join_over_spans, split_sentences, with_sentences

texts = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from("Aa1.?!)(][ \n\r\t\u2028\u0085\u0301😀β"), max_size=80
)


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@st.composite
def documents(draw: st.DrawFn) -> Document:
    text = draw(texts)
    offsets = st.tuples(*[st.integers(0, len(text))] * 2).map(sorted)
    spans = tuple(Span(start, end, "X") for start, end in draw(st.lists(offsets, max_size=4)))
    passages = tuple(Passage(start, end) for start, end in draw(st.lists(offsets, max_size=3)))
    own = tuple(Sentence(start, end) for start, end in draw(st.lists(offsets, max_size=1)))
    return Document("d", text, spans, passages=passages, sentences=own)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One here. Two here.", ["One here.", "Two here."]),
        ("Was it cured? Yes! It was.", ["Was it cured?", "Yes!", "It was."]),
        ('He said "stop." Then left.', ['He said "stop."', "Then left."]),
        ("Title without a stop\nFirst sentence.", ["Title without a stop", "First sentence."]),
        ("A line that\ngoes on in lower case.", ["A line that\ngoes on in lower case."]),
        ("one\n\ntwo", ["one", "two"]),
        ("In 2020. 15 patients came.", ["In 2020.", "15 patients came."]),
        ("It fell. [18F]FDG rose.", ["It fell.", "[18F]FDG rose."]),
        ("It fell. β-Carotene rose.", ["It fell.", "β-Carotene rose."]),
        ("Vitamin D. Then calcium.", ["Vitamin D.", "Then calcium."]),
        ("No stop at the end", ["No stop at the end"]),
        ("It was 2.1 mmol/L. Then it rose.", ["It was 2.1 mmol/L.", "Then it rose."]),
        ("At 33.8 °C. The rest froze.", ["At 33.8 °C.", "The rest froze."]),
        ("Wait 15 min. Stir again.", ["Wait 15 min.", "Stir again."]),
        ("Given 4 L/min. Exchange began.", ["Given 4 L/min.", "Exchange began."]),
        ("She had MS. Vitamins helped.", ["She had MS.", "Vitamins helped."]),
        ("Niemann-Pick type C. Others too.", ["Niemann-Pick type C.", "Others too."]),
        ("Dotted.... Next one.", ["Dotted....", "Next one."]),
        ("  \n ", []),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Given 0.5 mg i.v. Daily doses rose.",
        "Shown by Smith et al. Twice a day.",
        "E. coli grew.",
        "Written by J. Smith with K. Miller.",
        "See Fig. 2 for more.",
        "Dr. House came.",
        "Ms. Smith and the U.S. Army vs. The others.",
        "Rate of max. 5 and c. 7 of no. 3",
        "Patients (n = 3. All male) came.",
        "It was small. or so they said.",
        "approx. 3 mg of it",
    ],
)
def test_abbreviations_initials_brackets_and_lower_case_do_not_end_a_sentence(text: str) -> None:
    assert sentences(text) == [text]


def test_a_bracket_that_is_never_closed_does_not_hold_the_rest_of_the_text() -> None:
    text = "An open ( bracket. " + "Then comes a sentence. " * 40

    assert len(sentences(text)) > 15


def test_line_breaks_of_other_alphabets_are_only_white_space() -> None:
    assert sentences("one\u2028two\u0085three") == ["one\u2028two\u0085three"]


def test_a_stretch_of_the_text_is_split_with_offsets_of_the_text() -> None:
    assert split_sentences("Not this. But this. And that.", 10, 29) == [(10, 19), (20, 29)]


@pytest.mark.parametrize("piece", ["A patient was seen by J. Then again. ", "." * 37, " " * 37, "A. ", "(", "a.b."])
def test_time_grows_with_the_length_of_the_text_not_with_its_square(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    began = time.process_time()

    split_sentences(text)

    assert time.process_time() - began < 5  # about 0.1 s; a quadratic rule needs a minute or more


@given(texts)
def test_sentences_hold_every_visible_character_once_and_in_order(text: str) -> None:
    found = split_sentences(text)

    assert all(start < end and text[start:end] == text[start:end].strip() for start, end in found)
    assert all(found[i][1] <= found[i + 1][0] for i in range(len(found) - 1))
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


def test_a_boundary_inside_a_span_is_not_taken() -> None:
    text = "He took it. Then came Vit. Complex tablets. It helped."
    document = Document("d", text, (Span(text.index("Vit"), text.index(". It"), "Chemical"),))

    assert [text[s.start : s.end] for s in with_sentences(document)] == [
        "He took it.",
        "Then came Vit. Complex tablets.",
        "It helped.",
    ]


def test_sentences_are_joined_as_far_as_a_span_reaches() -> None:
    cut = [(0, 5), (6, 10), (11, 15), (16, 20)]

    assert join_over_spans(cut, [Span(4, 12, "X")]) == [(0, 15), (16, 20)]


def test_a_span_that_ends_where_a_sentence_begins_joins_nothing() -> None:
    assert join_over_spans([(0, 5), (5, 9)], [Span(2, 5, "X"), Span(5, 7, "X")]) == [(0, 5), (5, 9)]


def test_a_passage_always_ends_a_sentence() -> None:
    document = Document("d", "a title and its text", passages=(Passage(0, 7), Passage(8, 20)))

    assert [(s.start, s.end) for s in with_sentences(document)] == [(0, 7), (8, 20)]


def test_text_outside_the_passages_has_sentences_too() -> None:
    document = Document("d", "Before. Inside. After.", passages=(Passage(8, 15),))

    assert [(s.start, s.end) for s in with_sentences(document)] == [(0, 7), (8, 15), (16, 22)]


def test_text_outside_the_documents_own_sentences_has_sentences_too() -> None:
    own = Sentence(8, 15, ((8, 15),), (("column",),))
    document = Document("d", "Before. Inside. After.", sentences=(own,))

    found = with_sentences(document)

    assert [(s.start, s.end) for s in found] == [(0, 7), (8, 15), (16, 22)]
    assert found[1] == own


def test_own_sentences_and_tokens_are_left_as_they_are() -> None:
    own = (Sentence(0, 4, ((0, 4),)), Sentence(4, 9, ((4, 9),)))

    assert with_sentences(Document("d", "IL-2up3.5", sentences=own)) == own


def test_a_sentence_without_tokens_does_not_take_those_of_its_neighbour() -> None:
    first, second = Sentence(0, 4, ((0, 4),), (("NN",),)), Sentence(5, 8)

    found = with_sentences(Document("d", "IL-2 a-b", sentences=(first, second)))

    assert found == (first, Sentence(5, 8, ((5, 6), (6, 7), (7, 8))))


def test_own_sentences_that_a_span_ties_are_one_with_all_tokens_and_columns() -> None:
    own = (Sentence(0, 4, ((0, 4),), (("NN",),)), Sentence(5, 8, ((5, 8),), (("CD",),)), Sentence(9, 10, ((9, 10),)))
    document = Document("d", "IL-2 abc d", (Span(2, 6, "X"),), sentences=own)

    assert with_sentences(document) == (Sentence(0, 8, ((0, 4), (5, 8)), (("NN",), ("CD",))), own[2])


def test_overlapping_passages_give_no_word_twice() -> None:
    document = Document("d", "one two three", passages=(Passage(0, 7), Passage(4, 13)))

    tokens = [token for sentence in with_sentences(document) for token in sentence.tokens]

    assert tokens == [(0, 3), (4, 7), (8, 13)]


@given(documents())
def test_every_visible_character_is_in_exactly_one_token_whatever_passages_and_spans_there_are(
    document: Document,
) -> None:
    tokens = [token for sentence in with_sentences(document) for token in sentence.tokens]

    assert "".join(document.text[start:end] for start, end in tokens) == "".join(document.text.split())
