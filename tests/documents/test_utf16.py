"""Offsets in UTF-16 code units agree with Python's own encoder."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.documents.utf16 import Utf16Offsets


@given(text=st.text(st.sampled_from("aβ😀𝛽\n") | st.characters(exclude_categories=["Cs"]), max_size=12))
def test_offsets_are_those_of_the_encoded_text(text: str) -> None:
    offsets = Utf16Offsets(text)

    for at in range(len(text) + 1):
        units = len(text[:at].encode("utf-16-le")) // 2
        assert offsets.to_units(at) == units
        assert offsets.to_characters(units) == at


@pytest.mark.parametrize("inside", [1, 5])
def test_the_middle_of_a_character_is_no_offset(inside: int) -> None:
    assert Utf16Offsets("😀ab😀").to_characters(inside) is None
