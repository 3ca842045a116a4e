"""Scores of models about texts as tables for a terminal."""

from collections.abc import Mapping
from typing import Any

from linnet.contracts import Table
from linnet.documents.counted import counted_units
from linnet.reports.tables import figure_units

__all__ = ["score_tables"]

TOO_FEW = "-"


def score_tables(found: Mapping[str, Any], *, has_percentages: bool = True) -> list[Table]:
    """Return a table of all scores and one of the labels, from the shape that a run folder keeps.

    Args:
        found: the scores.
        has_percentages: are they shares, in contrast to correlations and errors?
    """
    scores = found["scores"]
    title = "scores in percent" if has_percentages else "scores"
    is_of_folds = any("sd" in figure for figure in scores.values())
    columns = {"mean": "value", "SD": "sd"} if is_of_folds else {"value": "value", "low": "low", "high": "high"}
    about = "mean and standard deviation" if is_of_folds else f"with 95 % intervals{_over(scores)}"
    show = _percent if has_percentages else _number
    rows = tuple(
        (
            f"{name.replace('_', ' ')}{' *' if name == found['metric'] else ''}",
            *(show(figure[key]) or _why_empty(figure, key) for key in columns.values()),
            counted_units(figure["n"], figure["unit"]),
        )
        for name, figure in scores.items()
    )
    tables = [Table(f"{title}, {about}", ("score", *columns, "of"), rows)]
    return [*tables, _labels(found["labels"])] if found["labels"] else tables


def _over(scores: Mapping[str, Any]) -> str:
    """Return what the intervals are over; nothing where older versions did not say it."""
    found = dict.fromkeys(text for figure in scores.values() if (text := figure_units(figure)))
    return f" over {' and '.join(found)}" if found else ""


def _why_empty(figure: Mapping[str, Any], key: str) -> str:
    """Return "-" for the end of an interval that a score does not have because it has too few units."""
    return TOO_FEW if key in ("low", "high") and "units" in figure else ""


def _labels(labels: Mapping[str, Any]) -> Table:
    rows = tuple(
        (name, *(_percent(each[key]) for key in ("precision", "recall", "f1")), f"{each['gold']:,}",
         f"{each['predicted']:,}")
        for name, each in labels.items()
    )  # fmt: skip
    return Table("by label", ("label", "precision", "recall", "F1", "gold", "predicted"), rows)


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.2f}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"
