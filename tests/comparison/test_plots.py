"""Plots of a grid: forest plot, heat map and learning curves show its numbers."""

import struct
import subprocess
import sys
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import pytest

from linnet.comparison.plots import forest_plot, heat_map, learning_curves
from linnet.comparison.results import DrawnUnits
from tests.comparison.example_results import empty_results, example_results, size_results

PNG = b"\x89PNG\r\n\x1a\n"


def size_of(path: Path) -> tuple[int, int]:
    """Return width and height, from the first block of a PNG file."""
    content = path.read_bytes()
    assert content.startswith(PNG)
    width, height = struct.unpack(">II", content[16:24])
    return width, height


def texts(axes: Any) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_forest_plot_has_an_axis_for_each_place_and_all_places_last(tmp_path: Path, figures: list[Any]) -> None:
    forest_plot(example_results(), tmp_path / "forest.png")

    panels = figures[0].axes
    titles = [axes.get_title(loc="left") for axes in panels]
    assert titles[:2] == ["ncbi-disease, minilm", "ncbi-disease, biobert"]
    assert (len(titles), titles[-1]) == (5, "all conditions")
    for axes in (panels[0], panels[-1]):
        assert [label.get_text() for label in axes.get_yticklabels()] == ["welt", "ens 0.9", "isns"]
    assert texts(panels[0])[0] == "+2.00  [+0.80, +3.20]  p 0.004"
    assert sum(len(texts(axes)) for axes in panels) == 14
    # 14 comparisons of 0.27 inches, 5 axes of 0.75, and 1.3 around them, 120 dots each
    assert size_of(tmp_path / "forest.png") == (1200, int(120 * (1.3 + 0.27 * 14 + 0.75 * 5)))


def test_each_axis_of_a_forest_plot_is_as_wide_as_its_own_intervals(tmp_path: Path, figures: list[Any]) -> None:
    results = example_results()
    far, infinite, *others = results.comparisons
    far = replace(far, low=-0.5, high=0.1, difference=-0.2, smallest_detectable=0.9)
    infinite = replace(infinite, low=-inf, high=inf, smallest_detectable=inf)

    forest_plot(replace(results, comparisons=(far, infinite, *others)), tmp_path / "forest.png")

    first, second = figures[0].axes[:2]
    assert first.get_xlim() == pytest.approx((-53.6, 13.6))  # 60 points, and 6 % of it at both ends
    assert second.get_xlim()[0] > -5
    assert "too few to tell" in texts(first)[1]
    unbounded = first.get_lines()[2].get_xdata()
    assert [float(end) for end in unbounded] == pytest.approx([-53.6, 13.6])


def test_each_axis_of_a_forest_plot_says_what_its_intervals_are_over(tmp_path: Path, figures: list[Any]) -> None:
    results = example_results()
    first, second = (each.place for each in results.comparisons[::3][:2])
    drawn = (DrawnUnits(first, "documents", 100), DrawnUnits(second, "sentences", 940))

    forest_plot(replace(results, drawn=drawn), tmp_path / "forest.png")

    assert [axes.get_title(loc="right") for axes in figures[0].axes] == [
        "intervals over 100 documents", "intervals over 940 sentences, probably too narrow", "", "", ""
    ]  # fmt: skip


def test_a_forest_plot_explains_its_bands_and_lines(tmp_path: Path, figures: list[Any]) -> None:
    results = example_results()
    with_margin = tuple(replace(each, margin=0.01) for each in results.comparisons)

    forest_plot(results, tmp_path / "forest.png")
    forest_plot(replace(results, comparisons=with_margin), tmp_path / "margin.png")

    plain, dotted = ([text.get_text() for text in figure.legends[0].get_texts()] for figure in figures)
    assert plain == [
        "better, 95 % interval",
        "neither, 95 % interval",
        "true differences that such a comparison often misses (power below 80 %)",
    ]
    assert dotted == [*plain, "margin of equivalence, 1 point"]
    ends = [float(line.get_xdata()[0]) for line in figures[1].axes[0].get_lines()[-2:]]
    assert ends == pytest.approx([-1, 1])


@pytest.mark.parametrize(
    ("verdicts", "first"),
    [
        (["no evidence"], "no evidence, 95 % interval"),
        (["no evidence", "no difference"], "no difference or no evidence, 95 % interval"),
        (["identical"], "identical, 95 % interval"),
        (["worse", "no evidence"], "worse, 95 % interval"),
    ],
)
def test_a_forest_plot_without_a_decided_difference_names_the_verdicts(
    tmp_path: Path, figures: list[Any], verdicts: list[Any], first: str
) -> None:
    results = example_results()
    shown = tuple(replace(each, verdict=verdict) for each, verdict in zip(results.comparisons, verdicts, strict=False))

    forest_plot(replace(results, comparisons=shown), tmp_path / "forest.png")

    names = [text.get_text() for text in figures[0].legends[0].get_texts()]
    assert names[0] == first
    assert ("neither, 95 % interval" in names) == ("worse" in verdicts)


