"""Uniqueness of document ids."""

import random
import sys

import pytest

from linnet.contracts import Notes, ReadOptions, WriteOptions
from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.formats import unique_ids
from linnet.formats.unique_ids import IdSet, UniqueDocuments, claim_id, ids_to_claim


def test_an_id_is_claimed_once() -> None:
    ids = IdSet()
    claim_id("1", ids, "out.jsonl")
    claim_id("2", ids, "out.jsonl")

    with pytest.raises(BadFile, match=r"out\.jsonl: two documents are called '1'"):
        claim_id("1", ids, "out.jsonl")

    assert len(ids) == 2
    assert "1" in ids
    assert "2" in ids
    assert "3" not in ids


def test_ids_that_are_known_to_be_unique_are_not_kept() -> None:
    assert ids_to_claim(WriteOptions(are_ids_unique=True)) is None
    claim_id("1", None, "out.jsonl")
    claim_id("1", None, "out.jsonl")

    kept = ids_to_claim(WriteOptions())
    assert kept is not None
    claim_id("1", kept, "out.jsonl")
    with pytest.raises(BadFile):
        claim_id("1", kept, "out.jsonl")


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


def test_many_ids_are_kept_in_at_most_ten_bytes_each() -> None:
    """Issue 27: 147 bytes a document; 37 million ids must fit into 400 MB, also right after a split."""
    ids = IdSet()
    sizes = []

    for number in range(100_000):
        assert ids.add(f"doc-{number}")
        if number > 50_000 and number % 5_000 == 0:
            sizes.append((sys.getsizeof(ids._buckets) + sum(map(sys.getsizeof, ids._buckets))) / number)

    assert max(sizes) < 10
    assert len(ids) == 100_000


@pytest.mark.parametrize("has_long_hashes", [True, False])
def test_many_ids_are_answered_as_a_set_of_strings_would(
    monkeypatch: pytest.MonkeyPatch, has_long_hashes: bool
) -> None:
    monkeypatch.setattr(unique_ids, "MOST_EXACT", 10)
    monkeypatch.setattr(unique_ids, "MOST_IN_BUCKET", 4)  # 2^10 buckets, so that a byte of each hash is dropped
    monkeypatch.setattr(unique_ids, "HAS_LONG_HASHES", has_long_hashes)
    draw = random.Random(7)
    ids, expected = IdSet(), set[str]()

    for _ in range(4_000):
        name = draw.choice(["", "é", "\ud800"]) + str(draw.randrange(2_000))
        assert (name in ids) == (name in expected)
        assert ids.add(name) == (name not in expected)
        expected.add(name)

    assert len(ids) == len(expected)
    assert all(name in ids for name in expected)
    assert len(ids._buckets) == 1024


def test_a_hash_is_not_found_across_two_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unique_ids, "MOST_EXACT", 0)
    number_by_name = {"a": 0x1122334455667788, "b": 0x55667788, "across": 0x5566778811223344}
    monkeypatch.setattr(unique_ids, "hash_string", number_by_name.__getitem__)
    ids = IdSet()

    assert [ids.add(name) for name in ("b", "a", "across", "across")] == [True, True, True, False]
