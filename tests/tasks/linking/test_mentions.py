"""Expansion of mentions."""

from pathlib import Path

import pytest

from linnet.tasks.linking.candidates import CandidateFinder
from linnet.tasks.linking.mentions import expand_abbreviations, find_candidates, name_element, split_composite
from linnet.tasks.linking.vocabularies.vocabulary import open_vocabulary
from tests.tasks.linking.sources import build

LONG_FORMS = {"AT": "ataxia telangiectasia", "A-T": "ataxia telangiectasia", "APC": "adenomatous polyposis coli"}


@pytest.mark.parametrize(
    ("mention", "expected"),
    [
        ("AT", "ataxia telangiectasia"),
        ("A-T patients", "ataxia telangiectasia patients"),
        ("ATs", "ataxia telangiectasia"),
        ("non-APC cancer", "non-adenomatous polyposis coli cancer"),
        ("CAT scratch disease", "CAT scratch disease"),
        ("ATM", "ATM"),
        ("at", "at"),
    ],
)
def test_whole_words_are_expanded(mention: str, expected: str) -> None:
    assert expand_abbreviations(mention, LONG_FORMS) == expected


@pytest.mark.parametrize(
    ("mention", "expected"),
    [
        ("breast and ovarian cancer", ("breast cancer", "ovarian cancer")),
        ("breast, ovarian, and colon cancers", ("breast cancers", "ovarian cancers", "colon cancers")),
        ("breast and/or ovarian cancer", ("breast cancer", "ovarian cancer")),
        ("breast/ovarian cancer", ("breast cancer", "ovarian cancer")),
        ("breast cancer and ovarian cancer", ("breast cancer", "ovarian cancer")),
        ("cancer of the breast or ovary", ("cancer of the breast", "cancer of the ovary")),
        ("fever and pain", ("fever", "pain")),
        ("breast cancer", ()),
        ("", ()),
        (" and ", ()),
        ("a and " * 50, ()),
    ],
)
def test_composite_mentions_are_split(mention: str, expected: tuple[str, ...]) -> None:
    assert split_composite(mention) == expected


def test_a_composite_mention_has_candidates_for_each_part(tmp_path: Path) -> None:
    finder = CandidateFinder(open_vocabulary(build(tmp_path).folder))

    found = find_candidates(finder, "breast and ovarian cancer")

    assert [part[0].id for part in found] == ["mesh:D001943", "mesh:D010051"]


@pytest.mark.parametrize("mention", ["breast cancer", "nothing and less", ""])
def test_other_mentions_have_one_list(tmp_path: Path, mention: str) -> None:
    finder = CandidateFinder(open_vocabulary(build(tmp_path).folder))

    assert len(find_candidates(finder, mention)) == 1


@pytest.mark.parametrize(
    ("mention", "expected"),
    [("Ca2+", "calcium"), ("Ca(2+)", "calcium"), ("Na+", "sodium"), ("Cl-", "chlorine"), ("K", "potassium"),
     ("ca", "ca"), ("Cat", "Cat"), ("", "")],
)  # fmt: skip
def test_symbols_of_elements_are_named(mention: str, expected: str) -> None:
    assert name_element(mention) == expected


def test_an_element_is_found_by_its_symbol_unless_that_is_a_name(tmp_path: Path) -> None:
    table = "id\tname\tsynonyms\nx:1\tCalcium\nx:2\tPotassium\nx:3\tSomething\tK\n"
    finder = CandidateFinder(open_vocabulary(build(tmp_path, table).folder))

    assert find_candidates(finder, "Ca2+")[0][0].id == "x:1"
    assert find_candidates(finder, "K")[0][0].id == "x:3"


def test_a_name_with_and_stays_whole(tmp_path: Path) -> None:
    table = "id\tname\nx:1\tHand and Foot Syndrome\nx:2\tHand Syndrome\nx:3\tFoot Syndrome\n"
    finder = CandidateFinder(open_vocabulary(build(tmp_path, table).folder))

    assert [part[0].id for part in find_candidates(finder, "hand and foot syndrome")] == ["x:1"]
