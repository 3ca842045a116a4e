"""Wrong answers are found, whatever an answer is, and written with their text."""

from pathlib import Path

import pytest

from linnet.documents.texts import Plain, Prediction
from linnet.tasks.texts.kinds import CLASSIFICATION, MULTI_LABEL, REGRESSION, SPANS
from linnet.tasks.texts.kinds.base import Kind
from linnet.tasks.texts.kinds.spans import QUESTIONS
from linnet.tasks.texts.reports.answers import plain_text
from linnet.tasks.texts.reports.mistakes import write_text_mistakes
from tests.tasks.texts.reports.text_examples import ANSWERS, CLASSES, LABELS, NUMBERS


def rows(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


def ids(predictions: list[Prediction]) -> list[str]:
    return [each.id for each in predictions]


def test_another_label_is_wrong_and_an_unknown_one_is_left_out() -> None:
    assert ids(CLASSIFICATION.mistakes(CLASSES)) == ["p1:2", "p2:1", "p3:1"]


def test_several_labels_are_right_in_any_order() -> None:
    assert ids(MULTI_LABEL.mistakes(LABELS)) == ["h3"]


def test_all_numbers_come_the_largest_error_first() -> None:
    assert ids(REGRESSION.mistakes(NUMBERS)) == ["n2", "n3", "n1"]


def test_the_first_answer_must_be_a_synonym_whatever_its_case_and_spaces() -> None:
    assert ids(SPANS.mistakes(ANSWERS)) == ["q2"]


@pytest.mark.parametrize(
    ("gold", "predicted", "expected"),
    [
        ((), ("something",), False),
        ((), ("",), True),
        ((("a",),), (), False),
        (("a", "b"), ("B",), True),
        ("a", "A", True),
        ((("a",), ("b",)), ("a",), False),
        ((("a",), ("b",)), ("b", "a", "c"), False),
        ((("a", "x"), ("b",)), ("b", "X"), True),
    ],
)
def test_answers_are_right_where_nothing_is_missing_and_nothing_too_much(
    gold: Plain, predicted: Plain, expected: bool
) -> None:
    assert SPANS.is_right(Prediction("q", "", gold, predicted)) is expected


@pytest.mark.parametrize(
    ("predicted", "expected"), [(("p53",), True), (("p53", "aspirin"), False), (("aspirin",), False), ((), False)]
)
def test_a_list_of_one_is_right_only_without_anything_else(predicted: Plain, expected: bool) -> None:
    asked = Prediction("q", "", (("p53", "TP53"),), predicted, details={QUESTIONS: "list"})

    assert SPANS.is_right(asked) is expected
    assert bool(SPANS.mistakes([asked])) is not expected


@pytest.mark.parametrize(("predicted", "expected"), [(2.5, True), (3.5, True), (3.6, False)])
def test_a_number_is_right_within_half_a_point(predicted: float, expected: bool) -> None:
    assert REGRESSION.is_right(Prediction("n", "", 3.0, predicted)) is expected


@pytest.mark.parametrize("kind", [CLASSIFICATION, MULTI_LABEL, REGRESSION, SPANS])
def test_nothing_is_right_where_that_is_not_known(kind: Kind) -> None:
    assert not kind.is_right(Prediction("q", "", None, ()))


def test_the_file_has_a_row_per_mistake_without_tabs_and_line_ends_in_cells(tmp_path: Path) -> None:
    write_text_mistakes(tmp_path / "mistakes.tsv", CLASSES, CLASSIFICATION)

    header, _, second, _ = rows(tmp_path / "mistakes.tsv")
    assert header == ["id", "group", "gold", "predicted", "score", "text"]
    assert second == ["p2:1", "p2", "no", "yes", "0.5500", "'@GENE$ was not tested in @DISEASE$."]  # no formula


def test_numbers_and_answers_are_written_in_one_line(tmp_path: Path) -> None:
    write_text_mistakes(tmp_path / "numbers.tsv", NUMBERS, REGRESSION)
    write_text_mistakes(tmp_path / "answers.tsv", ANSWERS, SPANS)

    assert rows(tmp_path / "numbers.tsv")[1] == ["n2", "", "0", "1.5", "", "up down"]
    assert rows(tmp_path / "answers.tsv")[1][2:4] == ["p53 | TP53", "BRCA1, p53"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, ""), ("yes", "yes"), (2.5, "2.5"), (("a", "b"), "a, b"), ((), ""), ((("a", "b"), ("c",)), "a | b; c")],
)
def test_every_answer_has_a_text(value: Plain | None, text: str) -> None:
    assert plain_text(value) == text
