"""Markdown for reports and cards: tables, escaping, numbers, and the sections that reports share."""

import re
from collections.abc import Iterator, Mapping, Sequence

from linnet.reports.plots import Row, best_epoch, is_epoch

__all__ = ["class_section", "count_text", "escape", "history_section", "markdown_table", "percent", "weight_table"]

SPECIAL = re.compile(r"[\\`*{}\[\]<>|~$&]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")  # a_b is no emphasis
NUMBER = re.compile(r"[^A-Za-z`]*(\d|$)|(nan|inf)$")  # 0.5, -0.5, < 0.001, 63.89-80.57, or a dash


def class_section(counts: Mapping[str, int], weights: Mapping[str, float], *, name: str = "tag") -> Iterator[str]:
    """Yield the table of tags and class weights, and the ratio of the largest weight to the smallest."""
    yield weight_table(counts, weights, name=name)
    positive = [weight for weight in weights.values() if weight > 0]
    if positive:
        yield f"Largest / smallest weight: {max(positive) / min(positive):.3f}."


def weight_table(counts: Mapping[str, int], weights: Mapping[str, float], *, name: str = "tag") -> str:
    """Return a table with count, share and class weight of each tag; a tag without a weight has an empty cell."""
    total = sum(counts.values())
    rows = [
        (escape(tag), f"{n:,}", f"{n / total:.2%}" if total else "", f"{weights[tag]:.6g}" if tag in weights else "")
        for tag, n in counts.items()
    ]
    return markdown_table((name, "count", "share", "weight"), rows)


def history_section(history: Sequence[Row], *, score: str = "devel F1", is_share: bool = True) -> Iterator[str]:
    """Yield the plot of the training, and a table of losses and scores by epoch with a mark on the best one.

    Args:
        history: as for `plot_training`.
        score: name of the devel score.
        is_share: is the score a share, to be shown in percent?
    """
    yield "![training](training.png)"
    best = best_epoch(history)
    epochs = [row for row in history if is_epoch(row)]
    titles = {"loss": "training loss", "devel_loss": "devel loss"}
    shown = [key for key in titles if key == "loss" or any(row.get(key) is not None for row in epochs)]
    rows = []
    for row in epochs:
        value = row.get("score")
        is_best = best is not None and value is not None and (row["epoch"], value) == best
        score_cell = "" if value is None else percent(value) if is_share else f"{value:.4f}"
        loss_cells = ["" if row.get(key) is None else f"{row[key]:.4f}" for key in shown]
        rows.append((f"{row['epoch']:g}", *loss_cells, score_cell, "best" if is_best else ""))
    if rows:
        yield markdown_table(("epoch", *(titles[key] for key in shown), score, ""), rows)


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table, with numbers aligned right, and text and the first column left; cells must be escaped."""
    columns = [[row[number] for row in rows] for number in range(1, len(header))]
    lines = [header, [":---", *(":---" if _is_text(cells) else "---:" for cells in columns)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def escape(text: str) -> str:
    """Return the text on one line, so that Markdown shows it unchanged."""
    return SPECIAL.sub(lambda character: f"\\{character[0]}", " ".join(text.splitlines()))


def percent(value: float) -> str:
    """Return a share in percent with two decimals."""
    return f"{100 * value:.2f}"


def count_text(value: float) -> str:
    """Return a count; halves, of partial matches, have one decimal."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def _is_text(cells: Sequence[str]) -> bool:
    """Is most of what the column holds text, not numbers?"""
    filled = [cell for cell in cells if cell]
    return sum(NUMBER.match(cell) is None for cell in filled) > len(filled) / 2
