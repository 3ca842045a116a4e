"""A number agrees with its noun."""

import pytest

from linnet.documents.counted import counted, counted_units, estimated


@pytest.mark.parametrize(("number", "expected"), [(0, "0 mentions"), (1, "1 mention"), (1200, "1,200 mentions")])
def test_only_one_is_singular(number: int, expected: str) -> None:
    assert counted(number, "mention") == expected


def test_a_noun_may_have_a_plural_of_its_own() -> None:
    assert [counted(n, "entry", "entries") for n in (1, 2)] == ["1 entry", "2 entries"]


@pytest.mark.parametrize(
    ("number", "units", "expected"), [(1, "documents", "1 document"), (0, "updates", "0 updates"), (1, "kB", "1 kB")]
)
def test_units_that_are_named_in_the_plural_are_singular_for_one(number: int, units: str, expected: str) -> None:
    assert counted_units(number, units) == expected


@pytest.mark.parametrize("number", [0, 9, 10, 99, 101, 149, 32_806, 999_999])
def test_an_estimate_has_two_digits_and_is_near(number: int) -> None:
    found = estimated(number)

    assert len(str(found).rstrip("0")) <= 2
    assert abs(found - number) <= 0.05 * number
