"""Writes the page of linking: mentions with gold and predicted concepts to look through in a browser.

It is the page of text tasks. The first line of an example is the mention with the bucket of its mistake, which can be
searched for; the text around the mention follows.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linnet.reports.page.files import write_page_file
from linnet.reports.tables import figure_units
from linnet.tasks.linking.evaluation.judged import TOP, JudgedDocument, JudgedMention
from linnet.tasks.linking.evaluation.protocols import TITLES, is_right
from linnet.tasks.linking.reports.buckets import bucket_of, count_buckets

if TYPE_CHECKING:
    from linnet.tasks.linking.evaluation.evaluating import LinkingEvaluation

__all__ = ["write_linking_page"]

PAGE, KIND = "texts", "spans"  # of `linnet.reports.page`: answers that are lists
AROUND = 150  # characters of text on both sides of a mention


def write_linking_page(
    folder: Path, *, title: str, evaluation: "LinkingEvaluation", details: Mapping[str, str]
) -> Path:
    """Write the page and return its path, `index.html` in the folder."""
    scores = evaluation.scores["scores"]
    figures = [_figure(TITLES[name], figure) for name, figure in scores.items()]
    content = {
        "title": title,
        "details": [*details.items(), ("task", "linking"), ("vocabulary", evaluation.vocabulary)],
        "kind": KIND,
        "figures": [*figures, *_bucket_figures(evaluation)],
        "labels": [],
        "blocks": [],
        "matrix": [],
        "examples": [_example(each, mention) for each in evaluation.documents for mention in each.mentions
                     if mention.gold],
    }  # fmt: skip
    return write_page_file(folder, page=PAGE, title=title, content=content)


def _figure(title: str, figure: Mapping[str, Any]) -> list[Any]:
    values = (_round(figure[key]) for key in ("value", "low", "high"))
    return [title, *values, figure["n"], figure["unit"], figure_units(figure)]


def _bucket_figures(evaluation: "LinkingEvaluation") -> Iterator[list[Any]]:
    """Yield the share of gold mentions in each bucket of mistakes."""
    total = evaluation.scores["mentions"]
    for kind, number in count_buckets(evaluation.documents).items():
        yield [f"mistakes: {kind}", _round(number / total if total else 0.0), None, None, number, "mentions", ""]


def _example(document: JudgedDocument, mention: JudgedMention) -> list[Any]:
    """Return id, group, text, gold, predicted, score and verdict of a mention."""
    bucket = bucket_of(mention)
    head = mention.text if mention.expanded == mention.text else f"{mention.text} = {mention.expanded}"
    start, end = max(0, mention.start - AROUND), mention.end + AROUND
    text = document.text[start : mention.start] + f"[{mention.text}]" + document.text[mention.end : end]
    first = f"{head} ({bucket})" if bucket else head
    answers = list(dict.fromkeys(mention.ranked[:TOP]))
    named = dict(zip(mention.answers, mention.names, strict=False))
    return [
        f"{mention.start}-{mention.end}",
        document.id,
        f"{first}\n{text}",
        [[each] for each in mention.gold],
        [f"{each} {named[each]}" if each in named and each not in mention.gold else each for each in answers],
        _round(mention.scores[0]) if mention.scores else None,
        int(is_right(mention)),
    ]


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
