"""Metrics of examples become metrics of their documents, with the same scores and wider intervals."""

import numpy as np
import pytest

from linnet.metrics.statistics.bootstrap import unit_weights
from linnet.metrics.texts.classification import classification_metrics, multi_label_metrics
from linnet.metrics.texts.grouped import over_documents, sizes_of_documents
from linnet.metrics.texts.question_answering import yesno_metrics
from linnet.metrics.texts.regression import regression_metrics
from linnet.metrics.texts.resampled import Metric, evaluate_metrics, plain_value

DOCUMENTS = ["b", "b", "a", "c", "c", "c", "a", "d"]
GOLD = ["x", "y", "x", "x", "y", "y", "x", "x"]
PREDICTED = ["x", "x", "x", "y", "y", "y", "x", "y"]


def every_metric() -> list[Metric]:
    numbers = np.random.default_rng(0).normal(size=(2, 8)).tolist()
    return [*classification_metrics(GOLD, PREDICTED, positive=["x"]), *regression_metrics(*numbers)]


@pytest.mark.parametrize("at", range(len(every_metric())))
def test_a_resample_of_documents_scores_their_examples(at: int) -> None:
    metric, grouped = every_metric()[at], over_documents(every_metric(), DOCUMENTS)[at]
    weights = unit_weights(4, n_resamples=6, seed=1)
    names = sorted(set(DOCUMENTS))

    of_examples = np.array([[row[names.index(name)] for name in DOCUMENTS] for row in weights])

    assert grouped(weights) == pytest.approx(metric(of_examples))
    assert plain_value(grouped) == pytest.approx(plain_value(metric))
    assert (grouped.name, grouped.title, grouped.higher_is_better) == (
        metric.name, metric.title, metric.higher_is_better
    )  # fmt: skip
    assert (grouped.unit, grouped.n_units) == ("documents", 4)


@pytest.mark.parametrize("documents", [["a"] * 8, list("abcdefgh")])
def test_one_document_or_one_for_each_example_changes_nothing(documents: list[str]) -> None:
    metrics = every_metric()

    assert over_documents(metrics, documents) == metrics


def test_other_units_stay_as_they_are() -> None:
    metrics = [
        *yesno_metrics(["yes", "no"] * 4, ["yes", "no"] * 4),
        *multi_label_metrics([["x"]] * 8, [["x"]] * 8, groups=DOCUMENTS, labels=["x"]),
    ]

    found = {metric.name: (metric.unit, metric.n_units) for metric in over_documents(metrics, DOCUMENTS)}

    assert found["document_micro_f1"] == found["micro_f1"] == ("documents", 4)
    assert {unit for name, (unit, _) in found.items() if name.startswith("yes")} <= {"questions"}


def test_documents_of_equal_examples_make_a_wider_interval() -> None:
    """100 examples in 20 documents of five with the same outcome: the variance is five times as large."""
    predicted = (["x"] * 5 + ["x"] * 5 + ["x"] * 5 + ["y"] * 5) * 5
    metrics = classification_metrics(["x"] * 100, predicted)
    documents = [f"d{number // 5}" for number in range(100)]

    examples, by_document = (
        evaluate_metrics(metrics, n_resamples=2000, drawn=drawn)["accuracy"]
        for drawn in (metrics, over_documents(metrics, documents))
    )

    assert (examples.value, examples.n, examples.units, examples.n_units) == (0.75, 100, "examples", 100)
    assert (by_document.value, by_document.n) == (0.75, 100)
    assert (by_document.units, by_document.n_units) == ("documents", 20)
    assert examples.low is not None
    assert examples.high is not None
    assert by_document.low is not None
    assert by_document.high is not None
    ratio = (by_document.high - by_document.low) / (examples.high - examples.low)
    assert ratio == pytest.approx(5**0.5, rel=0.15)


def test_sizes_are_those_of_the_documents_that_are_drawn() -> None:
    (grouped, *_), (plain, *_) = over_documents(every_metric(), DOCUMENTS), every_metric()

    assert sizes_of_documents(grouped, DOCUMENTS) == [2, 2, 3, 1]
    assert sizes_of_documents(plain, DOCUMENTS) is None
    assert sizes_of_documents(grouped, ["a", "b"]) is None
