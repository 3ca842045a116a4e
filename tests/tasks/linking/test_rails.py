"""What annotation calls for linking."""

from pathlib import Path

from linnet.documents.document import Document, Span
from linnet.tasks.linking.rails import VocabularyLinking
from tests.tasks.linking.sources import build


def test_a_linker_is_opened(tmp_path: Path) -> None:
    linker = VocabularyLinking().open_linker([str(build(tmp_path).folder)], min_score=0.5, candidates=0)

    (linked,) = linker.link_documents([Document("1", "Breast Cancer", (Span(0, 13, "X"),))])

    assert [link.identifier for link in linked.spans[0].links] == ["mesh:D001943"]


def test_names_are_opened(tmp_path: Path) -> None:
    names = VocabularyLinking().open_names([f"D={build(tmp_path).folder}"])

    (found,) = names.annotate([Document("1", "Breast Cancer")])

    assert [(span.start, span.end, span.label) for span in found.spans] == [(0, 13, "D")]
