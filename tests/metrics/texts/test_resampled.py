"""Metrics of weighted units, and their bootstrap intervals."""

import pickle
from math import sqrt

import numpy as np
import pytest

from linnet.errors import BadSetting
from linnet.metrics.mentions.tally import Array
from linnet.metrics.statistics import bootstrap
from linnet.metrics.statistics.bootstrap import unit_weights
from linnet.metrics.statistics.intervals import share_interval
from linnet.metrics.texts.classification import classification_metrics, multi_label_metrics
from linnet.metrics.texts.question_answering import factoid_metrics, list_metrics, span_metrics, yesno_metrics
from linnet.metrics.texts.regression import regression_metrics
from linnet.metrics.texts.resampled import (
    Figure,
    Metric,
    SumMetric,
    all_weights,
    check_lengths,
    evaluate_metrics,
    mean_metric,
    paired_interval,
    plain_value,
    ratio,
)


def share(sums: Array) -> Array:
    return ratio(sums[..., 0], sums[..., 1])


def every_metric(copies: int = 1, order: list[int] | None = None) -> dict[str, Metric]:
    """Return all metrics of 24 made-up units, by family and name, the units repeated or in another order."""
    generator = np.random.default_rng(11)
    labels = ["a", "b", "c"]
    choices = generator.choice(labels, size=(2, 24)).tolist()
    choices[1][:12] = choices[0][:12]
    several = [[[label for label in labels if generator.random() < 0.4] for _ in range(24)] for _ in range(2)]
    numbers = generator.normal(size=24).round(1)
    places = [index for index in (order or range(24)) for _ in range(copies)]
    gold, predicted = ([column[index] for index in places] for column in choices)
    gold_sets, predicted_sets = ([column[index] for index in places] for column in several)
    values = [float(numbers[index]) for index in places]
    noisy = [float(numbers[index] + (index % 5) / 5) for index in places]
    copy_of = [f"{index // 3}.{place % copies}" for place, index in enumerate(places)]
    families = {
        "choice": classification_metrics(gold, predicted, positive=["a", "b"]),
        "label": multi_label_metrics(gold_sets, predicted_sets, groups=copy_of, labels=labels),
        "number": regression_metrics(values, noisy),
        "factoid": factoid_metrics([[label] for label in gold], [[label, "a"] for label in predicted]),
        "list": list_metrics([[[label] for label in row] for row in gold_sets], predicted_sets),
        "yesno": yesno_metrics(
            ["yes" if x == "a" else "no" for x in gold], ["yes" if x == "a" else "no" for x in predicted]
        ),
        "span": span_metrics(
            [[" ".join(f"x{label}" for label in row)] for row in gold_sets], [f"x{x}" for x in predicted]
        ),
    }
    return {f"{family}/{metric.name}": metric for family, metrics in families.items() for metric in metrics}


NAMES = list(every_metric())


def test_a_sum_metric_reads_weighted_sums() -> None:
    metric = SumMetric("share", "share", "examples", np.array([[1.0, 2.0], [0.0, 1.0], [3.0, 3.0]]), share)

    scores = metric(np.array([[1.0, 1.0, 1.0], [0.0, 2.0, 0.0], [1.0, 0.0, 2.0]]))

    assert scores.tolist() == [4 / 6, 0 / 2, 7 / 8]  # (1+0+3)/(2+1+3); 2*0 / 2*1; (1 + 2*3) / (2 + 2*3)


def test_a_mean_metric_is_the_mean() -> None:
    metric = mean_metric("length", "length", "documents", [1, 2, 6], higher_is_better=False)

    assert plain_value(metric) == 3.0
    assert (metric.n_units, metric.unit, metric.higher_is_better) == (3, "documents", False)


def test_all_weights_count_each_unit_once() -> None:
    assert all_weights(3).tolist() == [[1.0, 1.0, 1.0]]


def test_nothing_over_nothing_is_nothing() -> None:
    assert ratio(np.array([0.0, 1.0, 3.0]), np.array([0.0, 0.0, 2.0])).tolist() == [0.0, 0.0, 1.5]


def test_the_interval_of_a_mean_is_that_of_a_proportion() -> None:
    """The standard error of a share of 0.8 in 400 is sqrt(0.8 * 0.2 / 400) = 0.02."""
    metric = mean_metric("accuracy", "accuracy", "examples", [1.0] * 320 + [0.0] * 80)

    figure = evaluate_metrics([metric], n_resamples=4000)["accuracy"]

    assert (figure.value, figure.n) == (0.8, 400)
    assert (figure.low, figure.high) == pytest.approx((0.8 - 1.96 * 0.02, 0.8 + 1.96 * 0.02), abs=0.004)
    assert sqrt(0.8 * 0.2 / 400) == pytest.approx(0.02)


