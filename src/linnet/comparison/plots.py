"""Plots of a grid: forest plot, heat map and learning curves.

Matplotlib is imported by the functions that draw. The colours are those of the page: blue is better than the baseline,
orange is worse. What is neither has no colour of its own, however large the measured difference is.
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
    interval_text,
    learning_panels,
    p_text,
    percent,
    place_title,
    points,
)
from linnet.comparison.judging.wording import VERDICTS, name_margin
from linnet.comparison.results import Comparison, Labels, Results, cut_interval, title_of
from linnet.reports.figures import COLOURS, new_figure, save, style_axes, write_message

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage

__all__ = ["NOTHING_FOUND", "forest_plot", "heat_map", "learning_curves"]

BETTER, WORSE, NEITHER = COLOURS[0], COLOURS[1], COLOURS[6]
COLOUR_OF_VERDICT = {"better": BETTER, "worse": WORSE}
INK, SOFT, FAINT = "#1b1f24", "#57606a", "#e3e7ea"
FOREST_WIDTH = 10.0  # inches
ROW_HEIGHT = 0.27
PANEL_HEIGHT = 0.75  # inches of a place in a forest plot beside its rows: title and axis
LONGEST_LABEL = 34  # characters of a choice or a place in a plot; longer ones are cut, the tables have them in full
LONGEST_NAME = 60  # characters of the grid's name above a plot
COLUMNS_OF_CURVES = 3
LOG_FROM = 8.0  # ratio of the largest to the smallest size from which the axis is logarithmic
PALER = 1.5  # the full colour is for this multiple of the largest difference, so that text stays readable
NOTHING_FOUND = "no evidence of a difference"  # instead of a scale of colours
STYLES = ("-", "--", ":", "-.")  # of lines; the next style when all colours are used


def forest_plot(results: Results, path: Path) -> None:
    """Draw the difference of each choice with the baseline and its 95 % interval, with an axis for each place.

    All places come last. Bands and lines are explained below.
    """
    groups = _forest_groups(results)
    n_rows = [len(group) for group in groups] or [3]
    figure = new_figure(FOREST_WIDTH, 1.3 + sum(PANEL_HEIGHT + ROW_HEIGHT * number for number in n_rows))
    _write_name(figure, results)
    panels = figure.subplots(len(n_rows), 1, squeeze=False, height_ratios=[number + 1.5 for number in n_rows]).ravel()
    baseline, metric = _shorten(baseline_title(results)), _shorten(results.metric)
    for axes, group in zip(panels, groups, strict=False):
        style_axes(axes, "", "", "")
        _write_title(axes, _shorten(place_title(group[0].place)))
        units = results.units_at(group[0].place)
        axes.set_title(units.brief if units else "", loc="right", fontsize=8, color=SOFT)
        _draw_forest(axes, group)
    if not groups:
        write_message(panels[0], "nothing to compare yet")
    else:
        panels[-1].set_xlabel(f"difference with {baseline} in points of {metric}; p after Holm", parse_math=False)
        _explain_forest(figure, groups)
    save(figure, path, is_for_print=True)


def heat_map(results: Results, path: Path) -> None:
    """Draw a table of places and choices: means as text, and the differences of what is better or worse as colours."""
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


def _forest_groups(results: Results) -> list[list[Comparison]]:
    """Return the comparisons of each place, those over all places at the end."""
    places = arrange(results).places
    position = {title_of(place): number for number, place in enumerate(places)}
    ordered = sorted(results.comparisons, key=lambda each: position.get(title_of(each.place), len(places)))
    return [list(group) for _, group in groupby(ordered, key=lambda each: title_of(each.place))]


def _draw_forest(axes: "Axes", group: Sequence[Comparison]) -> None:
    """Draw the comparisons of one place; the axis is as wide as its intervals."""
    ends = [100 * end for each in group for end in cut_interval(each.low, each.high) or (each.difference,)]
    low, high = min(ends, default=-1.0), max(ends, default=1.0)
    low, high = min(low, 0.0), max(high, 0.0)
    space = 0.06 * (high - low) or 1.0
    most = max(100.0, -low, high)  # correlations can differ by more
    axes.set_xlim(max(low - space, -most), min(high + space, most))
    for at, comparison in enumerate(group):
        _draw_comparison(axes, at, comparison, axes.get_xlim())
    axes.axvline(0, color=INK, linewidth=1)
    if group[0].margin is not None:
        for side in (-100 * group[0].margin, 100 * group[0].margin):
            axes.axvline(side, color=SOFT, linewidth=1, linestyle=":")
    axes.grid(visible=False, axis="y")
    axes.spines["left"].set_visible(False)
    axes.set_ylim(len(group) - 0.4, -0.6)
    names = [_shorten(title_of(each.choice)) for each in group]
    axes.set_yticks(range(len(group)), names, parse_math=False)
    axes.tick_params(axis="y", length=0)


def _draw_comparison(axes: "Axes", at: int, comparison: Comparison, view: tuple[float, float]) -> None:
    """Draw one row of a forest plot: the detectable difference, the interval, the difference, and all as numbers."""
    ends = cut_interval(comparison.low, comparison.high)
    low, high = view if ends is None else (100 * end for end in ends)
    colour = COLOUR_OF_VERDICT.get(comparison.verdict, NEITHER)
    detectable = min(100 * comparison.smallest_detectable, max(map(abs, view)))
    axes.barh(at, 2 * detectable, left=-detectable, height=0.7, color=FAINT, zorder=0.5)
    axes.plot([low, high], [at, at], color=colour, linewidth=2, solid_capstyle="butt")
    marker = "D" if comparison.is_pooled else "s"
    axes.plot(100 * comparison.difference, at, marker=marker, markersize=6, color=colour)
    interval = interval_text(comparison) if ends is None else f"[{points(ends[0])}, {points(ends[1])}]"
    numbers = f"{points(comparison.difference)}  {interval}  p {p_text(comparison.adjusted_p)}"
    axes.text(1.02, at, numbers, transform=axes.get_yaxis_transform(), va="center", fontsize=8, color=INK)


def _explain_forest(figure: "Figure", groups: Sequence[Sequence[Comparison]]) -> None:
    """Draw a legend of the intervals, the band and the lines of the margin, below all panels."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    verdicts = {each.verdict for group in groups for each in group}
    shown: dict[str, str] = {name: colour for name, colour in COLOUR_OF_VERDICT.items() if name in verdicts}
    if others := [name for name in VERDICTS if name in verdicts - set(COLOUR_OF_VERDICT)]:
        shown["neither" if shown else " or ".join(others)] = NEITHER
    signs: list[Line2D | Patch] = [
        Line2D([], [], color=colour, linewidth=2, marker="s", label=f"{name}, 95 % interval")
        for name, colour in shown.items()
    ]
    if any(each.smallest_detectable > 0 for group in groups for each in group):
        missed = "true differences that such a comparison often misses (power below 80 %)"
        signs.append(Patch(color=FAINT, label=missed))
    margin = groups[0][0].margin
    if margin is not None:
        label = f"margin of equivalence, {name_margin(margin)}"
        signs.append(Line2D([], [], color=SOFT, linewidth=1, linestyle=":", label=label))
    figure.legend(handles=signs, loc="outside lower center", ncols=2, frameon=False, fontsize=8)


