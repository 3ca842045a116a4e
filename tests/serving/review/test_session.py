"""A review keeps decisions, refuses those that would overwrite others, and measures the agreement."""

import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from linnet.documents.document import Argument, Document, Relation, Span
from linnet.errors import BadFile
from linnet.serving.review.journal import open_journal
from linnet.serving.review.session import Review, StaleDecision, least_confident_first

DOCUMENTS = [Document("1", "ataxia and colds"), Document("2", "zinc"), Document("3", "none")]
ATAXIA, COLDS = {"start": 0, "end": 6, "label": "Disease"}, {"start": 11, "end": 16, "label": "Disease"}


def propose(document: Document) -> Document:
    return replace(document, spans=(Span(0, 6, "Disease", score=0.5),)) if document.id == "1" else document


@pytest.fixture
def review(tmp_path: Path) -> Iterator[Review]:
    with open_journal(tmp_path / "journal", {}) as journal:
        yield Review(DOCUMENTS, journal, propose)


def test_a_document_stands_as_proposed_until_it_is_decided_on(review: Review) -> None:
    assert review.current(0) == (propose(DOCUMENTS[0]), 0)

    version = review.decide(0, [ATAXIA, COLDS], 0)

    document, now = review.current(0)
    assert (version, now) == (1, 1)
    assert [(span.start, span.end, span.label) for span in document.spans] == [(0, 6, "Disease"), (11, 16, "Disease")]


def test_progress_is_told_while_other_windows_decide(tmp_path: Path) -> None:
    many = [Document(str(number), "ataxia") for number in range(150)]
    ended = threading.Event()
    seen: list[int] = []
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with open_journal(tmp_path / "journal", {}) as journal, ThreadPoolExecutor(1) as pool:
            review = Review(many, journal, lambda document: document)

            def watch() -> None:
                while not ended.is_set():
                    seen.append(review.progress().decided)

            watching = pool.submit(watch)
            for number in range(len(many)):
                review.decide(number, [ATAXIA], 0)
            ended.set()
            watching.result(20)
    finally:
        ended.set()
        sys.setswitchinterval(before)

    assert seen == sorted(seen)
    assert review.progress().agreement.after == 150


def test_a_decision_on_an_older_version_is_refused_and_changes_nothing(review: Review) -> None:
    review.decide(0, [ATAXIA], 0)

    with pytest.raises(StaleDecision, match="another window has decided on this document"):
        review.decide(0, [], 0)

    assert len(review.current(0)[0].spans) == 1


def test_decisions_are_there_again_when_the_review_is_opened_again(tmp_path: Path) -> None:
    for spans, version in (([ATAXIA, COLDS], 0), ([COLDS], 1)):
        with open_journal(tmp_path / "journal", {}) as journal:
            review = Review(DOCUMENTS, journal, propose)
            review.decide(0, spans, version)

    with open_journal(tmp_path / "journal", {}) as journal:
        review = Review(DOCUMENTS, journal, propose)
        assert review.current(0)[1] == 2
        assert [document.id for document in review.decided_documents()] == ["1"]
        assert [span.start for span in review.current(0)[0].spans] == [11]


def test_what_was_proposed_is_kept_with_the_decision(tmp_path: Path) -> None:
    def forget(document: Document) -> Document:
        raise AssertionError(document.id)

    with open_journal(tmp_path / "journal", {}) as journal:
        Review(DOCUMENTS, journal, propose).decide(0, [COLDS], 0)
    with open_journal(tmp_path / "journal", {}) as journal:
        found = Review(DOCUMENTS, journal, forget).progress().agreement

    assert (found.proposed, found.kept, found.after) == (1, 0, 1)


def test_relations_stay_with_their_mentions(tmp_path: Path) -> None:
    spans = (Span(0, 6, "Disease", id="T1"), Span(11, 16, "Disease", id="T2"))
    relation = Relation("with", (Argument("a", "T1"), Argument("b", "T2")))
    document = replace(DOCUMENTS[0], spans=spans, relations=(relation,))
    first, second = {**ATAXIA, "id": "T1"}, {**COLDS, "id": "T2"}

    with open_journal(tmp_path / "journal", {}) as journal:
        review = Review([document], journal, lambda each: each)
        review.decide(0, [first, second], 0)
        kept = review.current(0)[0].relations
        review.decide(0, [first], 1)
        left = review.current(0)[0].relations

    assert (kept, left) == ((relation,), ())


def test_a_mention_that_stands_twice_is_kept_once(review: Review) -> None:
    review.decide(0, [ATAXIA, COLDS, ATAXIA], 0)

    assert [span.start for span in review.current(0)[0].spans] == [ATAXIA["start"], COLDS["start"]]


def test_progress_and_agreement_count_what_was_kept(review: Review) -> None:
    review.decide(0, [ATAXIA, COLDS], 0)
    review.decide(1, [], 0)

    found = review.progress()

    assert (found.decided, found.total) == (2, 3)
    assert found.agreement.as_dict() == {
        "unchanged_documents": 1, "proposed": 1, "kept": 1, "mentions_after": 2,
        "precision": 1.0, "recall": 0.5, "f1": pytest.approx(2 / 3),
    }  # fmt: skip


def test_the_next_document_is_one_without_a_decision(review: Review) -> None:
    assert [review.next_undecided(after) for after in (-1, 0, 2)] == [0, 1, 0]
    for number in range(3):
        review.decide(number, [], 0)
    assert review.next_undecided() is None


@pytest.mark.parametrize("span", [{"start": 0, "end": 99, "label": "x"}, {"start": 0}, "x", {"start": 3, "end": 3}])
def test_what_is_not_a_mention_of_the_text_is_refused(review: Review, span: object) -> None:
    with pytest.raises(BadFile):
        review.decide(0, [span], 0)
    assert review.current(0)[1] == 0


def test_the_least_confident_documents_come_first() -> None:
    scored = [
        replace(each, spans=(Span(0, 1, "x", score=score),)) for each, score in zip(DOCUMENTS, (0.9, 0.2), strict=False)
    ]

    assert [each.id for each in least_confident_first([*scored, DOCUMENTS[2]])] == ["2", "1", "3"]
