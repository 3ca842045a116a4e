"""Settings of relation extraction: what is paired, and how many negatives are learned from."""

import pytest
from pydantic import ValidationError

from linnet.tasks.relations.settings import RelationSettings


@pytest.mark.parametrize("given", [{"level": "corpus"}, {"unit": "gene"}, {"negatives": -1}])
def test_values_without_a_meaning_are_refused(given: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        RelationSettings.model_validate(given)


def test_saved_settings_are_the_same_when_they_are_read() -> None:
    settings = RelationSettings(level="document", pairs=("Chemical-Disease",), unit="concept", negatives=2.5)

    assert RelationSettings(**settings.model_dump(mode="json", exclude_none=True)) == settings
