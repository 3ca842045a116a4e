"""Vocabularies are opened once, and threads share them."""

from concurrent.futures import ThreadPoolExecutor

from linnet.documents.document import Document, Span
from linnet.serving.http.linking import SharedLinker, open_shared_linker
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
