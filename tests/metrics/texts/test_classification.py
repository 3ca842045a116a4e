"""Metrics of classification and multi-label classification; the referee is scikit-learn."""

import numpy as np
import pytest

from linnet.errors import BadSetting
from linnet.metrics.statistics.bootstrap import unit_weights
from linnet.metrics.texts.classification import classification_metrics, multi_label_metrics, per_label
from linnet.metrics.texts.resampled import Metric, evaluate_metrics, plain_value

referee = pytest.importorskip("sklearn.metrics")

LABELS = ["a", "b", "c", "d"]


def values(metrics: list[Metric]) -> dict[str, float]:
    return {metric.name: plain_value(metric) for metric in metrics}


def random_choices(n: int, seed: int) -> tuple[list[str], list[str]]:
    """Return gold and predicted labels; half of them agree, and `d` is only predicted."""
    generator = np.random.default_rng(seed)
    gold = generator.choice(LABELS[:3], size=n, p=[0.7, 0.2, 0.1])
    predicted = np.where(generator.random(n) < 0.5, gold, generator.choice(LABELS, size=n))
    return gold.tolist(), predicted.tolist()


def random_sets(n: int, seed: int) -> list[list[str]]:
    marks = np.random.default_rng(seed).random((n, len(LABELS))) < [0.5, 0.3, 0.1, 0.05]
    return [[label for label, is_there in zip(LABELS, row, strict=True) if is_there] for row in marks]


def as_matrix(rows: list[list[str]]) -> list[list[int]]:
    return [[int(label in row) for label in LABELS] for row in rows]


def as_documents(rows: list[list[str]], groups: list[str]) -> list[list[str]]:
    """Return the labels of each document, sorted by its name: the union over its rows."""
    return [
        sorted({label for row, group in zip(rows, groups, strict=True) if group == name for label in row})
        for name in sorted(set(groups))
    ]


def test_positive_labels_are_counted_and_the_rest_is_not() -> None:
    """Of the relations, 3 are predicted, 2 are gold and 1 is both.

    a: 1 correct of 2 predicted and 1 gold, F1 2/3; b: 0 correct of 1 predicted and 1 gold, F1 0.
    """
    gold = ["a", "none", "b", "none", "none"]
    predicted = ["a", "a", "none", "b", "none"]

    found = values(classification_metrics(gold, predicted, positive=["a", "b"]))

    assert found == pytest.approx(
        {
            "accuracy": 2 / 5,
            "micro_precision": 1 / 3,
            "micro_recall": 1 / 2,
            "micro_f1": 2 / 5,
            "macro_f1": (2 / 3 + 0) / 2,
        }
    )


def test_without_positive_labels_micro_f1_is_accuracy() -> None:
    found = values(classification_metrics(*random_choices(200, seed=0)))

    assert found["micro_f1"] == found["micro_precision"] == found["micro_recall"] == found["accuracy"]
    assert "f1" not in found


def test_one_positive_label_has_a_binary_f1() -> None:
    """Yes is gold twice, predicted three times and right twice: 2 * 2 / (3 + 2)."""
    metrics = classification_metrics(["yes", "yes", "no"], ["yes", "yes", "yes"], positive=["yes"], unit="questions")

    assert metrics[-1].name == "f1"
    assert plain_value(metrics[-1]) == pytest.approx(0.8)
    assert {metric.unit for metric in metrics} == {"questions"}


def test_a_positive_label_that_never_occurs_does_not_lower_the_macro_mean() -> None:
    found = values(classification_metrics(["a", "b"], ["a", "b"], positive=["a", "b", "c"]))

    assert found["macro_f1"] == 1.0


@pytest.mark.parametrize("has_f1", [True, False])
def test_whether_there_is_f1_may_be_said(has_f1: bool) -> None:
    found = values(classification_metrics(["a", "no"], ["b", "a"], positive=["a", "b"], has_f1=has_f1))

    assert ("f1" in found) == has_f1
    assert not has_f1 or found["f1"] == found["micro_f1"]


def test_labels_that_are_neither_gold_nor_predicted_score_zero() -> None:
    found = values(classification_metrics(["none"], ["none"], positive=["a"]))

    assert found == {"accuracy": 1, "micro_precision": 0, "micro_recall": 0, "micro_f1": 0, "macro_f1": 0, "f1": 0}


def test_a_label_that_a_resample_lacks_does_not_lower_its_macro_mean() -> None:
    gold = ["a"] * 9 + ["b"]  # a resample lacks b with probability 0.9^10 = 0.35

    metric = next(each for each in classification_metrics(gold, gold) if each.name == "macro_f1")

    assert set(metric(unit_weights(10, n_resamples=200, seed=0))) == {1.0}


