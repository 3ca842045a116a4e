"""Normalisation of names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.tasks.linking.vocabularies.normalisation import join, normalise


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Tumours", "tumor"),
        ("haemolytic anaemia", "hemolytic anemia"),
        ("β-catenin", "beta catenin"),
        ("Type II", "type 2"),
        ("Crohn's disease", "crohn disease"),
        ("neuropathies", "neuropathy"),
        ("Sjögren", "sjogren"),
        ("cancer of the breast", "cancer breast"),
        ("sulphate", "sulfate"),
        ("Valproic Acid", "valproate"),
        ("folic acid deficiency", "folate deficiency"),
    ],
)
def test_spellings_of_one_name_become_equal(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize("name", ["diabetes mellitus type 1", "virus", "sepsis", "cyclosporin a", "abscess"])
def test_what_is_no_ending_stays(name: str) -> None:
    assert normalise(name).split()[-1] == name.split()[-1]


def test_words_that_are_dropped_stay_where_nothing_else_is_left() -> None:
    assert normalise("of the") == "of the"


def test_spaces_do_not_matter_to_the_joined_form() -> None:
    assert join(normalise("FK 506")) == join(normalise("FK506"))


@given(st.text(max_size=40))
def test_any_text_has_a_form_of_words(text: str) -> None:
    form = normalise(text)

    assert form == " ".join(form.split())
    assert "\n" not in form
