"""Blocks pass through preparing, predicting and keeping; a thread works ahead, in order and not too far."""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

import pytest

from linnet.annotation.blocks import Block, Failure
from linnet.annotation.pipeline import annotate_block, annotate_blocks, work_ahead
from linnet.annotation.work import Work
from linnet.documents.document import Document, Span
from linnet.errors import BadFile


def test_items_come_in_order_and_all_of_them() -> None:
    assert list(work_ahead(range(100), 3)) == list(range(100))


def test_it_does_not_run_far_ahead_and_ends_when_closed() -> None:
    made = []

    def items() -> Iterator[int]:
        for number in count():
            made.append(number)
            yield number

    before = threading.active_count()
    source = work_ahead(items(), 2)
    first = list(islice(source, 3))
    deadline = time.monotonic() + 5
    while len(made) < 6 and time.monotonic() < deadline:
        pass
    source.close()  # type: ignore[attr-defined]  # a generator

    assert first == [0, 1, 2]
    assert len(made) <= 3 + 2 + 1  # taken, in the queue, in hand
    assert threading.active_count() == before


def test_an_error_comes_behind_what_was_made_before_it() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise ValueError("broken")

    source = work_ahead(items(), 5)

    assert next(source) == 1
    with pytest.raises(ValueError, match="broken"):
        next(source)


@dataclass(frozen=True)
class Prepared:
    """Documents that a model is about to annotate."""

    documents: list[Document]

    @property
    def n_words(self) -> int:
        return sum(len(document.text.split()) for document in self.documents)


class PickyModel:
    """Marks the first character of each document, and cannot annotate one that says `bad`."""

    def __init__(self, *, breaks_in: str = "infer") -> None:
        self.breaks_in = breaks_in

    def prepare(self, documents: list[Document]) -> Prepared:
        self._break("prepare", documents)
        return Prepared(documents)

    def infer(self, prepared: Prepared) -> list[Span]:
        self._break("infer", prepared.documents)
        return [Span(0, 1, "First")] * len(prepared.documents)

    def finish(self, prepared: Prepared, scores: list[Span]) -> list[Document]:
        return [each.with_spans((span,)) for each, span in zip(prepared.documents, scores, strict=True)]

    def _break(self, step: str, documents: list[Document]) -> None:
        if step == self.breaks_in and any("bad" in document.text for document in documents):
            raise ValueError("a bad document")


def block_of(*texts: str, number: int = 0) -> Block:
    documents = [Document(f"{number}.{place}", text) for place, text in enumerate(texts)]
    return Block(number, documents, [Failure("unread", "not UTF-8")], "digest")


def test_a_block_is_annotated_with_its_words_counted_and_its_failures_kept() -> None:
    done = annotate_block(block_of("one two", "three"), PickyModel(), is_strict=True)

    assert [document.spans for document in done.documents] == [(Span(0, 1, "First"),)] * 2
    assert (done.number, done.n_words, done.digest) == (0, 3, "digest")
    assert done.failures == [Failure("unread", "not UTF-8")]


@pytest.mark.parametrize("step", ["prepare", "infer"])
def test_a_document_that_breaks_the_model_does_not_take_its_neighbours_with_it(step: str) -> None:
    done = annotate_block(block_of("one two", "bad", "three"), PickyModel(breaks_in=step), is_strict=False)

    assert [document.id for document in done.documents] == ["0.0", "0.2"]
    assert done.n_words == 3
    assert done.failures[1:] == [Failure("0.1", "ValueError: a bad document")]


def test_a_strict_job_stops_at_a_document_that_breaks_the_model() -> None:
    with pytest.raises(BadFile, match=r"document '0\.1': ValueError: a bad document"):
        annotate_block(block_of("one", "bad"), PickyModel(), is_strict=True)


def test_blocks_that_are_finished_are_not_annotated_again(tmp_path: Path) -> None:
    work = Work(tmp_path)
    work.keep(annotate_block(block_of("one", number=1), PickyModel(), is_strict=True))
    blocks = [block_of("one two", "three", number=0), block_of("bad", number=1), block_of("four", number=2)]
    done: list[int] = []

    annotate_blocks(blocks, PickyModel(), work, done.append, is_strict=True)

    assert work.numbers() == [0, 1, 2]
    assert done == [2, 1]  # documents of the two blocks that were annotated


def test_what_was_annotated_before_an_error_of_the_input_is_kept(tmp_path: Path) -> None:
    def blocks() -> Iterator[Block]:
        yield block_of("one")
        raise BadFile("the input is broken", "mend it")

    work = Work(tmp_path)

    with pytest.raises(BadFile, match="the input is broken"):
        annotate_blocks(blocks(), PickyModel(), work, lambda _: None, is_strict=True)

    assert work.numbers() == [0]
