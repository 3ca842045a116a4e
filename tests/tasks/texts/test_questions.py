"""Examples of a file, predicted block by block, and the form in which they are written."""

import json
from pathlib import Path

import pytest

from linnet.documents.texts import Prediction
from linnet.errors import BadSetting
from linnet.storage.cells import read_rows
from linnet.tasks.texts import questions as module
from linnet.tasks.texts.evaluation import prediction_from_json, prediction_to_json
from linnet.tasks.texts.predictor import load_texts
from linnet.tasks.texts.questions import Rows, TextQuestions
from tests import text_corpora

PREDICTION = Prediction("1", "text", None, ("a\tb", "c"), score=0.25, details={"k": "v"})


def questions(kind: str, split: str | None = "test") -> TextQuestions:
    return load_texts(text_corpora.trained(kind)).questions(text_corpora.corpus(kind), split=split, repair=False)


def test_blocks_hold_all_examples_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BLOCK", 3)
    found = questions("classification")

    blocks = list(found.blocks())

    assert [len(block) for block in blocks] == [3, 3, 2]
    assert [each for block in blocks for each in block] == found.examples


def test_the_texts_of_a_question_stay_in_one_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BLOCK", 1)

    blocks = [{each.group or each.id for each in block} for block in questions("answering").blocks()]

    assert all(len(groups) == 1 for groups in blocks)
    assert len(set().union(*blocks)) == len(blocks)


def test_blocks_with_other_texts_have_another_digest() -> None:
    found = questions("classification")

    assert found.digest(found.examples[:2]) == found.digest(list(found.examples[:2]))
    assert found.digest(found.examples[:2]) != found.digest(found.examples[1:3])


def test_a_prediction_that_was_kept_is_the_same() -> None:
    found = questions("classification")
    (prediction,) = found.predict(found.examples[:1])

    assert found.from_row(found.as_row(prediction)) == prediction


def test_a_corpus_of_several_splits_needs_a_choice() -> None:
    with pytest.raises(BadSetting, match="has the splits"):
        questions("classification", split=None)


@pytest.mark.parametrize(("name", "form"), [("a.tsv", "tsv"), ("a.jsonl", "jsonl")])
def test_the_suffix_of_the_output_says_its_form(name: str, form: str) -> None:
    assert questions("classification").form(Path(name), None).name == form


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(BadSetting, match=r"a.txt: predictions are written as .jsonl or .tsv"):
        questions("classification").form(Path("a.txt"), None)


def test_rows_are_one_line_each(tmp_path: Path) -> None:
    Rows("tsv").write([PREDICTION], tmp_path / "a.tsv")
    Rows("jsonl").write([PREDICTION], tmp_path / "a.jsonl")

    assert (tmp_path / "a.tsv").read_text(encoding="utf-8").splitlines()[0] == "id\tpredicted\tscore"
    assert len((tmp_path / "a.tsv").read_text(encoding="utf-8").splitlines()[1].split("\t")) == 3
    assert len((tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()) == 1


def test_rows_of_several_labels_have_the_probability_of_each(tmp_path: Path) -> None:
    several = Prediction("1", "a text", None, ("a",), score=0.9, scores={"a": 0.9, "b": 0.2})

    Rows("jsonl").write([several, Prediction("2", "a text", None, "a", score=0.9)], tmp_path / "a.jsonl")

    first, second = map(json.loads, (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines())
    assert first == {"id": "1", "predicted": ["a"], "score": 0.9, "scores": {"a": 0.9, "b": 0.2}}
    assert "scores" not in second
    assert prediction_from_json(prediction_to_json(several)) == several


def test_a_table_of_predictions_holds_no_formulas(tmp_path: Path) -> None:
    rows = [Prediction("=1+1", "", None, "@label", score=0.5), Prediction("b", "", None, -0.5)]

    Rows("tsv").write(rows, tmp_path / "a.tsv")

    lines = (tmp_path / "a.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[1:] == ["'=1+1\t'@label\t0.500000", "b\t-0.5\t"]
    assert [row["id"] for row in read_rows(tmp_path / "a.tsv")] == ["=1+1", "b"]
