"""Evaluation of models about texts: scores, saved predictions and warnings."""

from pathlib import Path

import pytest

from linnet.documents.texts import Plain, Prediction
from linnet.errors import BadFile, UnknownName
from linnet.tasks.texts.evaluation import (
    TextEvaluation,
    evaluate_texts,
    find_metric,
    prediction_from_json,
    prediction_to_json,
    read_text_predictions,
    write_text_predictions,
)
from linnet.tasks.texts.kinds import CLASSIFICATION
from linnet.training.run_folder import open_run
from tests import text_corpora

VALUES: list[tuple[Plain | None, Plain]] = [
    ("yes", "no"),
    (("a", "b"), ()),
    (2.5, 3.0),
    ((("NGF", "nerve growth factor"),), ("NGF",)),
    (None, "ä\t\n"),
]


def prediction(gold: Plain | None, predicted: Plain) -> Prediction:
    return Prediction("1", "A.\nB.", gold, predicted, group="g", score=0.5, details={"k": "v"})


@pytest.mark.parametrize(("gold", "predicted"), VALUES)
def test_a_prediction_is_the_same_when_it_is_read_again(gold: Plain | None, predicted: Plain, tmp_path: Path) -> None:
    given = prediction(gold, predicted)

    write_text_predictions(tmp_path / "p.jsonl", [given])

    assert read_text_predictions(tmp_path / "p.jsonl") == [given]
    assert prediction_from_json(prediction_to_json(given)) == given


@pytest.mark.parametrize(
    "line",
    ["{", "[]", '{"id": "1"}', "[" * 100_000, f'{{"gold": {"[" * 700}{"]" * 700}}}'],
    ids=["cut off", "list", "little", "deep", "rather deep"],
)
def test_other_lines_are_refused_with_their_number(tmp_path: Path, line: str) -> None:
    (tmp_path / "p.jsonl").write_text(f"{line}\n", encoding="utf-8")

    with pytest.raises(BadFile, match=r"p.jsonl:1: this is no prediction"):
        read_text_predictions(tmp_path / "p.jsonl")


def evaluation(*pairs: tuple[str, str]) -> TextEvaluation:
    return TextEvaluation(
        predictions=[prediction(*pair) for pair in pairs],
        figures={"accuracy": {"value": 0.5}},
        titles={},
        labels={},
        metric="accuracy",
        task="classification",
        kind=CLASSIFICATION,
    )


def test_a_model_that_always_predicts_the_same_has_a_warning() -> None:
    (warning,) = evaluation(("a", "a"), ("b", "a")).warnings

    assert warning.startswith("all 2 predictions are the same, 'a'")
    assert evaluation(("a", "a"), ("b", "b")).warnings == []
    assert evaluation(("a", "a"), ("a", "a")).warnings == []


def test_the_main_score_is_that_of_the_metric() -> None:
    assert evaluation(("a", "a")).main_score == 0.5
    assert evaluation(("a", "a")).as_dict()["examples"] == 1


def test_a_saved_model_scores_as_it_did_in_training() -> None:
    folder = text_corpora.trained("classification")

    found = evaluate_texts(folder, text_corpora.corpus("classification"))

    metrics = open_run(folder).metrics
    assert found.split == "test"
    assert found.figures == metrics["scores"]
    assert found.labels == metrics["labels"]


def test_an_unknown_score_is_refused_with_those_that_there_are() -> None:
    found = text_corpora.task("similarity").metrics([prediction(1.0, 2.0), prediction(2.0, 1.0)], None)

    assert find_metric(found, None) is found[0]
    assert find_metric(found, "mse").name == "mse"
    with pytest.raises(UnknownName, match="no score called 'f1'") as bad:
        find_metric(found, "f1")
    assert "pearson" in bad.value.remedy
