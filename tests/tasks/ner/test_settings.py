"""Settings that only a tagger has."""

import pytest
from pydantic import ValidationError

from linnet.tasks.ner.settings import NerSettings

GIVEN = {"data": "d", "output": "o"}


def test_the_tagging_may_be_written_in_capitals() -> None:
    assert NerSettings.model_validate({**GIVEN, "tagging": "IOBES"}).tagging == "iobes"


@pytest.mark.parametrize("given", [{"tagging": "iob9"}, {"head": "three-layer"}, {"text": {}}])
def test_values_without_a_meaning_are_refused(given: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        NerSettings.model_validate(GIVEN | given)
