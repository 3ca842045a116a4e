"""Texts that are nearly the same belong together."""

from linnet.splitting.near_duplicates import group_near_duplicates

ABSTRACT = "mutations of the APC gene cause familial adenomatous polyposis in most families that were examined here"


def test_case_punctuation_and_a_changed_word_do_not_part_two_texts() -> None:
    changed = ABSTRACT.replace("most", "many").upper() + "."

    assert group_near_duplicates([ABSTRACT, "quite another text about the liver of mice", changed]) == [0, 1, 0]


def test_texts_that_share_a_phrase_are_no_duplicates() -> None:
    other = "mutations of the APC gene were not found in any of the thirty tumours that we sequenced last year"

    assert group_near_duplicates([ABSTRACT, other]) == [0, 1]


def test_a_chain_of_near_duplicates_is_one_group() -> None:
    words = ABSTRACT.split()
    chain = [" ".join(words[at:] + words[:at]) for at in (0, 3, 6)]

    assert group_near_duplicates(chain) == [0, 0, 0]


def test_very_many_equal_texts_are_one_group() -> None:
    assert set(group_near_duplicates([ABSTRACT] * 500)) == {0}


def test_empty_and_short_texts_are_grouped_only_with_their_equals() -> None:
    assert group_near_duplicates(["", "a", "", "b"]) == [0, 1, 0, 3]
