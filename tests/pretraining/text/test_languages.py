"""The language of a line is found by its function words."""

import pytest

from linnet.errors import BadSetting
from linnet.pretraining.text.languages import COMMON_WORDS, LANGUAGES, check_languages, identify_language


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("fr", "Les patients ont été traités pendant six semaines et les résultats ont été comparés à ceux du groupe"),
        ("es", "Los pacientes fueron tratados durante seis semanas y los resultados se compararon con los del otro"),
        (
            "it",
            "I pazienti sono stati trattati per sei settimane e i risultati sono stati confrontati con quelli della",
        ),
        ("pt", "Os pacientes foram tratados por seis semanas e os resultados foram comparados com os do outro grupo"),
        (
            "nl",
            "De patiënten werden zes weken behandeld en de resultaten werden vergeleken met die van de andere groep",
        ),
        (None, "aspirin warfarin heparin clopidogrel ticagrelor prasugrel dabigatran apixaban edoxaban argatroban"),
        (None, "患者 接受 六 周 治疗 结果 与 另 一 组 比较"),
    ],
)
def test_a_language_is_identified_by_its_function_words(language: str | None, line: str) -> None:
    assert identify_language(line.lower().split()) == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_function_words_of_a_language_are_in_that_language(language: str) -> None:
    assert identify_language(COMMON_WORDS[language].split()) == language


@pytest.mark.parametrize(("n_other", "expected"), [(23, "en"), (24, None)])
def test_too_few_function_words_identify_no_language(n_other: int, expected: str | None) -> None:
    # two of 25 words are 8 %
    assert identify_language(["the", "was", *["aspirin"] * n_other]) == expected


def test_the_order_of_words_does_not_matter() -> None:
    words = "de la en the of".split()  # two of each, but Spanish and French have three

    assert identify_language(words) == identify_language(words[::-1])


def test_unknown_languages_are_refused_together() -> None:
    check_languages(["en", "pl"])

    with pytest.raises(BadSetting, match="fi, xx"):
        check_languages(["xx", "en", "fi"])
