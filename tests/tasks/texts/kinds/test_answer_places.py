"""Answers are found as whole words, with exact offsets."""

import pytest

from linnet.tasks.texts.kinds.answer_places import find_answers


@pytest.mark.parametrize(
    ("text", "answers", "found"),
    [
        ("NGF and ngf.", ["Ngf"], ["NGF", "ngf"]),
        ("SALSA, ALS-like, ALS2", ["ALS"], ["ALS"]),
        ("1.4, 4.5, 14, 4,000 and 4.", ["4"], ["4"]),
        ("80.8-fold, 180.8", ["80.8"], ["80.8"]),
        ("about 8% of 18%", ["8%"], ["8%"]),  # the % needs no word boundary, the 8 does
        ("UCP1+ adipocytes", ["UCP1+"], ["UCP1+"]),
        (
            "RNA polymerase II is an RNA polymerase",
            ["RNA polymerase", "RNA polymerase II"],
            ["RNA polymerase II", "RNA polymerase"],
        ),
        ("α-synuclein (αSyn)", ["ΑSYN"], ["αSyn"]),
        ("Barre\u0301 and Barre", ["Barre\u0301"], ["Barre\u0301"]),
        ("Barre\u0301 and Barre", ["Barre"], ["Barre"]),  # the first goes on with its accent
        ("e\u0301ALS, ALS", ["ALS"], ["ALS"]),
        ("nothing", ["NGF"], []),
        ("nothing", [" "], []),
        ("a  fewer than 100 b", [" fewer than 100"], ["fewer than 100"]),
    ],
)
def test_whole_words_are_found_in_any_case(text: str, answers: list[str], found: list[str]) -> None:
    places = find_answers(text, answers)

    assert [text[start:end] for start, end in places] == found


def test_offsets_hold_where_lower_case_is_longer() -> None:
    text = "İİ NGF"  # İ is two characters in lower case

    assert find_answers(text, ["ngf"]) == ((3, 6),)
