"""Writes the page of text tasks: examples with gold and predicted answers to look through in a browser.

It serves classification, multi-label classification, regression and question answering. Its html, css and js files are
in `linnet/reports/page/texts`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from linnet.documents.texts import Prediction
from linnet.reports.page.files import write_page_file
from linnet.reports.tables import figure_units
from linnet.tasks.texts.kinds import Kind
from linnet.tasks.texts.kinds.base import Numbers
from linnet.tasks.texts.reports.answers import round_score
from linnet.tasks.texts.reports.facts import Figures

__all__ = ["write_text_page"]

PAGE = "texts"  # of `linnet.reports.page`
SCORES = ("precision", "recall", "f1", "gold", "predicted", "correct")


def write_text_page(
    folder: Path,
    *,
    title: str,
    figures: Figures,
    titles: Mapping[str, str],
    labels: Mapping[str, Mapping[str, float | int]],
    predictions: Sequence[Prediction],
    kind: Kind,
    details: Mapping[str, str],
) -> Path:
    """Write the page and return its path, `index.html` in the folder.

    Args:
        folder: where the page goes; made where it does not exist.
        title: what was evaluated, in a few words.
        figures: value, low, high, n and unit of each score; the first is the main one.
        titles: what people call the scores.
        labels: precision, recall, f1, gold, predicted and correct of each label; empty where there are no labels.
        predictions: all that was evaluated, right or wrong.
        kind: what the model predicts.
        details: small print by name: model, corpus, split and the like.
    """
    names = kind.page_labels(labels, predictions)
    numbers = {label: number for number, label in enumerate(names)}
    content = {
        "title": title,
        "details": list(details.items()),
        "kind": kind.name,
        "figures": [_figure_content(titles.get(name, name), figure) for name, figure in figures.items()],
        "labels": names,
        "blocks": [[numbers[label], *(round_score(block[key]) for key in SCORES)] for label, block in labels.items()],
        "matrix": kind.page_matrix(predictions, names, numbers),
        "examples": [_example_content(each, kind, numbers) for each in predictions],
    }
    return write_page_file(folder, page=PAGE, title=title, content=content)


def _figure_content(title: str, figure: Mapping[str, Any]) -> list[Any]:
    values = [round_score(figure.get(key)) for key in ("value", "low", "high")]
    return [title, *values, figure.get("n"), figure.get("unit") or "examples", figure_units(figure)]


def _example_content(prediction: Prediction, kind: Kind, numbers: Numbers) -> list[Any]:
    """Return id, group (where it is another), text, gold, predicted, score and verdict (null where not known)."""
    group = prediction.group if prediction.group != prediction.id else ""
    right = int(kind.is_right(prediction)) if prediction.gold is not None and kind.has_percentages else None
    gold = None if prediction.gold is None else kind.page_gold(prediction.gold, numbers)
    predicted = kind.page_answer(prediction.predicted, numbers)
    return [prediction.id, group, prediction.text, gold, predicted, round_score(prediction.score), right]
