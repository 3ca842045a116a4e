"""Fields of BioC structures are read by type."""

from collections.abc import Callable

import pytest

from linnet.contracts import Notes
from linnet.errors import BadFile
from linnet.formats.bioc.fields import Structure, infons_in, list_in, note_unknown, number_in, text_in

PLACE = "a.json:1"


@pytest.mark.parametrize(("value", "expected"), [("a", "a"), ("", ""), (7, "7"), (None, None)])
def test_text_may_be_a_number(value: object, expected: str | None) -> None:
    assert text_in({"id": value}, "id", PLACE) == expected


@pytest.mark.parametrize(("value", "expected"), [(7, 7), (0, 0), ("7", 7), (" 12 ", 12)])
def test_a_number_may_be_its_digits(value: object, expected: int) -> None:
    assert number_in({"offset": value}, "offset", PLACE) == expected


def test_what_is_not_there_is_empty_except_numbers() -> None:
    assert text_in({}, "id", PLACE) is None
    assert list_in({}, "passages", PLACE) == []
    assert infons_in({}, PLACE, Notes()) == {}
    with pytest.raises(BadFile, match="expected a number of characters under 'offset', found nothing"):
        number_in({}, "offset", PLACE)


@pytest.mark.parametrize(
    ("read", "value", "expected"),
    [
        (text_in, True, "text"),
        (text_in, ["a"], "text"),
        (number_in, -1, "a number of characters"),
        (number_in, True, "a number of characters"),
        (number_in, "1.5", "a number of characters"),
        (number_in, "9" * 16, "a number of characters"),
        (list_in, {"a": 1}, "a list of objects"),
        (list_in, ["a"], "a list of objects"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_with_its_place(
    read: Callable[[Structure, str, str], object], value: object, expected: str
) -> None:
    with pytest.raises(BadFile, match=rf"^a\.json:1: expected {expected} under 'x', found"):
        read({"x": value}, "x", PLACE)


def test_infons_are_text_and_empty_ones_are_noted() -> None:
    notes = Notes()

    infons = infons_in({"infons": {"type": "X", "n": 1, "flag": True, "list": ["ü"], "none": None}}, PLACE, notes)

    assert infons == {"type": "X", "n": "1", "flag": "true", "list": '["ü"]'}
    assert notes.sentences() == ["infons without a value left out: 1 (first: a.json:1, 'none')"]


def test_infons_must_be_an_object() -> None:
    with pytest.raises(BadFile, match="expected an object under 'infons'"):
        infons_in({"infons": []}, PLACE, Notes())


def test_unknown_fields_are_noted_unless_they_are_empty() -> None:
    notes = Notes()

    note_unknown({"id": "1", "colour": "red", "size": ""}, "annotation", PLACE, notes)

    assert list(notes.counts) == ["fields that BioC does not know left out (annotation: 'colour')"]
