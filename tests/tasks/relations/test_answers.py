"""Documents with predicted relations: formats by name or suffix, and confidences that a format cannot hold."""

from pathlib import Path

import pytest

from linnet.contracts import formats
from linnet.documents.document import Argument, Document, Link, Relation, Span
from linnet.errors import UnknownName, WouldLose
from linnet.formats.reading import read_documents
from linnet.tasks.relations.answers import RelatedDocuments, document_form
from linnet.tasks.relations.task import Relations
from linnet.tasks.texts.predictor import load_texts
from linnet.tasks.texts.questions import TextQuestions
from tests import text_corpora

TASK = Relations()
SPANS = (Span(0, 7, "Chemical", links=(Link("D1"),)), Span(15, 21, "Disease", links=(Link("D2"),)))
CONCEPTS = (Argument("entity1", "D1", is_concept=True), Argument("entity2", "D2", is_concept=True))
RELATION = Relation("CID", CONCEPTS, infons={"score": "0.7500"})
DOCUMENT = Document("9", "Aspirin causes ataxia.", SPANS, (RELATION,))


@pytest.fixture
def questions() -> TextQuestions:
    predictor = load_texts(text_corpora.trained("relations"))
    return predictor.questions(text_corpora.corpus("relations"), split="test", repair=False)


@pytest.mark.parametrize(
    ("name", "to", "expected"),
    [("a.jsonl", None, "jsonl"), ("a.xml", None, "bioc-xml"), ("a", "bioc-json", "bioc-json")],
)
def test_the_format_is_that_of_the_name_or_the_suffix(
    questions: TextQuestions, name: str, to: str | None, expected: str
) -> None:
    found = document_form(TASK, questions, Path(name), to, is_folder=False)

    assert found is not None
    assert found.name == expected


def test_a_table_is_no_form_of_documents(questions: TextQuestions) -> None:
    assert document_form(TASK, questions, Path("a.tsv"), None, is_folder=False) is None


def test_an_unknown_suffix_is_refused(questions: TextQuestions) -> None:
    with pytest.raises(UnknownName) as bad:
        document_form(TASK, questions, Path("a.txt7"), None, is_folder=False)
    assert ".tsv for rows" in bad.value.remedy


def test_the_documents_are_those_of_the_split_with_predicted_relations(questions: TextQuestions) -> None:
    form = document_form(TASK, questions, Path("a.jsonl"), None, is_folder=False)
    assert form is not None

    found = form.items(questions.predict(questions.examples))

    assert len(found) == text_corpora.SIZES["test"]
    assert all(relation.infons["score"] for document in found for relation in document.relations)


def test_a_confidence_that_the_format_cannot_hold_is_left_out_and_noted(
    questions: TextQuestions, tmp_path: Path
) -> None:
    form = RelatedDocuments(TASK, questions, formats.get("pubtator"), "")

    form.write([DOCUMENT], tmp_path / "out.pubtator")

    (found,) = read_documents(tmp_path / "out.pubtator")
    assert [relation.label for relation in found.relations] == ["CID"]
    assert any("scores of relations" in note for note in questions.notes)


def test_anything_else_that_would_be_lost_is_refused(questions: TextQuestions, tmp_path: Path) -> None:
    form = RelatedDocuments(TASK, questions, formats.get("conll"), "")

    with pytest.raises(WouldLose) as bad:
        form.write([DOCUMENT], tmp_path / "out.tsv")
    assert ".jsonl" in bad.value.remedy
