"""Cleaning of lines: rules in their order, and what they count."""

import pytest

from linnet.errors import BadSetting
from linnet.pretraining.text.cleaning import Cleaner
from linnet.settings.pretraining import CleaningSettings

ENGLISH = "The patients were treated for six weeks and the results were compared with those of the other group."
GERMAN = "Die Patienten wurden sechs Wochen lang behandelt und die Ergebnisse mit denen der anderen Gruppe verglichen."
NOTHING = CleaningSettings(markup=False, least_words=0, duplicates=False, languages=())


def test_lines_with_too_few_words_are_left_out_and_numbers_are_no_words() -> None:
    cleaner = Cleaner(NOTHING.model_copy(update={"least_words": 3}))

    assert cleaner.clean(["BODY.RESULTS:", "12 13 14 15 16", "Three words here", " "]) == ["Three words here"]
    assert cleaner.counts == {"lines with too few words": 2, "blank lines": 1}
    assert cleaner.n_lines == 4


def test_lines_in_other_languages_are_left_out() -> None:
    cleaner = Cleaner(NOTHING.model_copy(update={"languages": ("en",)}))

    assert cleaner.clean([ENGLISH, GERMAN, "Kurze Zeile der Tabelle"]) == [ENGLISH, "Kurze Zeile der Tabelle"]
    assert cleaner.counts == {"lines in other languages": 1}


def test_all_languages_can_be_kept() -> None:
    assert Cleaner(NOTHING).clean([ENGLISH, GERMAN]) == [ENGLISH, GERMAN]


def test_an_unknown_language_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(BadSetting, match="fi") as caught:
        Cleaner(CleaningSettings(languages=("en", "fi")))

    assert "en, de, fr" in caught.value.remedy


def test_repeats_and_near_repeats_are_left_out_across_texts() -> None:
    cleaner = Cleaner(NOTHING.model_copy(update={"duplicates": True}))
    long = " ".join(f"word{number}" for number in range(60))

    first = cleaner.clean([long, ENGLISH])
    second = cleaner.clean([f"{long} more", ENGLISH.upper().replace(" ", "  "), GERMAN])

    assert (first, second) == ([long, ENGLISH], [GERMAN])
    assert cleaner.counts == {"repeated lines": 1, "nearly repeated lines": 1}
