"""Scores of models about texts as tables for a terminal."""

from typing import Any

from linnet.tasks.texts.reports.tables import score_tables


def found(labels: dict[str, Any] | None = None, **scores: dict[str, Any]) -> dict[str, Any]:
    return {"metric": next(iter(scores)), "scores": scores, "labels": labels or {}}


def test_shares_are_in_per_cent_with_intervals_and_the_main_score_is_marked() -> None:
    figure = {"value": 0.5, "low": 0.25, "high": None, "n": 1200, "unit": "texts"}

    (table,) = score_tables(found(macro_f1=figure, accuracy=figure))

    assert table.title == "scores in percent, with 95 % intervals"
    assert table.rows[0] == ("macro f1 *", "50.00", "25.00", "", "1,200 texts")
    assert table.rows[1][0] == "accuracy"


def test_numbers_are_not_in_per_cent() -> None:
    figure = {"value": 0.5, "low": 0.25, "high": 0.75, "n": 10, "unit": "pairs"}

    (table,) = score_tables(found(pearson=figure, error=figure), has_percentages=False)

    assert table.title == "scores, with 95 % intervals"
    assert table.rows[0] == ("pearson *", "0.5000", "0.2500", "0.7500", "10 pairs")


def test_folds_have_mean_and_standard_deviation() -> None:
    (table,) = score_tables(found(f1={"value": 0.5, "sd": 0.1, "n": 10, "unit": "folds"}))

    assert table.title == "scores in percent, mean and standard deviation"
    assert table.rows == (("f1 *", "50.00", "10.00", "10 folds"),)


def test_labels_have_a_table_of_their_own() -> None:
    figure = {"value": 0.5, "low": 0.25, "high": 0.75, "n": 10, "unit": "texts"}
    labels = {"a": {"precision": 0.5, "recall": 1.0, "f1": 0.6667, "gold": 1, "predicted": 2}}

    _, table = score_tables(found(labels, f1=figure))

    assert table.rows == (("a", "50.00", "100.00", "66.67", "1", "2"),)
