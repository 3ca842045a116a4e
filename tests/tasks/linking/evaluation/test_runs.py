"""Runs that find mentions, judged by their links."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from linnet.documents.document import Document, Span
from linnet.errors import BadSetting, LinnetError
from linnet.tasks.linking.evaluation import runs as module
from linnet.tasks.linking.evaluation.runs import TITLES, check_judging, judge_runs
from tests.tasks.linking.corpora import corpus_folder, tiny_vocabulary

VOCABULARY = str(tiny_vocabulary().folder)
SETTINGS: Any = SimpleNamespace(data=str(corpus_folder()), format=None, files=None, label=None, repair=False)


class Tagger:
    """Finds all `breast cancer`, or nothing."""

    def __init__(self, folder: Path, *, precision: str) -> None:
        self.is_blind = folder.name == "blind"

    def annotate(self, documents: list[Document]) -> list[Document]:
        return [document if self.is_blind else self._mark(document) for document in documents]

    def _mark(self, document: Document) -> Document:
        start = document.text.find("breast cancer")
        spans = () if start < 0 else (Span(start, start + 13, "Disease"),)
        return Document(document.id, document.text, spans)


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Path, Any]]:
    monkeypatch.setattr(module, "load", Tagger)
    for name in ("seeing", "blind"):
        (tmp_path / name).mkdir()
    return [(tmp_path / name, SETTINGS) for name in ("seeing", "blind")]


def judge(folders: list[tuple[Path, Any]], metric: str = "linked", vocabulary: str = VOCABULARY) -> Any:
    return judge_runs(folders, vocabulary=vocabulary, metric=metric, n_resamples=10, seed=0, split="test")


@pytest.mark.parametrize("metric", TITLES)
def test_links_of_found_mentions_are_scored(folders: list[tuple[Path, Any]], metric: str) -> None:
    found = judge(folders, metric)

    assert found.runs[0].score > found.runs[1].score == 0
    assert found.units == "documents"
    assert found.n_units == 4
    assert len(found.resample()[0]) == 10


def test_precision_counts_what_was_found_and_recall_what_was_missed(folders: list[tuple[Path, Any]]) -> None:
    first, second = judge(folders).runs

    assert first.beside["precision"] == 1
    assert 0 < first.beside["recall"] < 1
    assert second.beside == {"precision": 0, "recall": 0}
    assert not second.right.any()


def test_documents_are_annotated_once(folders: list[tuple[Path, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    first = judge(folders)
    monkeypatch.setattr(module, "load", None)

    assert judge(folders, "linked_identifiers").runs[0].score > 0
    assert judge(folders).runs[0].score == first.runs[0].score


def test_another_label_is_judged_apart(folders: list[tuple[Path, Any]]) -> None:
    judge(folders)
    judge(folders, vocabulary=f"Disease={VOCABULARY}")

    assert len(list(folders[0][0].glob("linked-test-*.jsonl"))) == 2


def test_a_label_without_identifiers_is_refused() -> None:
    check_judging(SETTINGS, vocabulary=VOCABULARY, split="devel")

    with pytest.raises(LinnetError, match="no mention has an identifier"):
        check_judging(SETTINGS, vocabulary=f"Gene={VOCABULARY}", split="devel")


def test_a_split_that_the_corpus_lacks_is_refused() -> None:
    with pytest.raises(BadSetting, match="has no other split"):
        check_judging(SETTINGS, vocabulary=VOCABULARY, split="other")
