"""Overlap of two splits: what counts, and how it is said."""

import pytest

from linnet.reports.overlaps import can_raise_scores, overlap_warning, rising_sentences


@pytest.mark.parametrize(
    ("sentence", "has_mention", "expected"),
    [
        ("METHODS .", False, False),
        ("Design , setting , and participants :", False, False),  # four words; marks are none
        ("The gene was not found .", False, True),
        ("Ataxia .", True, True),
    ],
)
def test_a_sentence_counts_that_has_a_mention_or_five_words(sentence: str, has_mention: bool, expected: bool) -> None:
    assert can_raise_scores(sentence, has_mention=has_mention) is expected


def test_only_sentences_that_both_splits_have_are_found() -> None:
    sentences = {"Ataxia .": 2, "RESULTS .": 3, "Tremor .": 1}

    assert rising_sentences(sentences, {"Ataxia .", "Tremor ."}, {"Ataxia .", "RESULTS ."}) == {"Ataxia .": 2}


def test_the_warning_has_number_share_and_an_example() -> None:
    names = ("train", "test")

    assert overlap_warning(1, 0.5, unit="sentence", names=names, first="Ataxia .") == (
        '1 sentence of test (50.0%) is also in train (first: "Ataxia ."): scores on test are too high'
    )
    assert overlap_warning(1200, 0.25, unit="text", names=names) == (
        "1,200 texts of test (25.0%) are also in train: scores on test are too high"
    )
