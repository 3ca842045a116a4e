"""Metrics of question answering, as in BioASQ and SQuAD."""

import numpy as np
import pytest

from linnet.errors import BadSetting
from linnet.metrics.texts.question_answering import (
    factoid_metrics,
    list_metrics,
    normalise_answer,
    same_answer,
    span_metrics,
    yesno_metrics,
)
from linnet.metrics.texts.resampled import Metric, evaluate_metrics, plain_value


def values(metrics: list[Metric]) -> dict[str, float]:
    return {metric.name: plain_value(metric) for metric in metrics}


@pytest.mark.parametrize(
    ("text", "normalised"),
    [
        ("The BRCA1 gene.", "brca1 gene"),
        ("  an  X-linked\tdisease ", "xlinked disease"),
        ("a the", ""),
        ("vitamin A", "vitamin"),  # an article for SQuAD
        ("theory of a/an", "theory of aan"),  # punctuation goes first
        ("β-catenin’s", "βcatenin’s"),  # only ASCII punctuation goes
    ],
)
def test_answers_are_normalised_as_in_squad(text: str, normalised: str) -> None:
    assert normalise_answer(text) == normalised


def test_bioasq_answers_are_equal_but_for_case_and_spaces() -> None:
    assert same_answer(" Huntington  disease", "huntington\tDisease ")
    assert not same_answer("Huntington's disease", "Huntington disease")
    assert not same_answer("the gene", "gene")


def test_factoid_answers_are_ranked() -> None:
    """Ranks 1, 2, none, 5 and 6, of which the last does not count: MRR = (1 + 1/2 + 0 + 1/5 + 0) / 5."""
    gold = [["TP53", "p53"]] * 5
    predicted = [["P53"], ["MYC", "tp53", "p53"], [], ["a", "b", "c", "d", "p53"], ["a", "b", "c", "d", "e", "p53"]]

    found = values(factoid_metrics(gold, predicted))

    assert found == pytest.approx({"mrr": 1.7 / 5, "strict_accuracy": 1 / 5, "lenient_accuracy": 3 / 5})


def test_list_answers_find_each_item_once() -> None:
    """First: of 3 answers, 1 finds an item (its synonym repeats it, `x` is wrong), 2 items: P 1/3, R 1/2, F1 2/5.

    Second: all found, 1, 1 and 1. Third: no answers, 0, 0 and 0.
    """
    gold = [[["sodium", "Na"], ["potassium"]], [["zinc"]], [["iron"]]]
    predicted = [["na", "Sodium", "x"], ["ZINC"], []]

    found = values(list_metrics(gold, predicted))

    expected = {
        "list_f1": (2 / 5 + 1 + 0) / 3,
        "list_precision": (1 / 3 + 1 + 0) / 3,
        "list_recall": (1 / 2 + 1 + 0) / 3,
    }
    assert found == pytest.approx(expected)


def test_a_shared_synonym_finds_one_item_at_a_time() -> None:
    found = values(list_metrics([[["A", "x"], ["B", "x"]]], [["x", "X"]]))

    assert found["list_recall"] == 1.0


def test_a_list_question_without_items_scores_zero() -> None:
    assert values(list_metrics([[]], [["x"]])) == {"list_f1": 0, "list_precision": 0, "list_recall": 0}


def test_yes_and_no_by_hand() -> None:
    """Right are 3 yes and 1 no, wrong 2. F1 of yes = 6 / (6 + 2), of no = 2 / (2 + 2)."""
    gold = ["yes", "yes", "yes", "yes", "no", "no"]
    predicted = ["Yes", "yes ", "yes", "no", "no", "yes"]

    found = values(yesno_metrics(gold, predicted))

    assert found == pytest.approx({"accuracy": 4 / 6, "macro_f1": (0.75 + 0.5) / 2, "f1_yes": 0.75, "f1_no": 0.5})


