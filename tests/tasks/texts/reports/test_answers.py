"""Gold and predicted values as plain text and as numbers for JSON."""

import math

import pytest

from linnet.documents.texts import Plain
from linnet.tasks.texts.reports.answers import gold_answers, plain_text, round_score, texts_of


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("yes", "yes"),
        (2.5, "2.5"),
        (("a", "b"), "a, b"),
        ((("a", "A"), ("b",)), "a | A; b"),
        ((), ""),
    ],
)
def test_every_value_is_one_line(value: Plain | None, text: str) -> None:
    assert plain_text(value) == text


def test_labels_and_answers_are_tuples_also_where_there_is_one_or_none() -> None:
    assert [texts_of(value) for value in (None, "a", ("a", "b"), ())] == [(), ("a",), ("a", "b"), ()]


def test_plain_gold_texts_are_synonyms_of_one_answer() -> None:
    assert gold_answers(("a", "A")) == [("a", "A")]
    assert gold_answers((("a", "A"), ("b",))) == [("a", "A"), ("b",)]
    assert gold_answers("") == gold_answers(()) == gold_answers(None) == []


@pytest.mark.parametrize("value", [None, math.inf, math.nan])
def test_what_json_cannot_hold_becomes_null(value: float | None) -> None:
    assert round_score(value) is None


def test_numbers_keep_six_digits() -> None:
    assert round_score(1 / 3) == 0.333333
