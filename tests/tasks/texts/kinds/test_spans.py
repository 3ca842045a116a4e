"""Span extraction: when a question is answered, and what reports show of it."""

import pytest

from linnet.documents.texts import Answer, Plain, Prediction, TextExample
from linnet.tasks.texts.kinds.spans import QUESTIONS, SPANS


def question(gold: Plain | None, predicted: Plain, type: str = "") -> Prediction:
    return Prediction("1", "Which gene?\nText.", gold, predicted, details={QUESTIONS: type} if type else {})


@pytest.mark.parametrize(
    ("gold", "predicted", "is_right"),
    [
        ((("NGF", "nerve growth factor"),), ("Nerve  growth factor", "p53"), True),
        ((("NGF",),), ("p53", "NGF"), False),
        ((("NGF",),), (), False),
        ((), (), True),
        ((), ("NGF",), False),
        (None, ("NGF",), False),
    ],
)
def test_a_factoid_is_right_where_its_first_answer_is_a_synonym(
    gold: Plain | None, predicted: Plain, is_right: bool
) -> None:
    assert SPANS.is_right(question(gold, predicted)) is is_right


@pytest.mark.parametrize(
    ("predicted", "is_right"), [(("b", "a"), True), (("a",), False), (("a", "b", "c"), False), (("a", "A", "b"), True)]
)
def test_a_list_is_right_where_all_answers_are_found_and_no_others(predicted: Plain, is_right: bool) -> None:
    assert SPANS.is_right(question((("a",), ("b",)), predicted, "list")) is is_right


def test_the_best_answer_is_decided_and_none_is_the_empty_text() -> None:
    answers = (Answer("p53", 0, 3, 0.7), Answer("NGF", 5, 8, 0.2))

    assert SPANS.decide(answers, {}) == ("p53", 0.7)
    assert SPANS.decide((), {}) == ("", None)


def test_a_sample_keeps_the_share_of_texts_that_hold_an_answer() -> None:
    assert SPANS.stratum(TextExample("1", "q", "t", spans=((0, 1),))) is True
    assert SPANS.stratum(TextExample("1", "q", "t", gold=(("a",),))) is False


def test_the_report_shows_the_question_with_both_answers() -> None:
    title, sentence, example = SPANS.mistake_sections([question((("NGF",),), ("p53",)), question((), ())])

    assert title == "## Mistakes"
    assert sentence.startswith("1 of 2 questions are wrong")
    assert example == "- 1: Which gene? (gold: “NGF”, predicted: “p53”)"


def test_the_page_has_gold_with_synonyms_and_no_empty_answers() -> None:
    assert SPANS.page_gold((("a", "b"),), {}) == [("a", "b")]
    assert SPANS.page_answer(("a", ""), {}) == ["a"]
