"""Plots of a grid: forest plot, heat map and learning curves.

Matplotlib is imported by the functions that draw. The colours are those of the page: blue is better than the baseline,
orange is worse, grey is neither.
"""

import math
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from linnet.comparison.arrangement import (
    Arrangement,
    Curve,
    arrange,
    baseline_title,
    learning_panels,
    p_text,
    percent,
    place_title,
    points,
)
from linnet.comparison.results import Comparison, Labels, Results, title_of
from linnet.reports.figures import COLOURS, new_figure, save, style_axes, write_message

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["forest_plot", "heat_map", "learning_curves"]

BETTER, WORSE, NEITHER = COLOURS[0], COLOURS[1], COLOURS[6]
COLOUR_OF_VERDICT = {"better": BETTER, "worse": WORSE}
INK, SOFT, FAINT = "#1b1f24", "#57606a", "#e3e7ea"
FOREST_WIDTH = 10.0  # inches
ROW_HEIGHT = 0.27
LONGEST_LABEL = 34  # characters of a choice or a place in a plot; longer ones are cut, the tables have them in full
LONGEST_NAME = 60  # characters of the grid's name above a plot
COLUMNS_OF_CURVES = 3
LOG_FROM = 8.0  # ratio of the largest to the smallest size from which the axis is logarithmic
PALER = 1.5  # the full colour is for this multiple of the largest difference, so that text stays readable
STYLES = ("-", "--", ":", "-.")  # of lines; the next style when all colours are used

Row = Comparison | Labels  # of a forest plot: a comparison, or a place as the heading of its comparisons


def forest_plot(results: Results, path: Path) -> None:
    """Draw the difference of each choice with the baseline and its 95 % interval, by place; all places come last."""
    rows = _forest_rows(results)
    figure = new_figure(FOREST_WIDTH, 1.3 + ROW_HEIGHT * max(3, len(rows)))
    axes = figure.subplots()
    baseline = _shorten(baseline_title(results))
    _write_name(figure, results)
    style_axes(
        axes,
        "",
        f"points of {_shorten(results.metric)}; grey: true differences found in less than 80 % of such grids",
        "",
    )
    _write_title(axes, f"differences with {baseline}, 95 % intervals, p after Holm")
    if not rows:
        write_message(axes, "nothing to compare yet")
    else:
        _draw_forest(axes, rows)
    save(figure, path, is_for_print=True)


def heat_map(results: Results, path: Path) -> None:
    """Draw a table of places and choices: the colour is the difference with the baseline, the text is the mean."""
    arrangement = arrange(results)
    n_places, n_choices = len(arrangement.places), len(arrangement.choices)
    longest = max((len(_shorten(place_title(place))) for place in arrangement.places), default=0)
    figure = new_figure(max(5.5, 1.9 + 0.075 * longest + 0.95 * n_choices), max(2.6, 1.9 + 0.42 * n_places))
    axes = figure.subplots()
    _write_name(figure, results)
    _write_title(axes, f"mean {_shorten(results.metric)} in percent")
    if arrangement.cells:
        _draw_heat(axes, results, arrangement)
    else:
        write_message(axes, "nothing recorded")
    save(figure, path, is_for_print=True)


def learning_curves(results: Results, path: Path) -> None:
    """Draw the score by the size of the training data, with a panel for each place and a line for each choice."""
    panels = learning_panels(results)
    n_columns = min(COLUMNS_OF_CURVES, max(1, len(panels)))
    n_rows = max(1, math.ceil(len(panels) / n_columns))
    figure = new_figure(max(6.5, 4.3 * n_columns), 0.9 + 3.2 * n_rows)
    _write_name(figure, results)
    grid = figure.subplots(n_rows, n_columns, squeeze=False).ravel()
    for axes, (place, curves) in zip(grid, panels.items(), strict=False):
        style_axes(axes, "", results.size_axis or "", f"{results.metric} (%)")
        _write_title(axes, _shorten(place))  # empty if only the sizes differ
        _draw_curves(axes, curves)
    for axes in grid[len(panels) :]:
        axes.set_axis_off()
    if not panels:
        write_message(grid[0], "no axis of training sizes")
    else:
        _draw_legend(figure)
    save(figure, path, is_for_print=True)


def _forest_rows(results: Results) -> list[Row]:
    """Return the comparisons under their places, those over all places at the end."""
    ordered = sorted(results.comparisons, key=lambda comparison: comparison.is_pooled)  # stable
    places = arrange(results).places
    position = {title_of(place): number for number, place in enumerate(places)}
    ordered.sort(key=lambda comparison: position.get(title_of(comparison.place), len(places)))
    rows: list[Row] = []
    for _, group in groupby(ordered, key=lambda comparison: title_of(comparison.place)):
        members = list(group)
        rows += [members[0].place, *members]
    return rows


def _draw_forest(axes: "Axes", rows: Sequence[Row]) -> None:
    for at, row in enumerate(rows):
        if isinstance(row, Comparison):
            _draw_comparison(axes, at, row)
    axes.axvline(0, color=INK, linewidth=1)
    axes.grid(visible=False, axis="y")
    axes.spines["left"].set_visible(False)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_yticks(range(len(rows)), [_row_label(row) for row in rows], parse_math=False)
    axes.tick_params(axis="y", length=0)
    for text, row in zip(axes.get_yticklabels(), rows, strict=True):
        text.set_fontweight("normal" if isinstance(row, Comparison) else "bold")
    axes.margins(x=0.06)


