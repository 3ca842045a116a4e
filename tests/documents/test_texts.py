"""Examples of texts and pairs of texts."""

import pytest

from linnet.documents.texts import Prediction, TextExample


@pytest.mark.parametrize(
    ("example", "last", "whole"),
    [
        (TextExample("1", "a"), "a", "a"),
        (TextExample("1", "a", "b"), "b", "a\nb"),
        (TextExample("1", "a", ""), "", "a\n"),
    ],
)
def test_answers_are_in_the_last_text_and_reports_show_all(example: TextExample, last: str, whole: str) -> None:
    assert (example.last, example.whole) == (last, whole)


def test_details_are_not_shared_between_examples() -> None:
    first, second = TextExample("1", "a"), TextExample("2", "b")
    predictions = Prediction("1", "a", gold=None, predicted="yes"), Prediction("2", "b", gold=None, predicted="no")

    assert first.details is not second.details
    assert predictions[0].details is not predictions[1].details
