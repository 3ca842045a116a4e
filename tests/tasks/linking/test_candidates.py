"""Candidates for mentions, and how ties are broken."""

from pathlib import Path

import pytest

from linnet.errors import BadSetting
from linnet.tasks.linking.candidates import CandidateFinder
from linnet.tasks.linking.vocabularies.vocabulary import open_vocabulary
from tests.tasks.linking.sources import TABLE, build

HOMONYMS = (
    "id\tname\tsynonyms\n"
    "x:1\tOculomotor apraxia\tCOMA|Apraxia|Cogan|Other\n"
    "x:2\tComa\n"
    "x:3\tAlcohols\tSpirits|Alkohole\n"
    "x:4\tEthanol\tAlcohol\n"
    "x:5\tGout\tArthritis urica|Podagra\n"
    "x:6\tUrica\tGout|More\n"
    "x:7\tOther gout\tGout|Name\n"
)


def finder_of(folder: Path, *texts: str) -> CandidateFinder:
    return CandidateFinder(open_vocabulary(build(folder, *texts).folder))


def test_an_equal_name_is_first_with_score_one(tmp_path: Path) -> None:
    first, second, *_ = finder_of(tmp_path).search("breast cancers")

    assert (first.id, first.name, first.matched) == ("mesh:D001943", "Breast Neoplasms", "Breast Cancer")
    assert (first.score, first.is_exact) == (1.0, True)
    assert second.score < 1
    assert first.as_dict() == {
        "id": "mesh:D001943",
        "name": "Breast Neoplasms",
        "matched": "Breast Cancer",
        "score": 1.0,
    }


def test_a_name_that_differs_in_spaces_is_nearly_equal(tmp_path: Path) -> None:
    (first, *_) = finder_of(tmp_path).search("FK506")

    assert (first.id, first.score, first.is_exact) == ("mesh:D016559", 0.99, False)


def test_a_name_with_a_word_that_stands_for_another_is_found(tmp_path: Path) -> None:
    organs = ("breast", "lung", "skin", "colon")
    rows = [f"x:{organ}\t{organ} neoplasm\t{organ} cancer" for organ in organs]
    table = "\n".join(["id\tname\tsynonyms", *rows, "x:liver\tneoplasms, liver\t", "x:cell\tliver cell cancer\t"])

    (first, *_) = finder_of(tmp_path, table).search("liver cancer")

    assert (first.id, first.matched, first.score) == ("x:liver", "neoplasms, liver", 0.97)
    assert not first.is_exact


def test_words_in_another_order_are_found(tmp_path: Path) -> None:
    (first, *_) = finder_of(tmp_path).search("cancer, ovarian")

    assert first.id == "mesh:D010051"
    assert first.score == pytest.approx(1.0)


def test_each_concept_comes_once_and_the_best_first(tmp_path: Path) -> None:
    found = finder_of(tmp_path).search("breast cancer", top=3)

    assert len({each.concept for each in found}) == len(found) == 3
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("coma", ["x:2", "x:1"]),  # an acronym in capitals is another word
        ("COMA", ["x:1", "x:2"]),
        ("alcohol", ["x:4", "x:3"]),  # the same spelling before the plural
        ("alcohols", ["x:3", "x:4"]),
        ("gout", ["x:5", "x:6", "x:7"]),  # as many names each: the preferred name, then the order of the source
    ],
)
def test_ties_are_broken_by_the_stated_rule(tmp_path: Path, text: str, expected: list[str]) -> None:
    found = finder_of(tmp_path, HOMONYMS).search(text)

    assert [each.id for each in found if each.score == 1.0] == expected


@pytest.mark.parametrize("text", ["coma", "alcohol", "gout", "goute", "other names", "apraxia coma"])
def test_the_first_of_five_is_the_first_of_one(tmp_path: Path, text: str) -> None:
    finder = finder_of(tmp_path, HOMONYMS)

    assert finder.search(text, 5)[:1] == finder.search(text, 1)


@pytest.mark.parametrize("text", ["", " ", "+++", "\n", "漢字"])
def test_a_text_without_known_letters_has_no_candidates(tmp_path: Path, text: str) -> None:
    assert finder_of(tmp_path).search(text) == []


def test_a_mention_of_ten_thousand_characters_has_candidates(tmp_path: Path) -> None:
    assert finder_of(tmp_path).search("breast cancer " * 1000)


def test_many_mentions_are_answered_in_their_order(tmp_path: Path) -> None:
    finder = finder_of(tmp_path)
    texts = ["breast cancer", "ovarian cancer", "breast cancer"]

    assert finder.search_many(texts) == [finder.search(text) for text in texts]


def test_no_candidates_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="1 or more"):
        finder_of(tmp_path, TABLE).search("x", 0)
