"""The section `text` of a recipe: unknown keys are refused, and a task may add settings of its own."""

import pytest
from pydantic import ValidationError

from linnet.tasks.answering.settings import AnsweringSettings
from linnet.tasks.texts.settings import TextSettings, TextTrainSettings, with_section


def test_unknown_keys_are_refused() -> None:
    with pytest.raises(ValidationError, match="questions"):
        TextSettings(questions="list")  # type: ignore[call-arg]


def test_a_task_adds_its_own_settings_to_the_section() -> None:
    settings = with_section(AnsweringSettings)

    found = settings.model_validate({"data": "d", "output": "o", "text": {"questions": "list", "devel_share": 0.2}})

    assert isinstance(found.text, AnsweringSettings)
    assert (found.text.questions, found.text.devel_share) == ("list", 0.2)


def test_the_settings_of_a_section_are_one_class() -> None:
    assert with_section(AnsweringSettings) is with_section(AnsweringSettings)
    assert with_section(TextSettings) is TextTrainSettings


def test_a_corpus_that_is_read_in_another_way_is_another_corpus() -> None:
    def key(**text: object) -> str:
        return TextTrainSettings.model_validate({"data": "d", "output": "o", "text": text}).corpus_key

    assert key() == key()
    assert key() != key(columns={"text": "abstract"})
