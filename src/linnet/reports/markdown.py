"""Markdown for reports and cards: tables, escaping, percentages, and the sections that all reports share."""

import re
from collections.abc import Iterator, Mapping, Sequence

from linnet.reports.plots import Row, best_epoch, is_epoch

__all__ = ["class_section", "count_text", "escape", "history_section", "markdown_table", "percent", "weight_table"]

SPECIAL = re.compile(r"[\\`*{}\[\]<>|~$&]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")  # a_b is no emphasis


def class_section(counts: Mapping[str, int], weights: Mapping[str, float], *, name: str = "tag") -> Iterator[str]:
    """Yield count, share and weight of each tag, and how far the weights lie apart."""
    yield weight_table(counts, weights, name=name)
    positive = [weight for weight in weights.values() if weight > 0]
    if positive:
        yield f"Largest / smallest weight: {max(positive) / min(positive):.3f}."


def weight_table(counts: Mapping[str, int], weights: Mapping[str, float], *, name: str = "tag") -> str:
    """Return count, share and weight of each tag; a tag without a weight has an empty cell."""
    total = sum(counts.values())
    rows = [
        (escape(tag), f"{n:,}", f"{n / total:.2%}" if total else "", f"{weights[tag]:.6g}" if tag in weights else "")
        for tag, n in counts.items()
    ]
    return markdown_table((name, "count", "share", "weight"), rows)


def history_section(history: Sequence[Row], *, score: str = "devel F1", is_share: bool = True) -> Iterator[str]:
    """Yield the picture of the training and a row per epoch, with the best one.

    Args:
        history: as for `plot_training`.
        score: what the score is.
        is_share: is the score a share, to be shown in per cent?
    """
    yield "![training](training.png)"
    best = best_epoch(history)
    epochs = [row for row in history if is_epoch(row)]
    losses = {"loss": "training loss", "devel_loss": "devel loss"}
    shown = [key for key in losses if key == "loss" or any(row.get(key) is not None for row in epochs)]
    rows = []
    for row in epochs:
        value = row.get("score")
        is_best = best is not None and value is not None and (row["epoch"], value) == best
        told = "" if value is None else percent(value) if is_share else f"{value:.4f}"
        costs = ["" if row.get(key) is None else f"{row[key]:.4f}" for key in shown]
        rows.append((f"{row['epoch']:g}", *costs, told, "best" if is_best else ""))
    if rows:
        yield markdown_table(("epoch", *(losses[key] for key in shown), score, ""), rows)


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table with its first column to the left and the others to the right; cells are escaped already."""
    lines = [header, [":---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def escape(text: str) -> str:
    """Return text that Markdown shows as it stands, on one line."""
    return SPECIAL.sub(lambda found: f"\\{found[0]}", " ".join(text.splitlines()))


def percent(value: float) -> str:
    """Return a share in per cent, with two digits."""
    return f"{100 * value:.2f}"


def count_text(value: float) -> str:
    """Return a count; half ones have a digit behind the point."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"