def test_line_and_axis_end_where_the_numbers_do(tmp_path: Path, figures: list[Any]) -> None:
    results = example_results()
    wide = replace(results.comparisons[0], low=-0.6058, high=1.0944, difference=0.2443)

    forest_plot(replace(results, comparisons=(wide,)), tmp_path / "forest.png")

    axes = figures[0].axes[0]
    assert "[-60.58, +100.00]" in texts(axes)[0]
    assert [float(end) for end in axes.get_lines()[0].get_xdata()] == pytest.approx([-60.58, 100])
    assert axes.get_xlim() == pytest.approx((-60.58 - 0.06 * 160.58, 100))


def test_forest_plot_draws_differences_and_intervals_in_points(tmp_path: Path, figures: list[Any]) -> None:
    forest_plot(example_results(), tmp_path / "forest.png")

    lines = [[(round(float(x), 6), float(y)) for x, y in line.get_xydata()] for line in figures[0].axes[0].get_lines()]
    assert lines[0] == [(0.8, 0), (3.2, 0)]
    assert lines[1] == [(2.0, 0)]
    assert [line[0][0] for line in lines[-1:]] == [0]  # the line of no difference


def test_heat_map_has_the_means_and_is_centred_on_no_difference(tmp_path: Path, figures: list[Any]) -> None:
    heat_map(example_results(), tmp_path / "heat.png")

    axes = figures[0].axes[0]
    picture = axes.get_images()[0]
    assert texts(axes)[:5] == ["80.30", "82.30", "80.30", "79.40", "86.20"]
    assert texts(axes)[-1] == "missing"
    assert picture.norm.vmin == -picture.norm.vmax
    # -0.9 points without evidence have no colour
    assert [round(float(value), 6) for value in picture.get_array()[0]] == [0, 2, 0, 0]
    width, height = size_of(tmp_path / "heat.png")
    assert width > 800
    assert height > 400


def test_a_heat_map_in_which_nothing_is_decided_says_so_and_has_no_colours(tmp_path: Path, figures: list[Any]) -> None:
    results = example_results()
    undecided = tuple(replace(each, verdict="no evidence") for each in results.comparisons)

    heat_map(results, tmp_path / "decided.png")
    heat_map(replace(results, comparisons=undecided), tmp_path / "undecided.png")
    heat_map(replace(results, comparisons=()), tmp_path / "baseline.png")  # nothing was tested

    assert [len(figure.axes) for figure in figures] == [2, 1, 1]  # with the axes of the colour bar
    assert [figure.axes[0].get_xlabel() for figure in figures] == ["", "no evidence of a difference", ""]
    assert texts(figures[1].axes[0]) == texts(figures[0].axes[0])


def test_learning_curves_have_a_panel_for_each_place_and_one_legend(tmp_path: Path, figures: list[Any]) -> None:
    learning_curves(size_results(), tmp_path / "curves.png")

    first, second = figures[0].axes
    assert [axes.get_title(loc="left") for axes in (first, second)] == ["ncbi-disease", "linnaeus"]
    assert [[round(float(value), 6) for value in line.get_ydata()] for line in first.get_lines()] == [
        *([55, 68, 76], [61, 70, 76.5]),
    ]
    assert first.get_xscale() == "log"
    assert [label.get_text() for label in first.get_xticklabels()] == ["200", "800", "3200"]
    assert [text.get_text() for text in figures[0].legends[0].get_texts()] == ["none", "welt"]
    assert figures[0].legends[0].get_title().get_text() == "bands: one standard deviation over seeds"
    assert size_of(tmp_path / "curves.png") == (1032, 492)  # two panels of 4.3 x 3.2 inches and 0.9 above


def test_long_names_are_cut_and_dollar_signs_are_text(tmp_path: Path, figures: list[Any]) -> None:
    results = example_results()
    name = r"$\broken{ " + "and long " * 30
    cells = tuple(replace(cell, place={"corpus": name, "encoder": cell.place["encoder"]}) for cell in results.cells[:8])
    comparisons = tuple(replace(one, place={"corpus": name}) for one in results.comparisons[:3])

    hostile = replace(results, name=name, cells=cells, comparisons=comparisons, metric=name)
    forest_plot(hostile, tmp_path / "forest.png")
    heat_map(hostile, tmp_path / "heat.png")

    assert all(len(label.get_text()) <= 34 for label in figures[0].axes[0].get_yticklabels())
    assert size_of(tmp_path / "forest.png")[0] == 1200


def test_plots_without_data_have_a_message(tmp_path: Path, figures: list[Any]) -> None:
    forest_plot(empty_results(), tmp_path / "forest.png")
    heat_map(empty_results(), tmp_path / "heat.png")
    learning_curves(example_results(), tmp_path / "curves.png")

    messages = [texts(figure.axes[0])[0] for figure in figures]
    assert messages == ["nothing to compare yet", "nothing recorded", "no axis of training sizes"]


def test_the_module_starts_without_matplotlib() -> None:
    program = "import sys, linnet.comparison.plots, linnet.comparison.tables, linnet.comparison.page\n"

    subprocess.run([sys.executable, "-c", f"{program}assert 'matplotlib' not in sys.modules"], check=True)
