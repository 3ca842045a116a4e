"""Plots of a training (loss, devel score, learning rate), of a learning-rate range test, and of predictions.

`figures.py` has the style of the figures and writes them.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from linnet.reports.confusion import count_confusion
from linnet.reports.figures import COLOURS, new_figure, save, style_axes, write_message
from linnet.storage.cells import first_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["best_epoch", "is_epoch", "plot_confusion", "plot_learning_rates", "plot_numbers", "plot_pretraining",
           "plot_training"]  # fmt: skip

RAW = "#a8c5da"  # colour of single steps, behind the mean of the epoch
LONGEST_LABEL = 24  # characters; longer ones are cut
DARK = 0.6  # share from which the colour of a cell needs white text
MOST_RISE = 0.6  # of a diverging loss above its start, as a share of its fall before

Row = Mapping[str, float]  # epoch, step, loss, learning_rate and score, those that are known
Points = list[tuple[float, float]]


def plot_training(
    history: Sequence[Row], path: Path, *, title: str, score: str = "devel F1", is_share: bool = True
) -> None:
    """Draw loss, devel score with the best epoch, and learning rate, one panel each, as a PNG file.

    Args:
        history: rows of single steps (step, loss, learning_rate) and of epochs (epoch, score, loss, devel_loss), in
            the order of the training.
        path: of the PNG file; an older file is replaced when the new one is complete.
        title: of the figure.
        score: name of the devel score.
        is_share: is the score a share, to be shown in percent?
    """
    figure = new_figure(12, 3.6)
    figure.suptitle(title, parse_math=False, fontsize=12, x=0.01, ha="left")
    panels = figure.subplots(1, 3)
    _draw_loss(panels[0], history)
    _draw_devel(panels[1], history, score, is_share)
    _draw_learning_rate(panels[2], history)
    save(figure, path)


def plot_pretraining(history: Sequence[Row], path: Path, *, title: str) -> None:
    """Draw loss, held-out perplexity and learning rate over the updates, one panel each, as a PNG file.

    Args:
        history: rows of single steps (step, loss, learning_rate) and of measurements (epoch, step, loss, perplexity).
        path: of the PNG file; an older file is replaced when the new one is complete.
        title: of the figure.
    """
    figure = new_figure(12, 3.6)
    figure.suptitle(title, parse_math=False, fontsize=12, x=0.01, ha="left")
    panels = figure.subplots(1, 3)
    _draw_loss(panels[0], history, averaged="between measurements")
    measured = _points(history, "step", "perplexity")
    style_axes(panels[1], "Held-out perplexity", "step", "perplexity")
    if measured:
        panels[1].plot(*zip(*measured, strict=True), color=COLOURS[2], linewidth=1.8, marker="o", markersize=4)
        panels[1].set_yscale("log")
        panels[1].set_title(f"last: {measured[-1][1]:.2f}", loc="right", fontsize=9, color=COLOURS[1])
    else:
        write_message(panels[1], "nothing recorded")
    _draw_learning_rate(panels[2], history)
    save(figure, path)


def plot_learning_rates(
    curves: Mapping[str, Sequence[tuple[float, float]]], suggestion: Mapping[str, float], path: Path
) -> None:
    """Draw the loss over the learning rate for each curve of a range test, as a PNG file.

    Args:
        curves: learning rates with smoothed losses, by the name of the curve (such as "weight decay 0.01").
        suggestion: the suggested rate of each curve that has one.
        path: of the PNG file; an older file is replaced when the new one is complete.
    """
    figure = new_figure(8, 4.8)
    axes = figure.subplots()
    for number, (name, points) in enumerate(curves.items()):
        _draw_curve(axes, name, points, suggestion.get(name), COLOURS[number % len(COLOURS)])
    axes.set_xscale("log")
    style_axes(axes, "Learning-rate range test", "learning rate", "smoothed loss")
    _limit_divergence(axes, [_finite(points) for points in curves.values()])
    if curves:
        for text in axes.legend(frameon=False).get_texts():
            text.set_parse_math(False)
    else:
        write_message(axes, "nothing recorded")
    save(figure, path)


def plot_numbers(gold: Sequence[float], predicted: Sequence[float], path: Path, title: str) -> None:
    """Draw a scatter plot of predicted and gold values, with the line of equality, as a PNG file."""
    figure = new_figure(5.4, 5.2)
    axes = figure.subplots()
    style_axes(axes, title, "gold", "predicted")
    axes.title.set_parse_math(False)
    points = _finite(list(zip(gold, predicted, strict=True)))
    if points:
        ends = [min(min(point) for point in points), max(max(point) for point in points)]
        axes.plot(ends, ends, color=COLOURS[6], linestyle="--", linewidth=1)
        x, y = zip(*points, strict=True)
        axes.scatter(x, y, color=COLOURS[0], s=18, alpha=0.6, linewidths=0)
        axes.set_aspect("equal", adjustable="datalim")
    else:
        write_message(axes, "nothing recorded")
    save(figure, path)


def plot_confusion(
    gold: Sequence[str], predicted: Sequence[str], labels: Sequence[str], path: Path, title: str
) -> None:
    """Draw a confusion matrix of gold and predicted labels as a PNG file.

    Colours are shares of the examples of the gold label. At most 20 labels are drawn, the most frequent ones.
    """
    table = count_confusion(gold, predicted, labels)
    names = [first_words(label, LONGEST_LABEL) for label in table.labels]
    side = 2.2 + 0.5 * max(3, len(names))
    figure = new_figure(side, side)
    axes = figure.subplots()
    style_axes(axes, title, "predicted", "gold")
    axes.title.set_parse_math(False)
    axes.grid(visible=False)
    if names:
        shares = [[n / max(1, sum(row)) for n in row] for row in table.counts]
        axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
        axes.set_xticks(range(len(names)), names, rotation=45, ha="right", rotation_mode="anchor", parse_math=False)
        axes.set_yticks(range(len(names)), names, parse_math=False)
        _write_counts(axes, table.counts, shares)
    else:
        write_message(axes, "nothing recorded")
    save(figure, path)


def best_epoch(history: Sequence[Row]) -> tuple[float, float] | None:
    """Return the first epoch with the highest devel score, and that score; None if no epoch has a score."""
    scored = _points(history, "epoch", "score")
    return max(scored, key=lambda point: point[1]) if scored else None


def is_epoch(row: Row) -> bool:
    """Is this the row of a whole epoch, not of a single step?"""
    return row.get("epoch") is not None


def _write_counts(axes: "Axes", counts: Sequence[Sequence[int]], shares: Sequence[Sequence[float]]) -> None:
    for row, numbers in enumerate(counts):
        for column, n in enumerate(numbers):
            if n:
                colour = "white" if shares[row][column] > DARK else "black"
                axes.text(column, row, f"{n:,}", ha="center", va="center", fontsize=7, color=colour)


def _draw_loss(axes: "Axes", history: Sequence[Row], averaged: str = "epochs") -> None:
    steps = sorted(_points([row for row in history if not is_epoch(row)], "step", "loss"))
    epochs, devel = _epoch_losses(history, "loss"), _epoch_losses(history, "devel_loss")
    style_axes(axes, "Loss", "step" if steps else "epoch", "loss" if devel else "training loss")
    split = "training, " if devel else ""
    if steps:
        axes.plot(
            *zip(*steps, strict=True), color=RAW, linewidth=0.9, marker=_marker(steps), label=f"{split}single steps"
        )
    for points, colour, marker, label in (
        (epochs, COLOURS[0], "o", f"{split}{averaged}"),
        (devel, COLOURS[2], "s", "devel"),
    ):
        if points:
            x, y = zip(*points, strict=True)
            axes.plot(x, y, color=colour, linewidth=1.8, marker=marker, markersize=4, label=label)
    if epochs and (steps or devel):
        axes.legend(frameon=False, fontsize=8)
    if not steps and not epochs:
        write_message(axes, "nothing recorded")
        return
    _count_on_x(axes, len({x for x, _ in [*steps, *epochs, *devel]}))


def _epoch_losses(history: Sequence[Row], key: str) -> Points:
    """Return the losses of epochs by the last step of each epoch, or by epoch if no step is known."""
    has_steps = any(row.get("step") is not None for row in history)
    points: Points = []
    step = 0.0
    for row in history:
        step = step if row.get("step") is None else row["step"]
        if is_epoch(row):
            points += _points([{**row, "at": step} if has_steps else row], "at" if has_steps else "epoch", key)
    return points


def _draw_devel(axes: "Axes", history: Sequence[Row], score: str, is_share: bool) -> None:
    factor, digits = (100, 2) if is_share else (1, 4)
    scored = [(epoch, factor * value) for epoch, value in _points(history, "epoch", "score")]
    best = best_epoch(history)
    name = score.removeprefix("devel ")
    style_axes(axes, score[:1].upper() + score[1:], "epoch", f"{name} (%)" if is_share else name)
    if best is None:
        write_message(axes, "no devel scores")
        return
    axes.plot(*zip(*scored, strict=True), color=COLOURS[2], linewidth=1.8, marker="o", markersize=4)
    axes.axvline(best[0], color=COLOURS[1], linestyle="--", linewidth=1)
    axes.plot(best[0], factor * best[1], marker="*", markersize=13, color=COLOURS[1], linestyle="none")
    label = f"best: {factor * best[1]:.{digits}f} in epoch {best[0]:g}"
    axes.set_title(label, loc="right", fontsize=9, color=COLOURS[1])
    _count_on_x(axes, len(scored))
    axes.margins(y=0.15)
    if len(scored) == 1:
        axes.set_ylim(min(0, scored[0][1]), max(0, 1.15 * scored[0][1]) or 1)
    if is_share:  # a margin around the points, within 0 to 100 percent
        low, high = axes.get_ylim()
        axes.set_ylim(max(0, low), min(100, high) if high > 5 else 5)


def _draw_learning_rate(axes: "Axes", history: Sequence[Row]) -> None:
    rates = sorted(set(_points(history, "step", "learning_rate")))  # a row of an epoch may repeat its last step
    style_axes(axes, "Learning rate", "step", "")
    if not rates:
        write_message(axes, "nothing recorded")
        return
    axes.plot(*zip(*rates, strict=True), color=COLOURS[3], linewidth=1.8, marker=_marker(rates))
    _count_on_x(axes, len(rates))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_ylim(bottom=0)


def _marker(points: Points) -> str:
    """Return how points of a line are marked: a single one would be invisible without."""
    return "o" if len(points) == 1 else ""


def _count_on_x(axes: "Axes", n_points: int) -> None:
    """Let an axis of epochs or steps have whole numbers only, and room on both sides of a single point."""
    from matplotlib.ticker import MaxNLocator

    if n_points == 1:
        middle = sum(axes.get_xlim()) / 2
        axes.set_xlim(middle - 0.9, middle + 0.9)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def _draw_curve(
    axes: "Axes", name: str, points: Sequence[tuple[float, float]], suggested: float | None, colour: str
) -> None:
    label = name if suggested is None else f"{name}: {suggested:.2g}"
    finite = _finite(points)
    axes.plot([rate for rate, _ in finite], [loss for _, loss in finite], color=colour, linewidth=1.8, label=label)
    if suggested is None or not finite:
        return
    axes.axvline(suggested, color=colour, linestyle=":", linewidth=1.2)
    nearest = min(finite, key=lambda point: abs(math.log(point[0] / suggested)))
    axes.plot(suggested, nearest[1], marker="o", markersize=7, color=colour, linestyle="none")


def _limit_divergence(axes: "Axes", curves: Sequence[Points]) -> None:
    """Cut off most of the diverging loss at the end of a range test, so that the rest stays visible."""
    losses = [[loss for _, loss in points] for points in curves if points]
    if not losses:
        return
    start, lowest = max(curve[0] for curve in losses), min(min(curve) for curve in losses)
    highest = max(max(curve) for curve in losses)
    if start > lowest and highest > start + MOST_RISE * (start - lowest):
        axes.set_ylim(lowest - 0.08 * (start - lowest), start + MOST_RISE * (start - lowest))


def _points(history: Sequence[Row], x: str, y: str) -> Points:
    return _finite([(row[x], row[y]) for row in history if row.get(x) is not None and row.get(y) is not None])


def _finite(points: Sequence[tuple[float, float]]) -> Points:
    return [(x, y) for x, y in points if math.isfinite(x) and math.isfinite(y)]
