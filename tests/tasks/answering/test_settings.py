"""Settings of question answering: which questions, and how many answers."""

import pytest
from pydantic import ValidationError

from linnet.tasks.answering.settings import AnsweringSettings


@pytest.mark.parametrize("given", [{"questions": "summary"}, {"most_answers": 0}, {"longest_answer": 0}])
def test_values_without_a_meaning_are_refused(given: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        AnsweringSettings.model_validate(given)


def test_whether_none_may_be_the_answer_is_left_to_training() -> None:
    assert AnsweringSettings().no_answer is None
    assert AnsweringSettings(no_answer=False).no_answer is False
