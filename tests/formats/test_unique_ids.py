"""Uniqueness of document ids."""

import pytest

from linnet.contracts import Notes, ReadOptions
from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.formats.unique_ids import UniqueDocuments, claim_id


def test_an_id_is_claimed_once() -> None:
    ids: set[str] = set()
    claim_id("1", ids, "out.jsonl")
    claim_id("2", ids, "out.jsonl")

    with pytest.raises(BadFile, match=r"out\.jsonl: two documents are called '1'"):
        claim_id("1", ids, "out.jsonl")

    assert ids == {"1", "2"}


def test_a_second_document_of_the_same_id_is_refused() -> None:
    unique = UniqueDocuments(ReadOptions(), Notes())
    assert unique.is_new(Document("1", "a"), "in.xml:1")

    with pytest.raises(BadFile, match=r"in\.xml:9: a second document is called '1'") as refused:
        unique.is_new(Document("1", "a"), "in.xml:9")

    assert "differs" not in refused.value.problem
    assert "--repair" in refused.value.remedy


def test_repair_drops_an_equal_document_and_notes_it() -> None:
    notes = Notes()
    unique = UniqueDocuments(ReadOptions(repair=True), notes)

    found = [unique.is_new(Document(name, "a"), f"in.xml:{line}") for line, name in enumerate("121", 1)]

    assert found == [True, True, False]
    assert len(unique) == 2
    assert notes.sentences() == ["repeated documents dropped: 1 (first: in.xml:3)"]


def test_repair_refuses_a_document_that_differs() -> None:
    unique = UniqueDocuments(ReadOptions(repair=True), Notes())
    unique.is_new(Document("1", "a"), "in.xml:1")

    with pytest.raises(BadFile, match="and it differs from the first"):
        unique.is_new(Document("1", "b"), "in.xml:2")