def _draw_comparison(axes: "Axes", at: int, comparison: Comparison) -> None:
    """Draw one row of a forest plot: the detectable difference, the interval, the difference, and all as numbers."""
    low, high, difference = 100 * comparison.low, 100 * comparison.high, 100 * comparison.difference
    colour = COLOUR_OF_VERDICT.get(comparison.verdict, NEITHER)
    detectable = 100 * comparison.smallest_detectable if math.isfinite(comparison.smallest_detectable) else 0.0
    axes.barh(at, 2 * detectable, left=-detectable, height=0.7, color=FAINT, zorder=0.5)
    axes.plot([low, high], [at, at], color=colour, linewidth=2, solid_capstyle="butt")
    axes.plot(difference, at, marker="D" if comparison.is_pooled else "s", markersize=6, color=colour)
    interval = f"[{points(comparison.low)}, {points(comparison.high)}]"
    numbers = f"{points(comparison.difference)}  {interval}  p {p_text(comparison.adjusted_p)}"
    axes.text(1.02, at, numbers, transform=axes.get_yaxis_transform(), va="center", fontsize=8, color=INK)


def _row_label(row: Row) -> str:
    return _shorten(title_of(row.choice)) if isinstance(row, Comparison) else _shorten(place_title(row))


def _draw_heat(axes: "Axes", results: Results, arrangement: Arrangement) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    places, choices = arrangement.places, arrangement.choices
    differences = [[_difference(arrangement, place, choice) for choice in choices] for place in places]
    most = max((abs(value) for row in differences for value in row if math.isfinite(value)), default=0.0) or 1.0
    colours = LinearSegmentedColormap.from_list("difference", [WORSE, "#ffffff", BETTER])
    axes.set_facecolor(FAINT)  # of missing cells
    image = axes.imshow(differences, cmap=colours, vmin=-PALER * most, vmax=PALER * most, aspect="auto")
    for y, place in enumerate(places):
        for x, choice in enumerate(choices):
            cell = arrangement.cell(place, choice)
            text = percent(cell.mean) if cell is not None else ""
            axes.text(x, y, text or "missing", ha="center", va="center", fontsize=9, color=INK if text else SOFT)
    is_long = max(len(_shorten(title_of(choice))) for choice in choices) > 11
    axes.set_xticks(range(len(choices)), [_shorten(title_of(choice)) for choice in choices], parse_math=False)
    axes.set_yticks(range(len(places)), [_shorten(place_title(place)) for place in places], parse_math=False)
    axes.tick_params(length=0, labelsize=9)
    if is_long:
        for label in axes.get_xticklabels():
            label.set(rotation=30, ha="right", rotation_mode="anchor")
    axes.set_xticks([x - 0.5 for x in range(1, len(choices))], minor=True)
    axes.set_yticks([y - 0.5 for y in range(1, len(places))], minor=True)
    axes.grid(which="minor", color=FAINT, linewidth=1)
    axes.tick_params(which="minor", length=0)
    for side in axes.spines.values():
        side.set_color(FAINT)
    bar = axes.figure.colorbar(image, ax=axes, shrink=min(0.95, 9 / (1 + len(places))), pad=0.02)
    bar.ax.set_ylim(-most, most)
    bar.ax.tick_params(labelsize=8)
    bar.outline.set_visible(False)
    bar.set_label(f"difference with {_shorten(baseline_title(results))} (points)", fontsize=8)


def _difference(arrangement: Arrangement, place: Labels, choice: Labels) -> float:
    """Return the difference with the baseline in points, which is zero for the baseline; NaN if there is none."""
    cell, comparison = arrangement.cell(place, choice), arrangement.comparison(place, choice)
    if comparison is not None:
        return 100 * comparison.difference
    return 0.0 if cell is not None and cell.is_baseline and cell.score_by_seed else math.nan


def _draw_curves(axes: "Axes", curves: Sequence[Curve]) -> None:
    labels = {point.size: point.label for curve in curves for point in curve.points}
    for curve in curves:
        colour, style = COLOURS[curve.number % len(COLOURS)], STYLES[curve.number // len(COLOURS) % len(STYLES)]
        sizes = [point.size for point in curve.points]
        means = [100 * point.mean for point in curve.points]
        spread = [100 * (point.deviation or 0.0) for point in curve.points]
        low = [mean - deviation for mean, deviation in zip(means, spread, strict=True)]
        high = [mean + deviation for mean, deviation in zip(means, spread, strict=True)]
        axes.fill_between(sizes, low, high, color=colour, alpha=0.15, linewidth=0)
        (line,) = axes.plot(sizes, means, color=colour, linestyle=style, linewidth=1.8, marker="o", markersize=4)
        line.set_label(_shorten(curve.title))
    if not labels:
        write_message(axes, "nothing recorded")
        return
    if min(labels) > 0 and max(labels) >= LOG_FROM * min(labels):
        axes.set_xscale("log")
    axes.set_xticks(list(labels), list(labels.values()), parse_math=False)
    axes.set_xticks([], minor=True)


def _draw_legend(figure: "Figure") -> None:
    """Draw one legend of the choices, below all panels."""
    lines = {str(line.get_label()): line for axes in figure.axes for line in axes.get_lines()}
    legend = figure.legend(
        handles=list(lines.values()), loc="outside lower center", ncols=min(6, len(lines)), frameon=False
    )
    for text in legend.get_texts():
        text.set_parse_math(False)


def _write_name(figure: "Figure", results: Results) -> None:
    name = _shorten(results.name, LONGEST_NAME)
    figure.suptitle(name, parse_math=False, fontsize=12, x=0.01, ha="left")


def _write_title(axes: "Axes", text: str) -> None:
    axes.set_title(text, loc="left", fontsize=10, fontweight="bold", parse_math=False)


def _shorten(text: str, longest: int = LONGEST_LABEL) -> str:
    """Return the text on one line, cut to the longest length that fits into a plot."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
