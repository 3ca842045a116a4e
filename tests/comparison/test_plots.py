"""Plots of a grid: forest plot, heat map and learning curves show its numbers."""

import struct
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from linnet.comparison.plots import forest_plot, heat_map, learning_curves
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


def test_forest_plot_has_a_row_for_each_comparison_under_its_place_and_all_places_last(
    tmp_path: Path, figures: list[Any]
) -> None:
    forest_plot(example_results(), tmp_path / "forest.png")

    axes = figures[0].axes[0]
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels[:5] == ["ncbi-disease, minilm", "welt", "ens 0.9", "isns", "ncbi-disease, biobert"]
    assert labels[-4:] == ["all places", "welt", "ens 0.9", "isns"]
    assert texts(axes)[0] == "+2.00  [+0.80, +3.20]  p 0.004"
    assert len(texts(axes)) == 14
    # 14 comparisons and 5 headings of 0.27 inches, and 1.3 around them, 120 dots each
    assert size_of(tmp_path / "forest.png") == (1200, int(120 * (1.3 + 0.27 * 19)))


def test_forest_plot_draws_differences_and_intervals_in_points(tmp_path: Path, figures: list[Any]) -> None:
    forest_plot(example_results(), tmp_path / "forest.png")

    lines = [[(round(float(x), 6), float(y)) for x, y in line.get_xydata()] for line in figures[0].axes[0].get_lines()]
    assert lines[0] == [(0.8, 1), (3.2, 1)]
    assert lines[1] == [(2.0, 1)]
    assert [line[0][0] for line in lines[-1:]] == [0]  # the line of no difference


def test_heat_map_has_the_means_and_is_centred_on_no_difference(tmp_path: Path, figures: list[Any]) -> None:
    heat_map(example_results(), tmp_path / "heat.png")

    axes = figures[0].axes[0]
    picture = axes.get_images()[0]
    assert texts(axes)[:5] == ["80.30", "82.30", "80.30", "79.40", "86.20"]
    assert texts(axes)[-1] == "missing"
    assert picture.norm.vmin == -picture.norm.vmax
    assert [round(float(value), 6) for value in picture.get_array()[0]] == [0, 2, 0, -0.9]
    width, height = size_of(tmp_path / "heat.png")
    assert width > 800
    assert height > 400


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
