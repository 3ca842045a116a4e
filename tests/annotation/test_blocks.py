"""A long input is split into blocks by its documents alone, with a digest of what each block holds."""

import pytest

from linnet.annotation import blocks
from linnet.annotation.blocks import Block, Failure, split_into_blocks
from linnet.documents.document import Document


def documents(number: int, text: str = "text") -> list[Document | Failure]:
    return [Document(str(place), text) for place in range(number)]


def test_no_input_makes_no_block() -> None:
    assert list(split_into_blocks([])) == []


def test_a_block_ends_after_a_number_of_documents_failures_included(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MOST_DOCUMENTS", 2)
    inputs = [*documents(2), Failure("broken", "not UTF-8"), *documents(2)]

    found = list(split_into_blocks(inputs))

    assert [block.number for block in found] == [0, 1, 2]
    assert [(len(block.documents), len(block.failures)) for block in found] == [(2, 0), (1, 1), (1, 0)]
    assert [block.n_inputs for block in found] == [2, 2, 1]


def test_a_block_ends_with_the_document_that_makes_it_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MOST_CHARACTERS", 10)

    found = list(split_into_blocks(documents(4, "abcdef")))

    assert [len(block.documents) for block in found] == [2, 2]


def test_the_digest_follows_from_the_content_alone() -> None:
    [once] = split_into_blocks(documents(2))
    [again] = split_into_blocks(documents(2))
    [other] = split_into_blocks(documents(2, "other"))
    [failed] = split_into_blocks([*documents(2), Failure("2", "not UTF-8")])

    assert once.digest == again.digest
    assert len({once.digest, other.digest, failed.digest}) == 3


def test_a_block_is_named_after_its_first_document_or_else_its_first_failure() -> None:
    failure = Failure("broken", "not UTF-8")

    assert Block(0, [Document("7", "text")], [failure]).first == "7"
    assert Block(0, [], [failure]).first == "broken"


def test_a_failure_stops_a_strict_job_with_its_reason() -> None:
    error = Failure("7", "not UTF-8").as_error()

    assert (error.problem, error.remedy) == ("document '7': not UTF-8", "mend it, or leave out `--strict`")
