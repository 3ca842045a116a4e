"""Rules that reading and writing of BioC share, each with its inverse."""

import pytest

from linnet.documents.document import Argument, Link, Passage, Relation, Sentence, Span
from linnet.formats.bioc.structure import (
    Containers,
    collect_concepts,
    collection_of,
    fill_ids,
    header_from,
    header_of,
    infons_of_relation,
    infons_of_span,
    is_concept_key,
    relation_from,
    span_from,
    without_empty_header,
)


def test_an_annotation_belongs_to_the_smallest_part_that_holds_it() -> None:
    passages = [Passage(0, 5), Passage(6, 20)]
    sentences = [Sentence(6, 10), Sentence(11, 20)]
    containers = Containers(passages, sentences)

    found = [containers.of(0, 5), containers.of(7, 9), containers.of(12, 13), containers.of(8, 12), containers.of(3, 8)]

    assert found == [(0, 2), (1, 0), (1, 1), (1, 2), (2, 2)]
    assert found[4] == containers.document
    assert [containers.passage_of(6, 20), containers.passage_of(4, 7)] == [1, None]


@pytest.mark.parametrize(
    "span",
    [
        Span(0, 4, "X", id="T1"),
        Span(0, 4, "X", id="T1", links=(Link("D1"), Link("9606", "NCBI Taxonomy")), score=0.25, infons={"note": "a"}),
        Span(0, 9, "X", fragments=((0, 4), (6, 9)), id="T1"),
    ],
)
def test_a_span_comes_back_from_its_infons(span: Span) -> None:
    assert span_from(infons_of_span(span), span.stretches, span.id) == span


def test_links_to_one_vocabulary_are_joined() -> None:
    span = Span(0, 4, "X", links=(Link("D1", "MESH"), Link("D2", "MESH")))

    assert infons_of_span(span) == {"type": "X", "MESH": "D1|D2"}


@pytest.mark.parametrize(("key", "expected"), [("MESH", True), ("NCBI Gene", True), ("note", False), ("type", False)])
def test_names_of_vocabularies_are_keys_of_concepts(key: str, expected: bool) -> None:
    assert is_concept_key(key) is expected


def test_concepts_are_collected_whole_and_in_parts() -> None:
    spans = [Span(0, 4, "X", links=(Link("D1|D2"),)), Span(5, 6, "X", links=(Link("-1"),))]

    assert collect_concepts(spans) == {"D1|D2", "D1", "D2"}


def test_a_relation_between_concepts_comes_back_from_its_infons() -> None:
    arguments = (Argument("Chemical", "D1", True), Argument("entity2", "D2", True))
    relation = Relation("CID", arguments, "R1", {"novel": "No"})

    assert relation_from(infons_of_relation(relation), [], "R1", frozenset({"D1", "D2"})) == relation


def test_the_fields_of_a_collection_are_infons_of_its_documents() -> None:
    header = header_from({"source": "PubMed", "date": None, "key": ""}, {"tool": "a"})

    assert header == {"collection.source": "PubMed", "collection.infon.tool": "a"}
    assert header_of({**header, "year": "2020", "collection.key": ""}) == header
    assert without_empty_header({"collection.source": "", "year": ""}) == {"year": ""}
    assert collection_of(header) == {"source": "PubMed", "date": "", "key": "", "infons": {"tool": "a"}}


def test_empty_ids_become_the_smallest_free_numbers() -> None:
    assert list(fill_ids(["", "1", ""], taken=["0", "3"])) == ["2", "1", "4"]