def test_intervals_come_from_the_draws_of_unit_weights() -> None:
    metric, share = every_metric()["number/pearson"], every_metric()["choice/accuracy"]

    figures = evaluate_metrics([metric, share], n_resamples=200, seed=5)

    weights, found = unit_weights(24, n_resamples=200, seed=5), figures["pearson"]
    assert [found.low, found.high] == pytest.approx(np.quantile(metric(weights), [0.025, 0.975]).tolist())
    expected = share_interval(plain_value(share), share(weights), n_units=24)
    assert (figures["accuracy"].low, figures["accuracy"].high) == pytest.approx(expected, abs=0.002)


@pytest.mark.parametrize("is_right", [True, False])
def test_an_interval_is_never_of_zero_width(is_right: bool) -> None:
    """Issue 23: the lower end of 20 of 20 is 1 / (1 + t ** 2 / 20) with t = 2.093."""
    answers = ["a"] * 20

    found = evaluate_metrics(classification_metrics(answers, answers if is_right else ["b"] * 20), n_resamples=100)

    for name in ("accuracy", "micro_f1"):
        low, high = found[name].low, found[name].high
        assert (low, high) == pytest.approx((0.820, 1.0) if is_right else (0.0, 0.180), abs=0.001)


def test_pairs_without_a_relation_do_not_make_an_interval_narrower() -> None:
    gold = ["treats"] * 8 + ["none"] * 400

    found = evaluate_metrics(classification_metrics(gold, gold, positive=["treats"]), n_resamples=100)

    assert found["f1"].low == pytest.approx(1 / (1 + 2.365**2 / 8), abs=0.001)  # of eight pairs; t with 7 degrees
    assert found["accuracy"].low == pytest.approx(1 / (1 + 1.966**2 / 408), abs=0.001)


def test_fewer_than_five_units_that_count_have_no_interval() -> None:
    gold = ["treats"] * 4 + ["none"] * 20

    found = evaluate_metrics(
        [*classification_metrics(gold, gold, positive=["treats"]), *regression_metrics([1.0, 2.0], [1.0, 2.0])]
    )

    assert (found["f1"].low, found["pearson"].low, found["mse"].high) == (None, None, None)
    assert found["accuracy"].low is not None


def test_figures_do_not_depend_on_how_many_draws_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    metrics = every_metric()
    chosen = [metrics["choice/macro_f1"], metrics["number/spearman"], metrics["label/document_micro_f1"]]
    at_once = evaluate_metrics(chosen, n_resamples=50)

    monkeypatch.setattr(bootstrap, "MOST_WEIGHTS", 70)

    assert evaluate_metrics(chosen, n_resamples=50) == at_once


def test_metrics_of_different_units_are_drawn_apart() -> None:
    metrics = every_metric()

    found = evaluate_metrics([metrics["label/micro_f1"], metrics["label/document_micro_f1"]], n_resamples=100)

    assert [figure.n for figure in found.values()] == [24, 8]  # eight documents of three texts
    assert (
        found["document_micro_f1"]
        == evaluate_metrics([metrics["label/document_micro_f1"]], n_resamples=100)["document_micro_f1"]
    )


def test_no_resamples_give_no_interval() -> None:
    metric = mean_metric("mean", "mean", "examples", [1.0, 0.0])

    assert evaluate_metrics([metric], n_resamples=0) == {"mean": Figure(0.5, None, None, 2, "examples", 2)}


def test_no_units_give_zero_and_no_interval() -> None:
    metrics = [
        *classification_metrics([], [], positive=["a"]),
        *(
            metric
            for metric in multi_label_metrics([], [], groups=[], labels=["a"])
            if metric.name.startswith("document")
        ),
        *regression_metrics([], []),
        *factoid_metrics([], []),
        *list_metrics([], []),
        *span_metrics([], []),
    ]

    found = evaluate_metrics(metrics, n_resamples=10)

    assert {(figure.value, figure.low, figure.high, figure.n) for figure in found.values()} == {(0.0, None, None, 0)}


def test_yes_no_questions_without_units_give_zero() -> None:
    assert {figure.value for figure in evaluate_metrics(yesno_metrics([], [])).values()} == {0.0}


