"""Identifiers with the prefix of their database."""

import pytest

from linnet.tasks.linking.vocabularies import curies
from linnet.tasks.linking.vocabularies.curies import (
    DATABASES,
    database_of,
    normalise_identifier,
    prefix_of,
    with_prefix,
)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("MESH:D003920", "mesh:D003920"),
        (" D003920", "mesh:D003920"),
        ("C000657245", "mesh:C000657245"),
        ("OMIM:215600", "omim:215600"),
        ("MIM:215600", "omim:215600"),
        ("HGNC:HGNC:5", "hgnc:5"),
        ("UMLS_CUI:C0018923", "umls:C0018923"),
        ("SNOMEDCT_US_2015_03_01:33176006", "snomedct:33176006"),
        ("NCI:C3088", "ncit:C3088"),
        ("HP:0000003", "hp:0000003"),
        ("mine:7", "mine:7"),
        ("7", "7"),
        ("mesh:", "mesh:"),
        ("", ""),
    ],
)
def test_known_prefixes_have_one_spelling(given: str, expected: str) -> None:
    assert normalise_identifier(given) == expected
    assert normalise_identifier(expected) == expected


def test_bare_identifiers_get_the_prefix_that_is_given() -> None:
    assert with_prefix("12", "OMIM") == "omim:12"
    assert with_prefix("DOID:4", "omim") == "doid:4"


def test_the_database_of_an_identifier_is_named() -> None:
    assert database_of("mesh:D003920") == "MESH"
    assert database_of("mine:7") == "mine"
    assert database_of("7") == prefix_of("7") == ""


def test_the_table_of_the_page_names_every_prefix() -> None:
    assert not [prefix for prefix in DATABASES if f"`{prefix}`" not in (curies.__doc__ or "")]
