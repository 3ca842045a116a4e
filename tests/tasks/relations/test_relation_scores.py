"""Scores of relations: labels that say no do not count, the right score leads, and predictions do not choose it."""

import pytest

from linnet.documents.texts import Prediction, TextExample
from linnet.errors import BadFile
from linnet.metrics.texts.resampled import plain_value
from linnet.tasks.relations.settings import RelationSettings
from linnet.tasks.relations.task import Relations, negative_labels

TASK = Relations()
SETTINGS = RelationSettings()


def pair(gold: str | None, predicted: str) -> Prediction:
    return Prediction("1", "a text", gold, predicted)


def scores(predictions: list[Prediction], settings: RelationSettings = SETTINGS) -> dict[str, float]:
    return {metric.name: plain_value(metric) for metric in TASK.metrics(predictions, settings)}


def test_one_positive_label_is_chosen_by_its_f1() -> None:
    predictions = [pair("1", "1"), pair("1", "0"), pair("0", "1"), pair("1", "1"), pair("0", "0")]

    found = scores(predictions)

    # of "1": 2 correct, 3 predicted, 3 gold, so F1 is 4 / 6; 3 of 5 are right
    assert next(iter(found)) == "f1"
    assert found["f1"] == pytest.approx(2 / 3)
    assert found["accuracy"] == pytest.approx(3 / 5)


def test_several_positive_labels_are_chosen_by_micro_f1_without_the_negative() -> None:
    predictions = [pair("CPR:3", "CPR:3"), pair("CPR:4", "false"), pair("false", "CPR:4"), pair("false", "false")]

    found = scores(predictions)

    # 1 correct, 2 predicted, 2 gold; macro: F1 of CPR:3 is 1 and of CPR:4 is 0
    assert next(iter(found)) == "micro_f1"
    assert found["micro_f1"] == pytest.approx(0.5)
    assert found["macro_f1"] == pytest.approx(0.5)
    assert "f1" not in found


def test_without_a_negative_label_all_labels_count() -> None:
    found = scores([pair("INHIBITOR", "INHIBITOR"), pair("AGONIST", "INHIBITOR")])

    assert next(iter(found)) == "micro_f1"
    assert found["micro_f1"] == found["accuracy"] == 0.5


def test_where_all_is_negative_the_score_is_zero() -> None:
    assert scores([pair("none", "none")])["micro_f1"] == 0


def test_the_negative_label_may_be_set() -> None:
    found = scores([pair("other", "other"), pair("x", "x")], RelationSettings(negative="other"))

    assert next(iter(found)) == "f1"
    assert found["f1"] == 1
    assert negative_labels({"other", "0"}, RelationSettings(negative="other")) == {"other"}


@pytest.mark.parametrize("name", ["0", "false", "None", "NO", "NA", "no_relation", "DDI-false", "CPR:0"])
def test_labels_that_say_no_are_known(name: str) -> None:
    assert negative_labels({name, "CPR:3", "yes", "1"}, SETTINGS) == {name}


def test_pairs_without_a_label_cannot_be_scored() -> None:
    with pytest.raises(BadFile, match="pair 1: the label is missing"):
        TASK.metrics([pair(None, "x")], SETTINGS)


def test_labels_of_training_are_kept_for_scores() -> None:
    examples = [TextExample("1", "a", gold=label) for label in ("1", "0", "1")]

    assert Relations().complete_settings(SETTINGS, examples).labels == ("0", "1")
    assert Relations().complete_settings(RelationSettings(labels=("1",)), examples).labels == ("1",)


@pytest.mark.parametrize("predicted", ["1", "0", "2"])
def test_what_is_predicted_does_not_decide_whether_there_is_f1(predicted: str) -> None:
    for gold in (["1", "1"], ["0", "0"], ["1", "0"]):
        predictions = [pair(label, predicted) for label in gold]
        assert next(iter(scores(predictions))) == "f1"
        assert next(iter(scores(predictions, RelationSettings(labels=("0", "1"))))) == "f1"
        assert "f1" not in scores(predictions, RelationSettings(labels=("0", "1", "2")))


def test_predictions_that_gold_does_not_have_cost_precision() -> None:
    found = scores([pair("1", "1"), pair("0", "2")])

    assert found["f1"] == found["micro_f1"] == pytest.approx(2 / 3)  # 1 correct, 2 predicted, 1 gold
