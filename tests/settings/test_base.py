"""The base class of settings: frozen, unknown keys refused, no infinite numbers."""

import pytest
from pydantic import ValidationError

from linnet.settings.base import Name, Settings


class Section(Settings):
    """A section with a name and a number."""

    name: Name = "None"
    rate: float = 0.5


def test_a_name_is_read_in_any_letter_case() -> None:
    assert Section(name="WELT").name == "welt"


def test_what_is_no_text_is_left_to_the_check_of_types() -> None:
    with pytest.raises(ValidationError, match="valid string"):
        Section.model_validate({"name": 3})


def test_settings_cannot_be_changed() -> None:
    section = Section()

    with pytest.raises(ValidationError, match="frozen"):
        section.rate = 0.1  # type: ignore[misc]


def test_unknown_keys_are_refused() -> None:
    with pytest.raises(ValidationError, match="Extra inputs"):
        Section.model_validate({"rat": 0.1})


@pytest.mark.parametrize("rate", [float("inf"), float("nan")])
def test_a_number_is_finite(rate: float) -> None:
    with pytest.raises(ValidationError, match="finite"):
        Section(rate=rate)