@pytest.mark.parametrize("positive", [None, ["a", "b", "c"], ["a", "d"], ["b"]])
def test_scikit_learn_finds_the_same_choices(positive: list[str] | None) -> None:
    gold, predicted = random_choices(300, seed=1)
    labels = positive or LABELS

    found = values(classification_metrics(gold, predicted, positive=positive))

    assert found["accuracy"] == pytest.approx(referee.accuracy_score(gold, predicted))
    for average in ("micro", "macro"):
        score = referee.f1_score(gold, predicted, labels=labels, average=average, zero_division=0)
        assert found[f"{average}_f1"] == pytest.approx(score)
    precision = referee.precision_score(gold, predicted, labels=labels, average="micro", zero_division=0)
    recall = referee.recall_score(gold, predicted, labels=labels, average="micro", zero_division=0)
    assert (found["micro_precision"], found["micro_recall"]) == pytest.approx((precision, recall))


def test_scikit_learn_finds_the_same_in_resamples() -> None:
    gold, predicted = random_choices(60, seed=2)
    weights = unit_weights(60, n_resamples=5, seed=0)
    metrics = {metric.name: metric for metric in classification_metrics(gold, predicted, positive=["a", "b"])}

    scores = metrics["micro_f1"](weights), metrics["macro_f1"](weights)

    for drawn, micro, macro in zip(weights, *scores, strict=True):
        options = {"labels": ["a", "b"], "sample_weight": drawn, "zero_division": 0}
        assert micro == pytest.approx(referee.f1_score(gold, predicted, average="micro", **options))
        assert macro == pytest.approx(referee.f1_score(gold, predicted, average="macro", **options))


GOLD_SETS = [["a"], ["a"], ["b"], [], ["a", "b"]]
PREDICTED_SETS = [["a", "b"], ["a", "b"], [], [], ["a"]]
DOCUMENTS = ["D1", "D2", "D2", "D1", "D3"]


def test_sentences_with_several_labels() -> None:
    """Correct are 3, predicted 5, gold 5. F1 of a is 1 (3, 3, 3), of b 0 (0, 2, 2). Only the fourth is quite right."""
    found = values(multi_label_metrics(GOLD_SETS, PREDICTED_SETS, groups=DOCUMENTS, labels=["a", "b"]))

    assert found["micro_f1"] == pytest.approx(2 * 3 / (5 + 5))
    assert found["macro_f1"] == pytest.approx((1 + 0) / 2)
    assert found["subset_accuracy"] == pytest.approx(1 / 5)


def test_a_document_has_the_labels_of_its_sentences() -> None:
    """D1 has gold {a} and predicted {a, b}, D2 {a, b} and {a, b}, D3 {a, b} and {a}.

    Correct are 4, predicted 5, gold 5. F1 of a is 1 (3, 3, 3), of b 1/2 (1, 2, 2). Precisions are 1/2, 1 and 1, recalls
    1, 1 and 1/2, their means 5/6 and 5/6.
    """
    metrics = multi_label_metrics(GOLD_SETS, PREDICTED_SETS, groups=DOCUMENTS, labels=["a", "b"])

    found = values(metrics)

    assert found["document_micro_f1"] == pytest.approx(2 * 4 / (5 + 5))
    assert found["document_macro_f1"] == pytest.approx((1 + 1 / 2) / 2)
    assert found["document_example_f1"] == pytest.approx(5 / 6)
    assert {metric.n_units for metric in metrics if metric.unit == "documents"} == {3}


def test_a_document_without_predicted_labels_has_precision_zero() -> None:
    """As in BLUE: mean precision (1 + 0) / 2, mean recall (1 + 0) / 2."""
    found = values(multi_label_metrics([["a"], ["a"]], [["a"], []], groups=["D1", "D2"], labels=["a"]))

    assert found["document_example_f1"] == pytest.approx(0.5)


@pytest.mark.parametrize("predicted", [[], ["a"]])
def test_a_document_without_gold_labels_is_left_out_of_the_example_based_score_only(predicted: list[str]) -> None:
    """Of 1 correct and 1 gold, 1 or 2 are predicted: micro F1 is 2 * 1 / (1 + 1) or 2 * 1 / (2 + 1)."""
    found = values(multi_label_metrics([["a"], []], [["a"], predicted], groups=["D1", "D2"], labels=["a"]))

    assert found["document_example_f1"] == 1.0
    assert found["document_micro_f1"] == pytest.approx(2 / (2 + len(predicted)))


