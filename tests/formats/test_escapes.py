"""Percent-escapes are reversible."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from linnet.formats.escapes import WHITE_SPACE, Escapes

characters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")


@settings(deadline=None)
@given(st.text(st.sampled_from("% 205\u2028E8A") | characters), st.text(characters))
def test_escapes_can_be_undone_and_leave_no_white_space(text: str, other: str) -> None:
    words = Escapes(WHITE_SPACE)

    assert words.decode(words.encode(text)) == text
    assert not re.search(r"\s", words.encode(text))
    assert words.encode(text) != words.encode(other) or text == other


def test_percent_signs_of_other_people_stay_as_they_are() -> None:
    words = Escapes(WHITE_SPACE)

    assert words.decode("100%|%41|a%2Fb") == "100%|%41|a%2Fb" == words.encode("100%|%41|a%2Fb")


def test_the_empty_text_has_an_escape_of_its_own() -> None:
    words = Escapes(" ")

    assert words.encode("") == "%00"
    assert words.decode("%00") == ""


def test_some_of_the_characters_can_be_left_as_they_are() -> None:
    names = Escapes("/. ")

    assert names.encode("a/b.c d", "/") == "a%2Fb.c d"
    assert names.decode("a%2Fb.c d") == "a/b.c d"