def _draw_heat(axes: "Axes", results: Results, arrangement: Arrangement) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    places, choices = arrangement.places, arrangement.choices
    differences = [[_shown_difference(arrangement, place, choice) for choice in choices] for place in places]
    most = max((abs(value) for row in differences for value in row if math.isfinite(value)), default=0.0)
    colours = LinearSegmentedColormap.from_list("difference", [WORSE, "#ffffff", BETTER])
    axes.set_facecolor(FAINT)  # of missing cells
    widest = PALER * (most or 1.0)
    image = axes.imshow(differences, cmap=colours, vmin=-widest, vmax=widest, aspect="auto")
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
    if most:
        _draw_colour_bar(axes, image, results, most)
    elif any(not each.is_pooled for each in results.comparisons):
        axes.set_xlabel(NOTHING_FOUND, fontsize=9, color=SOFT, labelpad=8)


def _draw_colour_bar(axes: "Axes", image: "AxesImage", results: Results, most: float) -> None:
    """Draw the colours of the differences up to the largest one."""
    n_places = len(arrange(results).places)
    bar = axes.figure.colorbar(image, ax=axes, shrink=min(0.95, 9 / (1 + n_places)), pad=0.02)
    bar.ax.set_ylim(-most, most)
    bar.ax.tick_params(labelsize=8)
    bar.outline.set_visible(False)
    baseline = _shorten(baseline_title(results))
    bar.set_label(f"better or worse than {baseline} (points)\nwhite: neither by the test", fontsize=8)


def _shown_difference(arrangement: Arrangement, place: Labels, choice: Labels) -> float:
    """Return the difference with the baseline in points; zero if it is neither better nor worse, NaN if not compared.

    A large difference without evidence would draw the eye if it had a colour.
    """
    cell, comparison = arrangement.cell(place, choice), arrangement.comparison(place, choice)
    if comparison is not None:
        return 100 * comparison.difference if comparison.verdict in COLOUR_OF_VERDICT else 0.0
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
        handles=list(lines.values()), loc="outside lower center", ncols=min(6, len(lines)), frameon=False,
        title="bands: one standard deviation over seeds", title_fontsize=8,
    )  # fmt: skip
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
