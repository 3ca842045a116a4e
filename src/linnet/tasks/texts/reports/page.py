"""Writes the page of text tasks: examples with gold and predicted answers to look through in a browser.

It serves classification, multi-label classification, regression and question answering. Its html, css and js files are
in `linnet/reports/page/texts`.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from linnet.documents.texts import Judged, Plain
from linnet.reports.confusion import count_confusion
from linnet.reports.page.files import write_page_file
from linnet.tasks.texts.reports.facts import Figures
from linnet.tasks.texts.reports.mistakes import gold_answers, is_right, texts_of

__all__ = ["write_text_page"]

PAGE = "texts"  # of `linnet.reports.page`
DIGITS = 6  # of numbers: more than the page shows
SCORES = ("precision", "recall", "f1", "gold", "predicted", "correct")

Numbers = Mapping[str, int]  # of labels


def write_text_page(
    folder: Path,
    *,
    title: str,
    figures: Figures,
    titles: Mapping[str, str],
    labels: Mapping[str, Mapping[str, float | int]],
    judged: Sequence[Judged],
    kind: str,
    details: Mapping[str, str],
) -> Path:
    """Write the page and return its path, `index.html` in the folder.

    Args:
        folder: where the page goes; made where it does not exist.
        title: what was evaluated, in a few words.
        figures: value, low, high, n and unit of each score; the first is the main one.
        titles: what people call the scores.
        labels: precision, recall, f1, gold, predicted and correct of each label; empty where there are no labels.
        judged: all that was evaluated, right or wrong.
        kind: what the answers are: classes, labels, number or spans.
        details: small print by name: model, corpus, split and the like.
    """
    names = _label_names(labels, judged, kind)
    numbers = {label: number for number, label in enumerate(names)}
    content = {
        "title": title,
        "details": list(details.items()),
        "kind": kind,
        "figures": [_figure_content(titles.get(name, name), figure) for name, figure in figures.items()],
        "labels": names,
        "blocks": [[numbers[label], *(_rounded(block[key]) for key in SCORES)] for label, block in labels.items()],
        "matrix": _matrix_labels(judged, kind, names, numbers),
        "examples": [_example_content(each, kind, numbers) for each in judged],
    }
    return write_page_file(folder, page=PAGE, title=title, content=content)


def _label_names(labels: Mapping[str, Any], judged: Sequence[Judged], kind: str) -> list[str]:
    """Return the labels, then others that occur; none where answers are no labels."""
    if kind not in ("classes", "labels"):
        return list(labels)
    found = {label for each in judged for label in (*texts_of(each.gold), *texts_of(each.predicted))}
    return [*labels, *sorted(found - labels.keys())]


def _figure_content(title: str, figure: Mapping[str, Any]) -> list[Any]:
    values = [_rounded(figure.get(key)) for key in ("value", "low", "high")]
    return [title, *values, figure.get("n"), figure.get("unit") or "examples"]


def _matrix_labels(judged: Sequence[Judged], kind: str, names: Sequence[str], numbers: Numbers) -> list[int]:
    """Return the labels of the confusion matrix, which holds the most frequent ones."""
    if kind != "classes":
        return []
    known = [each for each in judged if each.gold is not None]
    table = count_confusion([str(each.gold) for each in known], [str(each.predicted) for each in known], names)
    return [numbers[label] for label in table.labels]


def _example_content(judged: Judged, kind: str, numbers: Numbers) -> list[Any]:
    """Return id, group (where it is another), text, gold, predicted, score and verdict (null where not known)."""
    group = judged.group if judged.group != judged.id else ""
    right = None if judged.gold is None or kind == "number" else int(is_right(judged, kind))
    gold = None if judged.gold is None else _gold_content(judged.gold, kind, numbers)
    predicted = _answer_content(judged.predicted, kind, numbers)
    return [judged.id, group, judged.text, gold, predicted, _rounded(judged.score), right]


def _gold_content(gold: Plain, kind: str, numbers: Numbers) -> Any:
    return gold_answers(gold) if kind == "spans" else _answer_content(gold, kind, numbers)


def _answer_content(value: Plain, kind: str, numbers: Numbers) -> Any:
    """Return the numbers of labels, a number, or the texts of answers."""
    if kind == "number":
        return _rounded(value if isinstance(value, int | float) else None)
    if kind == "spans":
        return [text for text in texts_of(value) if text]
    return [numbers[label] for label in texts_of(value)]


def _rounded(value: float | None) -> float | None:
    """Return what JSON can hold: infinities and what is no number become nothing."""
    return None if value is None or not math.isfinite(value) else round(value, DIGITS)