@pytest.mark.parametrize("n_resamples", [-1, 1])
def test_too_few_resamples_are_refused(n_resamples: int) -> None:
    with pytest.raises(BadSetting, match="give 0 for no intervals"):
        evaluate_metrics([mean_metric("mean", "mean", "examples", [1.0])], n_resamples=n_resamples)


def test_two_metrics_of_one_name_are_refused() -> None:
    metric = mean_metric("mean", "mean", "examples", [1.0])

    with pytest.raises(BadSetting, match="several metrics are called mean"):
        evaluate_metrics([metric, metric])


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(BadSetting, match="there are 1 gold, 2 predicted"):
        check_lengths(gold=["a"], predicted=["a", "b"])


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_examples_does_not_matter(name: str) -> None:
    order = np.random.default_rng(3).permutation(24).tolist()

    assert plain_value(every_metric(order=order)[name]) == pytest.approx(plain_value(every_metric()[name]))


@pytest.mark.parametrize("name", NAMES)
def test_doubling_all_examples_changes_nothing(name: str) -> None:
    assert plain_value(every_metric(copies=2)[name]) == pytest.approx(plain_value(every_metric()[name]))


@pytest.mark.parametrize("name", NAMES)
def test_double_weights_change_nothing(name: str) -> None:
    metric = every_metric()[name]

    assert metric(2 * all_weights(metric.n_units)) == pytest.approx(plain_value(metric))


@pytest.mark.parametrize("name", [name for name in NAMES if "document" not in name])
def test_a_resample_scores_the_drawn_examples(name: str) -> None:
    """Documents have their own test: copies of their texts would have to be documents of their own."""
    metric = every_metric()[name]

    scores = metric(unit_weights(24, n_resamples=4, seed=9))

    for drawn, found in zip(unit_weights(24, n_resamples=4, seed=9), scores, strict=True):
        order = [index for index, times in enumerate(drawn) for _ in range(int(times))]
        assert found == pytest.approx(plain_value(every_metric(order=order)[name]))


@pytest.mark.parametrize("name", ["document_micro_f1", "document_macro_f1", "document_example_f1"])
def test_a_resample_scores_the_drawn_documents(name: str) -> None:
    generator = np.random.default_rng(4)
    gold, predicted = ([["a", "b"][: generator.integers(3)] for _ in range(20)] for _ in range(2))
    weights = unit_weights(10, n_resamples=4, seed=9)

    def score_of(documents: list[int]) -> Metric:
        """Return the metric of documents of two texts each, every copy a document of its own."""
        texts = [(f"{copy:02d}", 2 * document + text) for copy, document in enumerate(documents) for text in (0, 1)]
        rows = [gold[row] for _, row in texts], [predicted[row] for _, row in texts]
        metrics = multi_label_metrics(*rows, groups=[group for group, _ in texts], labels=["a", "b"])
        return next(metric for metric in metrics if metric.name == name)

    scores = score_of(list(range(10)))(weights)

    for drawn, found in zip(weights, scores, strict=True):
        documents = [index for index, times in enumerate(drawn) for _ in range(int(times))]
        assert found == pytest.approx(plain_value(score_of(documents)))


@pytest.mark.parametrize("name", NAMES)
def test_the_interval_contains_the_value(name: str) -> None:
    metric = every_metric()[name]

    figure = evaluate_metrics([metric], n_resamples=300)[metric.name]

    assert figure.low is not None
    assert figure.high is not None
    assert figure.low <= figure.value <= figure.high


@pytest.mark.parametrize("name", NAMES)
def test_metrics_can_be_sent_to_another_process(name: str) -> None:
    metric = every_metric()[name]

    again: Metric = pickle.loads(pickle.dumps(metric))

    assert plain_value(again) == plain_value(metric)


def test_metrics_say_whether_higher_is_better() -> None:
    assert [name for name, metric in every_metric().items() if not metric.higher_is_better] == ["number/mse"]


def test_a_paired_interval_is_that_of_the_difference_with_the_same_draws() -> None:
    rng = np.random.default_rng(3)
    a = mean_metric("mean", "mean", "examples", rng.random(50))
    b = mean_metric("mean", "mean", "examples", a.parts[:, 0] + 0.25)

    found = paired_interval(a, b, n_resamples=100)

    assert found == pytest.approx((0.25, 0.25))  # a constant gain does not vary
    assert paired_interval(a, mean_metric("mean", "mean", "examples", [1.0])) is None
