"""How are scores laid out for a terminal?"""

from typing import Any

from rich.table import Table

__all__ = ["labels_table", "matchings_table"]

MEANING = {
    "strict": "label and both ends, well-formed tags",
    "conll": "label and both ends, conlleval reading",
    "exact": "both ends, any label",
    "partial": "overlap, half credit",
    "type": "overlap and label",
    "fair": "every error once (Ortmann 2022)",
    "weighted_fair": "fair, boundary errors half right",
    "tokens": "tokens, not mentions",
}


def matchings_table(found: dict[str, Any]) -> Table:
    """Return the micro scores under every matching; `found` has the JSON shape of `linnet score`."""
    title = f"{found['sentences']:,} sentences, {found['mentions']:,} gold mentions; micro averages"
    table = _table(title, "matching", "counts as right")
    for name in (name for name in MEANING if name in found):
        table.add_row(name, MEANING[name], *_cells(found[name]["micro"]))
    return table


def labels_table(found: dict[str, Any], matching: str) -> Table:
    """Return the scores of each label, and their macro average, under one matching."""
    table = _table(f"\n{matching}, by label", "label", "")
    for label, block in found[matching]["labels"].items():
        table.add_row(label, "", *_cells(block))
    if len(found[matching]["labels"]) > 1:
        table.add_row("macro average", "", *_cells(found[matching]["macro"]))
    return table


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, no_wrap=True)
    for column in ("precision", "recall", "F1", "95 % interval", "gold", "predicted", "right"):
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _cells(block: dict[str, Any]) -> list[str]:
    low, high = block.get("f1_low"), block.get("f1_high")
    interval = "" if low is None or high is None else f"{100 * low:.2f}-{100 * high:.2f}"
    scores = [f"{100 * block[key]:.2f}" for key in ("precision", "recall", "f1")]
    counts = [_count(block.get(key)) for key in ("gold", "predicted", "correct")]
    return [*scores, interval, *counts]


def _count(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"
