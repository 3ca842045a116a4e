import random
import time
from collections import Counter

import pytest

from linnet.errors import BadSetting
from linnet.pretraining.text import duplicates
from linnet.pretraining.text.cleaning import Cleaner
from linnet.pretraining.text.duplicates import NEAR_REPEAT, REPEAT, SeenLines
from linnet.pretraining.text.languages import identify_language
from linnet.pretraining.text.markup import remove_markup
from linnet.settings.pretraining import CleaningSettings

ENGLISH = "The patients were treated for six weeks and the results were compared with those of the other group."
GERMAN = "Die Patienten wurden sechs Wochen lang behandelt und die Ergebnisse mit denen der anderen Gruppe verglichen."
NOTHING = CleaningSettings(markup=False, least_words=0, duplicates=False, languages=())


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ('id="Par1">Text', "Text"),
        ('xmlns:ns0="http://www.w3.org/1999/xlink" id="Par4">Text', "Text"),
        ("<p>H<sub>2</sub>O<br/></p>", "H2O"),
        ('<xref ref-type="bibr" rid="B1">x</xref>', "x"),
        ("p &lt; 0.05 &amp;lt; 1 &#233;", "p < 0.05 < 1 é"),
        ("&lt;i&gt;E. coli&lt;/i&gt;", "E. coli"),
        ("known [1], shown [2, 3] and found [4–7].", "known, shown and found."),
        (r"x \documentclass[12pt]{minimal} $$a$$ \end{document} y", "x   y"),
        (r"\usepackage{amsbsy}", " "),
    ],
)
def test_markup_is_taken_out(raw: str, cleaned: str) -> None:
    assert remove_markup(raw, Counter()) == cleaned


@pytest.mark.parametrize(
    "line",
    [
        "a <b and c> d",
        "x < 3 and y > 4",
        "median 45 [34-56] years",
        "60% [40]",
        "[1]benzothiophene",
        "[3H]thymidine",
        "AT&T; n=5",
        "CI [0.5, 1.2]",
        "(12)",
        r"C:\begin",
    ],
)
def test_what_only_looks_like_markup_stays(line: str) -> None:
    assert remove_markup(line, Counter()) == line


@pytest.mark.parametrize("hostile", ["<!--" * 4000, "a='" * 9000, "[1," * 9000, r"\documentclass" * 600, "&#" * 9000])
def test_hostile_lines_take_no_longer_than_others(hostile: str) -> None:
    began = time.perf_counter()

    remove_markup(hostile, Counter())

    assert time.perf_counter() - began < 2  # a few milliseconds; looking back from each place would take minutes


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
def test_languages_are_told_by_their_commonest_words(language: str | None, line: str) -> None:
    assert identify_language(line.lower().split()) == language


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


def test_near_repeats_are_told_from_lines_that_share_half_of_their_words() -> None:
    draw = random.Random(3)
    lines = [[str(draw.random()).encode() for _ in range(60)] for _ in range(50)]
    seen = SeenLines()
    assert seen.find_repeats(lines) == [None] * 50

    half = [line[:30] + other[30:] for line, other in zip(lines, reversed(lines), strict=True)]
    nearly = [[*line[:30], b"changed", *line[31:]] for line in lines]

    # one word of 60 changes 3 of 58 runs: 55 of 61 are common, 0.90; the binomial tail below 26 of 32 is 4 in 100
    assert Counter(seen.find_repeats(half)) == {None: 50}
    assert Counter(seen.find_repeats(nearly))[NEAR_REPEAT] >= 44
    assert seen.find_repeats(lines) == [REPEAT] * 50


def test_the_answer_does_not_depend_on_how_lines_are_grouped(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(4)
    lines = [[draw.choice("abcdefgh").encode() * 3 for _ in range(draw.randrange(3, 40))] for _ in range(80)]
    lines += [[*line, b"end"] for line in lines]
    together = SeenLines().find_repeats(lines)

    one_by_one = SeenLines()
    assert [one_by_one.find_repeats([line])[0] for line in lines] == together

    monkeypatch.setattr(duplicates, "MOST_WORDS", 50)
    assert SeenLines().find_repeats(lines) == together


def test_memory_is_bounded_and_the_oldest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duplicates, "N_LATEST", 4)
    monkeypatch.setattr(duplicates, "N_EXACT", 1)
    lines = [[f"{line}-{word}".encode() for word in range(20)] for line in range(10)]
    seen = SeenLines()

    seen.find_repeats(lines)

    assert seen.find_repeats(lines[-1:]) == [REPEAT]
    assert seen.find_repeats(lines[:1]) == [None]
