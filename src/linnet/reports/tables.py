"""How are scores laid out for a terminal?"""

from typing import Any

from rich.table import Table

__all__ = ["MEANING", "labels_table", "matchings_table"]

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


def _table(title: str, first: str, width: int) -> Table:
    padding = (0, 2 if width >= WIDE else 1, 0, 0)
    table = Table(title=title, box=None, pad_edge=False, padding=padding)
    table.add_column(first, no_wrap=True)
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
