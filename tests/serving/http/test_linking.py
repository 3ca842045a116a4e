"""Vocabularies are opened once, and threads share them."""

import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from linnet.documents.document import Document, Span
from linnet.errors import LinnetError
from linnet.serving.http.batching import Limits, QueueFull
from linnet.serving.http.linking import SharedLinker, open_link_queue, open_shared_linker
from tests.serving.http.services import Marker

DOCUMENT = Document("1", "a b", (Span(0, 1, "X"), Span(2, 3, "X")))


def test_linkers_are_opened_once_for_each_number_of_candidates() -> None:
    opened: list[int] = []

    def open_linker(candidates: int) -> Marker:
        opened.append(candidates)
        return Marker(candidates)

    linker = SharedLinker(open_linker, ["v", "Gene=some/where/g"])
    kept = [linker.link([DOCUMENT], number)[0].spans[0].infons.get("candidates") for number in (0, 2, 2, 0, 3)]

    assert kept == [None, "2", "2", None, "3"]
    assert opened == [0, 2, 3]
    assert linker.vocabularies == [{"label": "*", "name": "v"}, {"label": "Gene", "name": "g"}]


def test_threads_get_their_own_documents_in_order() -> None:
    linker = SharedLinker(Marker)
    documents = [Document(str(number), f"a{number}", (Span(0, 2, "X"),)) for number in range(9)]

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(linker.link, [documents] * 8))

    assert all([document.id for document in each] == [document.id for document in documents] for each in found)


def test_documents_carry_the_hash_of_the_vocabulary() -> None:
    assert SharedLinker(Marker).infons["vocabulary"] == "v1"
    assert "vocabulary letters" in SharedLinker(Marker).infons["linked_by"]


def test_no_vocabulary_needs_no_linker() -> None:
    assert open_shared_linker(()) is None


class Slow(Marker):
    """Links each document when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.started, self.go = threading.Event(), threading.Event()
        self.n_linked = 0

    def link_documents(self, documents: Iterable[Document]) -> Iterator[Document]:
        self.started.set()
        assert self.go.wait(10)
        self.n_linked += 1
        yield from super().link_documents(documents)


def test_requests_for_links_wait_in_a_queue_that_is_bounded_and_can_be_left() -> None:
    slow = Slow()
    queue = open_link_queue(SharedLinker(lambda _: slow), Limits(waiting=100, wait_seconds=0.0))
    left = queue.submit([(DOCUMENT, 0)] * 20)
    assert slow.started.wait(5)
    stays = queue.submit([(DOCUMENT, 0)] * 3)
    with pytest.raises(QueueFull):
        queue.submit([(DOCUMENT, 0)] * 20)

    left.cancel()
    slow.go.set()

    with pytest.raises(LinnetError, match="cancelled"):
        left.future.result(5)
    assert [document.spans[0].links[0].identifier for document in stays.future.result(5)] == ["a"] * 3
    queue.close()
    assert slow.n_linked == 1 + 3
