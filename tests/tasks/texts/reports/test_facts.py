"""Scores as reports write them: in percent, or as numbers for regression."""

from linnet.tasks.texts.kinds import CLASSIFICATION, REGRESSION
from linnet.tasks.texts.reports.facts import figure_text, interval_text, score_text

FIGURE = {"value": 0.5, "low": 0.25, "high": 0.75}


def test_shares_are_shown_in_per_cent() -> None:
    assert score_text(0.5, CLASSIFICATION) == "50.00"
    assert figure_text(FIGURE, CLASSIFICATION) == "50.00"
    assert interval_text(FIGURE, CLASSIFICATION) == "25.00-75.00"


def test_correlations_are_shown_as_they_are() -> None:
    assert figure_text(FIGURE, REGRESSION) == "0.5000"
    assert interval_text({"low": -0.1, "high": 0.2}, REGRESSION) == "-0.1000 to 0.2000"


def test_what_is_not_known_is_not_shown() -> None:
    assert score_text(None, CLASSIFICATION) == ""
    assert interval_text({"value": 0.5, "low": None, "high": None}, CLASSIFICATION) == ""
