"""Evaluation of a linker on a corpus."""

from pathlib import Path

import pytest

from linnet.errors import BadFile, BadSetting
from linnet.tasks.linking.evaluation.evaluating import evaluate_linker
from linnet.tasks.linking.evaluation.predictions_file import read_predictions
from linnet.tasks.linking.linker import Linker
from linnet.tasks.linking.vocabularies.vocabulary import open_vocabulary
from tests.tasks.linking.evaluation.examples import gold_document, write_pubtator
from tests.tasks.linking.sources import build


@pytest.fixture(scope="module")
def linker(tmp_path_factory: pytest.TempPathFactory) -> Linker:
    return Linker(open_vocabulary(build(tmp_path_factory.mktemp("evaluating")).folder))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    train = gold_document("Growths of the breast", ("Growths of the breast", "D001943"), id="1")
    test = gold_document(
        "growths of the breast and tumors", ("growths of the breast", "D001943"), ("tumors", "D009369")
    )
    write_pubtator(tmp_path / "corpus" / "train.txt", train)
    write_pubtator(tmp_path / "corpus" / "test.txt", test)
    return tmp_path / "corpus"


def test_a_vocabulary_is_evaluated_without_training(linker: Linker, corpus: Path) -> None:
    found = evaluate_linker(linker, corpus)

    values = found.as_dict()
    assert (values["mentions"], values["vocabulary"], values["spans"]) == (2, linker.vocabulary.hash, "gold")
    assert found.main_score == values["gold"]["any"]["recall_at_1"]
    assert values["seen"]["mentions"] == values["unseen"]["mentions"] == 1
    assert found.split == "test"
    assert len(found.tables()) == 2
    assert found.warnings == []


def test_predictions_are_written_and_read_again(linker: Linker, corpus: Path, tmp_path: Path) -> None:
    found = evaluate_linker(linker, corpus)

    found.write_predictions(tmp_path / "predictions.jsonl")

    documents, counts = read_predictions(tmp_path / "predictions.jsonl")
    assert tuple(documents) == found.documents
    assert tuple(counts) == found.counts


def test_found_mentions_are_linked_end_to_end(linker: Linker, corpus: Path, tmp_path: Path) -> None:
    text = "growths of the breast and tumors"
    other = write_pubtator(tmp_path / "found.txt", gold_document(text, ("tumors", "-1"), ("breast", "-1")))

    found = evaluate_linker(linker, corpus, documents=other).as_dict()

    assert found["spans"] == "predicted"
    assert found["end_to_end"]["correct"] == 1
    assert found["end_to_end"]["gold"] == 2


def test_documents_of_another_corpus_are_refused(linker: Linker, corpus: Path, tmp_path: Path) -> None:
    other = write_pubtator(tmp_path / "found.txt", gold_document("tumors", ("tumors", "-1"), id="2"))
    changed = write_pubtator(tmp_path / "changed.txt", gold_document("tumors", ("tumors", "-1")))

    with pytest.raises(BadFile, match="no document '1'"):
        evaluate_linker(linker, corpus, documents=other)
    with pytest.raises(BadSetting, match="another text"):
        evaluate_linker(linker, corpus, documents=changed)


def test_gold_identifiers_that_the_vocabulary_lacks_are_warned_about(linker: Linker, tmp_path: Path) -> None:
    document = gold_document("tumors and cancer, pain", ("tumors", "D009369"), ("cancer", "D009369"), ("pain", "D1"))

    found = evaluate_linker(linker, write_pubtator(tmp_path / "one.txt", document))

    assert "33.3%" in found.warnings[0]
    assert found.as_dict()["known"] == pytest.approx(2 / 3)
