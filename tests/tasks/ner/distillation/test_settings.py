"""Settings of distillation: what must be given, and what has a default."""

import pytest
from pydantic import ValidationError

from linnet.tasks.ner.distillation.settings import DistillSettings


def test_teachers_and_texts_are_enough() -> None:
    found = DistillSettings(teachers=("runs/large",), texts=("abstracts.jsonl",))

    assert (found.temperature, found.share, found.min_confidence) == (1.0, 0.5, 0.0)


@pytest.mark.parametrize(
    "wrong", [{"teachers": ()}, {"texts": ()}, {"temperature": 0}, {"share": 1}, {"min_confidence": 1}, {"other": 1}]
)
def test_settings_that_cannot_work_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        DistillSettings.model_validate({"teachers": ("a",), "texts": ("b",), **wrong})
