"""Where words begin and end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.documents.tokens import tokenize

texts = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("a1.,-_ \n\r\u2028\u0085\u0301😀β"))


def words(text: str) -> list[str]:
    return [text[start:end] for start, end in tokenize(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("IL-2", ["IL", "-", "2"]),
        ("5'-AMP (n=3)", ["5", "'", "-", "AMP", "(", "n", "=", "3", ")"]),
        ("β-carotene", ["β", "-", "carotene"]),
        ("p < 0.05, n = 1,200.", ["p", "<", "0.05", ",", "n", "=", "1,200", "."]),
        ("1,25-dihydroxyvitamin D3", ["1,25", "-", "dihydroxyvitamin", "D3"]),
        ("naïve cafe\u0301", ["naïve", "cafe\u0301"]),
        ("snake_case", ["snake", "_", "case"]),
        ("", []),
        (" \t\r\n\u2028\u0085\u00a0", []),
    ],
)
def test_words_numbers_and_signs_are_tokens(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_a_combining_mark_stays_with_its_letter() -> None:
    assert words("e\u0301te\u0301 x\u0304=1") == ["e\u0301te\u0301", "x\u0304", "=", "1"]


def test_astral_characters_count_as_one() -> None:
    assert tokenize("😀a") == ((0, 1), (1, 2))


def test_only_the_stretch_asked_for_is_split_and_offsets_are_those_of_the_text() -> None:
    assert tokenize("aspirin and ibuprofen", 8, 14) == ((8, 11), (12, 14))


@given(texts)
def test_tokens_hold_every_visible_character_once_and_in_order(text: str) -> None:
    found = tokenize(text)

    assert all(start < end for start, end in found)
    assert all(found[i][1] <= found[i + 1][0] for i in range(len(found) - 1))
    assert "".join(words(text)) == "".join(text.split())
