"""Merging of sources by cross-references."""

import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.concepts import Concept
from linnet.tasks.linking.vocabularies.merging import merge


def test_equivalent_identifiers_are_one_concept_named_by_the_first_source() -> None:
    mesh = Concept("mesh:D1", "Fever", ("Pyrexia",))
    doid = Concept(
        "doid:1", "fever", ("Hyperthermia",), cross_references=("mesh:D1", "icd10cm:R50"), retired=("doid:9",)
    )

    merged = merge([("a", [mesh]), ("b", [doid])])

    (concept,) = merged.concepts
    assert (concept.identifier, concept.equivalents) == ("mesh:D1", ("doid:1",))
    assert concept.names == ("Fever", "Pyrexia", "fever", "Hyperthermia")
    assert merged.successor_by_retired == {"doid:9": "doid:1"}
    assert merged.n_merged == 1


def test_references_in_a_circle_between_sources_make_one_concept() -> None:
    sources = [
        (name, [Concept(f"{name}:1", "x", cross_references=(f"{other}:1",))]) for name, other in ("ab", "bc", "ca")
    ]

    assert [each.identifier for each in merge(sources).concepts] == ["a:1"]


def test_two_concepts_of_one_source_are_never_joined() -> None:
    mesh = [Concept("mesh:D1", "Fever"), Concept("mesh:D2", "Chills")]
    doid = [Concept("doid:1", "fever and chills", cross_references=("mesh:D1", "mesh:D2"))]

    merged = merge([("a", mesh), ("b", doid)])

    assert [(each.identifier, each.equivalents) for each in merged.concepts] == [
        ("mesh:D1", ("doid:1",)),
        ("mesh:D2", ()),
    ]
    assert merged.n_left_aside == 1


def test_an_identifier_belongs_to_one_concept() -> None:
    concepts = [
        Concept("mesh:D1", "a", equivalents=("omim:1", "mesh:D2")),
        Concept("mesh:D2", "b", equivalents=("omim:1",)),
    ]

    merged = merge([("a", concepts)])

    assert [each.equivalents for each in merged.concepts] == [("omim:1",), ()]


def test_an_identifier_twice_in_one_source_is_refused() -> None:
    with pytest.raises(BadFile, match=r"list\.tsv.*'x:1' twice, for 'Fever' and 'Pain'"):
        merge([("list.tsv", [Concept("x:1", "Fever"), Concept("x:1", "Pain")])])


def test_obsolete_concepts_lead_to_their_successors() -> None:
    concepts = [
        Concept("x:1", "Fever"),
        Concept("x:2", "old", is_obsolete=True, replaced_by="x:3"),
        Concept("x:3", "older", is_obsolete=True, replaced_by="x:1"),
        Concept("x:4", "lost", is_obsolete=True),
    ]

    merged = merge([("a", concepts)])

    assert [each.identifier for each in merged.concepts] == ["x:1"]
    assert merged.successor_by_retired == {"x:2": "x:1", "x:3": "x:1", "x:4": ""}


def test_obsolete_concepts_that_replace_one_another_are_refused() -> None:
    concepts = [
        Concept("x:2", "a", is_obsolete=True, replaced_by="x:3"),
        Concept("x:3", "b", is_obsolete=True, replaced_by="x:2"),
    ]

    with pytest.raises(BadFile, match="circle"):
        merge([("a", concepts)])
