"""Abbreviations and their definitions."""

import pytest

import linnet
from linnet.documents.abbreviations import abbreviations, long_forms


def pairs(text: str) -> list[tuple[str, str]]:
    return [(each.short, each.long) for each in abbreviations(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ataxia telangiectasia (A-T) is rare.", ("A-T", "Ataxia telangiectasia")),
        ("HNPCC (hereditary nonpolyposis colorectal cancer)", ("HNPCC", "hereditary nonpolyposis colorectal cancer")),
        ("familial polyposis (FP; MIM 175100) is", ("FP", "familial polyposis")),
        ("human immunodeficiency virus (HIV)-1", ("HIV", "human immunodeficiency virus")),
        ("glucose-6-phosphate dehydrogenase (G6PD)", ("G6PD", "glucose-6-phosphate dehydrogenase")),
        ("given 3'-azido-3'-deoxythymidine (AZT) daily", ("AZT", "3'-azido-3'-deoxythymidine")),
        ("attenuated adenomatous polyposis coli (AAPC)", ("AAPC", "attenuated adenomatous polyposis coli")),
        ("combined oral contraceptives (COCs)", ("COCs", "combined oral contraceptives")),
        ("X-linked adrenoleukodystrophy (X-ALD)", ("X-ALD", "X-linked adrenoleukodystrophy")),
        ("doxorubicin [DOX] was given", ("DOX", "doxorubicin")),
        ("indomethacin (IDM) to sodium", ("IDM", "indomethacin")),
        ("α-methyldopa (α-MD) lowers", ("α-MD", "α-methyldopa")),
    ],
)  # fmt: skip
def test_known_definitions_are_found(text: str, expected: tuple[str, str]) -> None:
    assert pairs(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "The results (see Table 1) show",
        "patients (n = 5) had",
        "It ended. (HIV) was seen",
        "a virus (HIV was seen",
        "in the receptor A1 (A1 receptor)",
        "ten mice (10) died",
        "after a drug induces SLE (folic acid)",
        "no bracket at all",
        "",
        "()[]",
        ")(",
    ],
)
def test_brackets_that_define_nothing_are_left_alone(text: str) -> None:
    assert not pairs(text)


def test_offsets_are_those_of_the_text() -> None:
    text = "\u2003Wilson disease (WD) and ‘Menkes disease’ (MD). Later [hereditary spherocytosis (HS)] followed."

    found = abbreviations(text)

    assert [each.short for each in found] == ["WD", "MD", "HS"]
    for each in found:
        assert text[slice(*each.short_span)] == each.short
        assert text[slice(*each.long_span)] == each.long


def test_the_first_of_several_definitions_counts() -> None:
    text = "Copper toxicosis (CT) occurs. Computed tomography (CT) shows it."

    assert long_forms(text) == {"CT": "Copper toxicosis"}


def test_it_is_a_public_function() -> None:
    assert linnet.abbreviations("breast cancer (BC)")[0].long == "breast cancer"


def test_a_long_text_of_brackets_is_read_in_time() -> None:
    assert abbreviations("(" * 20_000 + ")" * 20_000) == []
