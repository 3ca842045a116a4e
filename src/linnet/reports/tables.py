"""Scores of mentions as tables for a terminal."""

from collections.abc import Iterator, Mapping
from typing import Any

from linnet.contracts import Table
from linnet.metrics.mentions.tags import AVERAGES

__all__ = ["MEANING", "labels_table", "matchings_table", "score_tables", "tag_rows", "tags_table"]

MEANING = {
    "strict": "label and both ends, well-formed tags",
    "conll": "label and both ends, conlleval reading",
    "exact": "both ends, any label",
    "partial": "both ends, any label; overlap is half",
    "type": "overlap and label",
    "fair": "every error once (Ortmann 2022)",
    "weighted_fair": "fair, boundary errors half right",
    "tokens": "the label of each token",
}
SCORES = ("precision", "recall", "F1")
INTERVAL = ("95 % interval",)
COUNTS = ("gold", "predicted", "right")


def score_tables(found: Mapping[str, Any]) -> list[Table]:
    """Return the tables of mentions: micro scores by every matching, strict scores by label, word-level scores by tag.

    Args:
        found: the JSON shape of `linnet score`, or of a run's `metrics.json`.
    """
    words = [tags_table(found)] if "tags" in found else []  # older run folders have none
    return [matchings_table(found), labels_table(found, "strict"), *words]


def matchings_table(found: Mapping[str, Any]) -> Table:
    """Return the micro scores by every matching."""
    names = [name for name, block in found.items() if isinstance(block, dict) and "micro" in block]
    title = f"{found['sentences']:,} sentences, {found['mentions']:,} gold mentions; micro averages in percent"
    rows = tuple((name, *_cells(found[name]["micro"])) for name in names)
    meanings = tuple(MEANING.get(name, "") for name in names)
    return Table(title, ("matching", *SCORES, *INTERVAL, *COUNTS), rows, meanings, "what counts as right")


def labels_table(found: Mapping[str, Any], matching: str) -> Table:
    """Return the scores of each label, and their macro average, by one matching."""
    labels = found[matching]["labels"]
    rows = [(label, *_cells(block)) for label, block in labels.items()]
    if len(labels) > 1:
        rows.append(("macro average", *_cells(found[matching]["macro"])))
    return Table(f"{matching}, by label", ("label", *SCORES, *INTERVAL, *COUNTS), tuple(rows))


def tags_table(found: Mapping[str, Any]) -> Table:
    """Return the word-level scores of each tag, and their averages with and without `O`."""
    report = found["tags"]
    rows = tuple((name, *_score_cells(block), *_count_cells(block)) for name, block in tag_rows(report))
    return Table(f"tags of {report['words']:,} words", ("tag", *SCORES, *COUNTS), rows)


def tag_rows(report: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the rows of a word-level report with their names: each tag, then the averages."""
    yield from report["tags"].items()
    for key, told in (("with_o", "with O"), ("without_o", "without O")):
        for average in AVERAGES:
            yield f"{average} average, {told}", report[key][average]


def _cells(block: Mapping[str, Any]) -> list[str]:
    low, high = block.get("f1_low"), block.get("f1_high")
    interval = "" if low is None or high is None else f"{100 * low:.2f}-{100 * high:.2f}"
    return [*_score_cells(block), interval, *_count_cells(block)]


def _score_cells(block: Mapping[str, Any]) -> list[str]:
    return [f"{100 * block[key]:.2f}" for key in ("precision", "recall", "f1")]


def _count_cells(block: Mapping[str, Any]) -> list[str]:
    return [_count(block.get(key)) for key in ("gold", "predicted", "correct")]


def _count(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"
