"""Filters of vocabularies."""

import pytest

from linnet.errors import BadSetting
from linnet.tasks.linking.vocabularies.concepts import Concept
from linnet.tasks.linking.vocabularies.filters import Filters, keep_by_prefix, keep_by_source, parse_filters

MESH = [
    Concept("mesh:D1", "Neoplasms", trees=("C04",)),
    Concept("mesh:D2", "Mental Disorders", trees=("F03.100",)),
    Concept("mesh:D3", "Aspirin", trees=("D02.1",)),
    Concept("mesh:C1", "a disease", parents=("mesh:D1", "mesh:D3")),
    Concept("mesh:C2", "a chemical", parents=("mesh:D3",)),
    Concept("doid:1", "no tree at all"),
]


def kept(concepts: list[Concept], *filters: str) -> list[str]:
    return [each.identifier for each in keep_by_source(concepts, parse_filters(filters))]


def test_trees_keep_descriptors_and_records_mapped_to_them() -> None:
    assert kept(MESH, "tree=C,F03") == ["mesh:D1", "mesh:D2", "mesh:C1", "doid:1"]
    assert kept(MESH, "tree=F03.1") == ["doid:1"]
    assert kept(MESH) == [each.identifier for each in MESH]


def test_species_keep_genes() -> None:
    genes = [Concept("x:1", "a", species="9606"), Concept("x:2", "b", species="10090"), Concept("x:3", "c")]

    assert kept(genes, "species=9606") == ["x:1", "x:3"]
    assert kept(genes, "species=9606", "species=10090") == ["x:1", "x:2", "x:3"]


def test_species_are_numbers() -> None:
    with pytest.raises(BadSetting, match=r"`--keep species=human`: expected a number of the NCBI Taxonomy") as refused:
        parse_filters(["species=9606,human"])

    assert refused.value.remedy.startswith("human is 9606, mouse 10090")


def test_prefixes_keep_concepts_and_put_the_identifier_first() -> None:
    concepts = [Concept("doid:1", "a", equivalents=("omim:1", "mesh:D1")), Concept("doid:2", "b")]

    (concept,) = keep_by_prefix(concepts, Filters(prefix=("mesh",)))

    assert (concept.identifier, concept.equivalents) == ("mesh:D1", ("doid:1", "omim:1"))


@pytest.mark.parametrize("text", ["tree", "tree=", "trees=C", "=C", ""])
def test_what_is_no_filter_is_refused(text: str) -> None:
    with pytest.raises(BadSetting, match="filter"):
        parse_filters([text])


@pytest.mark.parametrize("text", ["tree=C", "species=9606"])
def test_a_filter_that_no_source_can_use_is_refused(text: str) -> None:
    with pytest.raises(BadSetting, match="no source"):
        kept([Concept("x:1", "a")], text)


def test_filters_are_written_as_they_were_given() -> None:
    assert parse_filters(["tree=C,F03", "prefix=MESH:"]).as_dict() == {"prefix": ["mesh"], "tree": ["C", "F03"]}