def test_the_example_based_score_is_a_harmonic_mean_of_means_in_resamples_too() -> None:
    gold, predicted = random_sets(20, seed=3), random_sets(20, seed=4)
    metrics = multi_label_metrics(gold, predicted, groups=[f"D{number:02d}" for number in range(20)], labels=LABELS)
    metric = next(metric for metric in metrics if metric.name == "document_example_f1")
    units = [(set(a), set(b)) for a, b in zip(gold, predicted, strict=True) if a]
    weights = unit_weights(len(units), n_resamples=5, seed=1)

    scores = metric(weights)

    assert metric.n_units == len(units) < 20
    for drawn, score in zip(weights, scores, strict=True):
        rows = [unit for unit, n in zip(units, drawn, strict=True) for _ in range(int(n))]
        precision = np.mean([len(a & b) / len(b) if b else 0.0 for a, b in rows])
        recall = np.mean([len(a & b) / len(a) for a, b in rows])
        assert score == pytest.approx(2 * precision * recall / (precision + recall))


def test_scikit_learn_finds_the_same_labels() -> None:
    gold, predicted = random_sets(300, seed=5), random_sets(300, seed=6)
    groups = [f"D{number % 70:02d}" for number in range(300)]

    found = values(multi_label_metrics(gold, predicted, groups=groups, labels=LABELS))

    sentences = as_matrix(gold), as_matrix(predicted)
    documents = as_matrix(as_documents(gold, groups)), as_matrix(as_documents(predicted, groups))
    for average in ("micro", "macro"):
        assert found[f"{average}_f1"] == pytest.approx(referee.f1_score(*map(np.array, sentences), average=average))
        document_f1 = referee.f1_score(*map(np.array, documents), average=average)
        assert found[f"document_{average}_f1"] == pytest.approx(document_f1)
    assert found["subset_accuracy"] == pytest.approx(referee.accuracy_score(*map(np.array, sentences)))


def test_a_score_says_how_many_documents_it_counts() -> None:
    """Of eighteen documents twelve have gold labels."""
    documents = [f"D{number}" for number in range(18)]
    metrics = multi_label_metrics([["a"], [], ["b"]] * 6, [["a"], ["a"], []] * 6, groups=documents, labels=["a", "b"])

    found = evaluate_metrics(metrics, n_resamples=50)

    assert found["document_micro_f1"].n == 18
    assert found["document_example_f1"].n == 12
    assert found["document_example_f1"].low is not None


def test_without_a_document_with_gold_labels_the_example_based_score_is_zero() -> None:
    found = evaluate_metrics(multi_label_metrics([[]], [["a"]], groups=["D1"], labels=["a"]), n_resamples=50)

    assert (found["document_example_f1"].value, found["document_example_f1"].n) == (0.0, 0)


def test_an_unknown_label_is_refused_with_its_place() -> None:
    with pytest.raises(BadSetting, match=r"unit 1 \(counted from 0\) has the label 'x'"):
        multi_label_metrics([["a"], ["x"]], [[], []], groups=["D1", "D1"], labels=["a", "b"])


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(BadSetting, match="2 gold, 1 predicted"):
        classification_metrics(["a", "b"], ["a"])
    with pytest.raises(BadSetting, match="1 gold, 1 predicted, 2 groups"):
        multi_label_metrics([["a"]], [["a"]], groups=["D1", "D2"], labels=["a"])


def test_scores_of_each_label_of_single_choices() -> None:
    """Label yes: 1 correct, 2 predicted, 1 gold; no: 0 correct, 0 predicted, 1 gold."""
    scores = per_label(["yes", "no"], ["yes", "yes"])

    assert list(scores) == ["no", "yes"]
    assert scores["no"] == {"precision": 0, "recall": 0, "f1": 0, "gold": 1, "predicted": 0, "correct": 0}
    assert scores["yes"] == pytest.approx(
        {"precision": 1 / 2, "recall": 1, "f1": 2 / 3, "gold": 1, "predicted": 2, "correct": 1}
    )


def test_scores_of_each_label_of_several() -> None:
    scores = per_label([{"a", "b"}, set()], [["a"], ["a"]])

    assert {label: (row["correct"], row["predicted"], row["gold"]) for label, row in scores.items()} == {
        "a": (1, 2, 1),
        "b": (0, 0, 1),
    }
    assert per_label([], []) == {}


def test_scikit_learn_finds_the_same_for_each_label() -> None:
    gold, predicted = random_choices(300, seed=7)

    scores = per_label(gold, predicted)

    expected = referee.precision_recall_fscore_support(gold, predicted, labels=LABELS, zero_division=0)
    for label, precision, recall, f1, n_gold in zip(LABELS, *expected, strict=True):
        row = scores[label]
        assert [row["precision"], row["recall"], row["f1"]] == pytest.approx([precision, recall, f1])
        assert row["gold"] == n_gold
