"""What is evaluated as a linker."""

from pathlib import Path

import pytest

from linnet.documents.document import Document, Span
from linnet.errors import BadFile, BadSetting
from linnet.models.evaluation import evaluate
from linnet.tasks.linking.evaluation.opening import evaluate_model
from linnet.tasks.linking.vocabularies.vocabulary import open_vocabulary
from tests.tasks.linking.corpora import corpus_folder, tiny_vocabulary, trained_run
from tests.tasks.linking.sources import OBO, build


class Finder:
    """Finds the word `tumours` and nothing else."""

    def annotate(self, documents: list[Document]) -> list[Document]:
        return [self.find(document) for document in documents]

    def find(self, document: Document) -> Document:
        start = document.text.find("tumours")
        return document.with_spans((Span(start, start + 7, "Disease"),) if start >= 0 else ())


def test_a_model_that_finds_mentions_is_judged_end_to_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("linnet.models.loading.load", lambda *_, **__: Finder())

    found = evaluate_model(tmp_path, corpus_folder(), vocabulary=tiny_vocabulary().folder).as_dict()

    assert found["spans"] == "predicted"
    assert (found["end_to_end"]["correct"], found["end_to_end"]["predicted"]) == (2, 2)


def test_a_run_knows_what_it_has_seen_and_where_its_vocabulary_is() -> None:
    found = evaluate_model(trained_run().folder, corpus_folder(), vocabulary=tiny_vocabulary().folder)

    assert found.as_dict()["scores"] == trained_run().metrics["scores"]
    assert found.as_dict()["seen"]["mentions"] > 0


def test_another_vocabulary_than_that_of_the_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="another vocabulary"):
        evaluate_model(trained_run().folder, corpus_folder(), vocabulary=build(tmp_path, OBO).folder)


def test_the_embedded_vocabulary_is_evaluated_by_its_name() -> None:
    found = evaluate("demo", "demo", split="devel").as_dict()

    assert found["task"] == "linking"
    assert found["vocabulary"] == open_vocabulary("demo").hash


def test_what_cannot_be_combined_is_refused(tmp_path: Path) -> None:
    vocabulary = tiny_vocabulary().folder

    with pytest.raises(BadSetting, match="is a vocabulary"):
        evaluate_model(vocabulary, corpus_folder(), vocabulary=vocabulary)
    with pytest.raises(BadSetting, match="is no linker"):
        evaluate_model(tmp_path, corpus_folder())
    with pytest.raises(BadSetting, match="finds mentions"):
        evaluate_model(tmp_path, corpus_folder(), vocabulary=vocabulary, documents=tmp_path)
