"""Answers of several snippets become the answers to one question."""

import pytest

from linnet.documents.texts import Answer, Prediction, TextExample
from linnet.tasks.answering.merging import decide_questions, merge_answers
from linnet.tasks.answering.settings import AnsweringSettings
from linnet.tasks.answering.squad import MAY_BE_EMPTY


def snippet(number: int, *, may_be_empty: bool) -> TextExample:
    details = {"snippet": str(number)} | ({MAY_BE_EMPTY: "yes"} if may_be_empty else {})
    return TextExample(f"q_{number}", "Which?", f"text {number}", (("NGF",),), "q", details=details)


def one(
    *outputs: tuple[Answer, ...], settings: AnsweringSettings | None = None, may_be_empty: bool = False
) -> Prediction:
    snippets = [snippet(number, may_be_empty=may_be_empty) for number in range(1, len(outputs) + 1)]
    (found,) = decide_questions(snippets, outputs, settings or AnsweringSettings())
    return found


def test_scores_of_the_same_normalised_text_are_summed_and_the_best_spelling_stays() -> None:
    first = (Answer("p53", 0, 3, 0.5), Answer("the ngf", 4, 11, 0.2))
    second = (Answer("NGF", 7, 10, 0.4),)

    ngf, p53 = merge_answers([first, second], longest=100)

    assert (ngf.best, ngf.source) == (Answer("NGF", 7, 10, 0.4), 1)
    assert ngf.score == pytest.approx(0.2 + 0.4)
    assert (p53.best.text, p53.source, p53.score) == ("p53", 0, 0.5)


def test_the_order_of_the_texts_does_not_change_the_answers() -> None:
    outputs = [(Answer("NGF", 0, 3, 0.4), Answer("p53", 5, 8, 0.1)), (Answer("ngf.", 0, 4, 0.3),)]

    forwards, backwards = merge_answers(outputs, longest=100), merge_answers(outputs[::-1], longest=100)

    assert [(each.best, each.score) for each in forwards] == [(each.best, each.score) for each in backwards]


def test_longer_answers_are_dropped() -> None:
    answers = (Answer("x" * 101, 0, 101, 0.9), Answer("y" * 100, 0, 100, 0.1))

    assert [each.best.text for each in merge_answers([answers], longest=100)] == ["y" * 100]


def test_what_normalises_to_nothing_is_not_taken_for_no_answer() -> None:
    answers = (Answer("+/-", 0, 3, 0.6), Answer("", 0, 0, 0.3), Answer("A", 0, 1, 0.1))

    assert [each.best.text for each in merge_answers([answers], longest=100)] == ["+/-", "", "A"]


def test_a_question_has_the_place_of_its_first_answer() -> None:
    found = one((Answer("p53", 0, 3, 0.2),), (Answer("NGF", 7, 10, 0.7), Answer("p53", 1, 4, 0.1)))

    assert found == Prediction(
        "q",
        "Which?\ntext 2",
        (("NGF",),),
        ("NGF", "p53"),
        "q",
        0.7,
        {"example": "q_2", "snippet": "2", "start": "7", "end": "10"},
    )


def test_only_the_best_answers_are_kept() -> None:
    answers = tuple(Answer(name, 0, 1, 1 / rank) for rank, name in enumerate("uvwxyz", 1))

    assert one(answers).predicted == tuple("uvwxy")
    assert one(answers, settings=AnsweringSettings(most_answers=2)).predicted == ("u", "v")


def test_list_questions_get_the_answers_with_half_the_best_score() -> None:
    answers = (Answer("u", 0, 1, 0.4), Answer("v", 0, 1, 0.2), Answer("w", 0, 1, 0.19))

    assert one(answers, settings=AnsweringSettings(questions="list")).predicted == ("u", "v")


def test_a_list_may_have_a_hundred_entries_where_the_settings_do_not_say_how_many() -> None:
    answers = tuple(Answer(f"gene{number}", 0, 5, 0.01) for number in range(120))
    told = AnsweringSettings(questions="list", most_answers=7)

    unsaid, kept = one(answers, settings=AnsweringSettings(questions="list")), one(answers, settings=told)

    assert isinstance(unsaid.predicted, tuple)  # a hundred is BioASQ's limit, five that of factoids
    assert (len(unsaid.predicted), one(answers).predicted) == (100, unsaid.predicted[:5])
    assert kept.predicted == unsaid.predicted[:7]


def test_a_question_is_answered_even_where_no_answer_is_more_probable() -> None:
    found = one((Answer("", 0, 0, 0.9), Answer("NGF", 7, 10, 0.1)), (Answer("", 0, 0, 1.0),))

    assert (found.predicted, found.score) == (("NGF",), 0.1)


def test_a_question_that_may_have_no_answer_gets_none_where_that_is_most_probable() -> None:
    found = one((Answer("", 0, 0, 0.6), Answer("NGF", 7, 10, 0.4)), may_be_empty=True)

    assert (found.predicted, found.score) == ((), 0.6)
    assert one((Answer("NGF", 7, 10, 0.6), Answer("", 0, 0, 0.4)), may_be_empty=True).predicted == ("NGF",)


@pytest.mark.parametrize("may_be_empty", [True, False])
@pytest.mark.parametrize("no_answer", [True, False])
def test_what_the_model_has_learned_says_whether_none_may_be_the_answer(no_answer: bool, may_be_empty: bool) -> None:
    doubtful = (Answer("", 0, 0, 0.6), Answer("NGF", 7, 10, 0.4))

    found = one(doubtful, settings=AnsweringSettings(no_answer=no_answer), may_be_empty=may_be_empty)

    assert found.predicted == (() if no_answer else ("NGF",))


def test_a_single_text_is_shown_as_it_is() -> None:
    (found,) = decide_questions([TextExample("a", "only one text")], [(Answer("one", 5, 8, 0.5),)], AnsweringSettings())

    assert found.text == "only one text"


def test_the_answers_to_a_list_question_say_what_was_asked() -> None:
    answers = (Answer("NGF", 7, 10, 0.7),)

    assert one(answers, settings=AnsweringSettings(questions="list")).details["questions"] == "list"
    assert "questions" not in one(answers).details


@pytest.mark.parametrize("questions", ["factoid", "list"])
def test_a_question_for_which_nothing_was_found_has_no_answer(questions: str) -> None:
    found = one((), (), settings=AnsweringSettings.model_validate({"questions": questions}))

    assert (found.predicted, found.score, found.text) == ((), None, "Which?\ntext 1")


def test_examples_without_a_group_are_questions_of_their_own() -> None:
    examples = [TextExample("a", "Which?", "x"), TextExample("b", "Which?", "y")]

    found = decide_questions(examples, [(Answer("x", 0, 1, 0.5),), (Answer("y", 0, 1, 0.4),)], AnsweringSettings())

    assert [(each.id, each.predicted) for each in found] == [("a", ("x",)), ("b", ("y",))]