def test_scikit_learn_finds_the_same_for_yes_and_no() -> None:
    referee = pytest.importorskip("sklearn.metrics")
    gold, predicted = np.random.default_rng(0).choice(["yes", "no"], size=(2, 200), p=[0.7, 0.3]).tolist()

    found = values(yesno_metrics(gold, predicted))

    assert found["accuracy"] == pytest.approx(referee.accuracy_score(gold, predicted))
    assert found["macro_f1"] == pytest.approx(referee.f1_score(gold, predicted, average="macro"))
    assert found["f1_yes"] == pytest.approx(referee.f1_score(gold, predicted, pos_label="yes"))
    assert found["f1_no"] == pytest.approx(referee.f1_score(gold, predicted, pos_label="no"))


def test_an_answer_that_is_neither_is_wrong() -> None:
    """As in BioASQ it counts as the other one: right are 1 yes and 1 no, wrong 1."""
    assert values(yesno_metrics(["yes", "yes", "no"], ["yes", "", "no"])) == values(
        yesno_metrics(["yes", "yes", "no"], ["yes", "no", "no"])
    )


def test_where_all_say_yes_macro_f1_is_a_half() -> None:
    """As in BioASQ: F1 of no is 0 where nobody says no."""
    assert values(yesno_metrics(["yes"], ["yes"])) == {"accuracy": 1.0, "macro_f1": 0.5, "f1_yes": 1.0, "f1_no": 0.0}


def test_a_third_gold_answer_is_refused_with_its_place() -> None:
    with pytest.raises(BadSetting, match=r"question 1 \(counted from 0\) is 'maybe'"):
        yesno_metrics(["yes", "maybe"], ["yes", "yes"])


def test_spans_are_scored_against_the_answer_that_fits_best() -> None:
    """Tokens of the prediction: {chronic, kidney, disease}. Against `kidney disease` 2 * 2 / (2 + 3) = 0.8."""
    found = values(span_metrics([["renal failure", "Kidney disease"]], ["the chronic kidney disease"]))

    assert found == pytest.approx({"exact_match": 0.0, "token_f1": 0.8})


def test_a_repeated_token_counts_as_often_as_both_have_it() -> None:
    """Shared are two of `b`: 2 * 2 / (2 + 3)."""
    assert values(span_metrics([["b b"]], ["b b b"]))["token_f1"] == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("gold", "predicted", "score"),
    [
        ([], "", 1.0),
        ([], "insulin", 0.0),
        (["insulin"], "", 0.0),
        (["Insulin.", "the insulin"], "insulin", 1.0),
        (["the", "insulin"], "", 0.0),  # an answer of articles only is none, as in SQuAD 2.0
        (["the"], "", 1.0),
    ],
)
def test_no_answer_is_right_where_there_is_none(gold: list[str], predicted: str, score: float) -> None:
    assert values(span_metrics([gold], [predicted])) == {"exact_match": score, "token_f1": score}


def test_all_units_are_questions() -> None:
    metrics = [
        *factoid_metrics([["a"]], [["a"]]),
        *list_metrics([[["a"]]], [["a"]]),
        *yesno_metrics(["no"], ["no"]),
        *span_metrics([["x"]], ["x"]),
    ]

    assert {(metric.unit, metric.n_units, metric.higher_is_better) for metric in metrics} == {("questions", 1, True)}


def test_intervals_hold_the_value() -> None:
    gold = [["a"]] * 30
    predicted = [["a"], ["b", "a"], ["b"]] * 10

    found = evaluate_metrics(factoid_metrics(gold, predicted), n_resamples=500)["mrr"]

    assert found.value == pytest.approx(0.5)  # (1 + 1/2 + 0) / 3
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.5 < found.high


def test_questions_and_answers_of_different_numbers_are_refused() -> None:
    with pytest.raises(BadSetting, match="1 gold, 0 predicted"):
        factoid_metrics([["a"]], [])
    with pytest.raises(BadSetting, match="1 gold, 2 predicted"):
        span_metrics([["a"]], ["a", "b"])
