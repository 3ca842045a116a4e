"""How are scores laid out for a terminal?"""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.table import Table

from linnet.metrics.mentions.tags import AVERAGES

__all__ = ["MEANING", "labels_table", "matchings_table", "tag_rows", "tags_table"]

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
WIDE = 120  # columns that the table needs to explain the matchings besides


def matchings_table(found: dict[str, Any], *, width: int = WIDE) -> Table:
    """Return the micro scores by every matching.

    Args:
        found: the JSON shape of `linnet score`.
        width: columns of the terminal; below 120 the meaning of the matchings is left out, and gaps are narrow.
    """
    names = [name for name, block in found.items() if isinstance(block, dict) and "micro" in block]
    title = f"{found['sentences']:,} sentences, {found['mentions']:,} gold mentions; micro averages in percent"
    table = _table(title, "matching", width)
    if width >= WIDE:
        table.add_column("what counts as right", no_wrap=True)
    for name in names:
        meaning = [MEANING.get(name, "")] if width >= WIDE else []
        table.add_row(name, *_cells(found[name]["micro"]), *meaning)
    return table


def labels_table(found: dict[str, Any], matching: str, *, width: int = WIDE) -> Table:
    """Return the scores of each label, and their macro average, by one matching."""
    table = _table(f"{matching}, by label", "label", width)
    labels = found[matching]["labels"]
    for label, block in labels.items():
        table.add_row(label, *_cells(block))
    if len(labels) > 1:
        table.add_row("macro average", *_cells(found[matching]["macro"]))
    return table


def tags_table(found: dict[str, Any], *, width: int = WIDE) -> Table:
    """Return the word-level scores of each tag, and their averages with and without `O`."""
    report = found["tags"]
    table = _table(f"tags of {report['words']:,} words", "tag", width, has_interval=False)
    for name, block in tag_rows(report):
        table.add_row(name, *_score_cells(block), *_count_cells(block))
    return table


def tag_rows(report: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the rows of a word-level report with their names: each tag, then the averages."""
    yield from report["tags"].items()
    for key, told in (("with_o", "with O"), ("without_o", "without O")):
        for average in AVERAGES:
            yield f"{average} average, {told}", report[key][average]


def _table(title: str, first: str, width: int, *, has_interval: bool = True) -> Table:
    padding = (0, 2 if width >= WIDE else 1, 0, 0)
    table = Table(title=title, box=None, pad_edge=False, padding=padding)
    table.add_column(first, no_wrap=True)
    interval = ("95 % interval",) if has_interval else ()
    for column in ("precision", "recall", "F1", *interval, "gold", "predicted", "right"):
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _cells(block: dict[str, Any]) -> list[str]:
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
