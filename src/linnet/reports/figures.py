"""Figures for all plots: their style, and writing them as PNG, PDF and SVG files.

Matplotlib is imported by the functions that draw, and only as a library: without a window and without global state.
"""

import io
from pathlib import Path
from typing import TYPE_CHECKING

from linnet.storage.files import new_binary_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["COLOURS", "new_figure", "save", "style_axes", "write_message"]

COLOURS = ("#0072b2", "#c75000", "#00805c", "#b04f87", "#96690a", "#5d5fc4", "#6b6f76")  # as on the pages
DOTS_PER_INCH = 120
WITHOUT_TIME: dict[str, dict[str, None]] = {  # entries that would differ from one writing to the next
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "svg": {"Date": None, "Creator": None},
}


def new_figure(width: float, height: float) -> "Figure":
    """Return an empty figure without a window; width and height are in inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=DOTS_PER_INCH, layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def style_axes(axes: "Axes", title: str, x_label: str, y_label: str) -> None:
    """Give axes the common style, a title and labels."""
    axes.set_title(title, loc="left", fontsize=10, fontweight="bold")
    axes.set_xlabel(x_label, fontsize=9)
    axes.set_ylabel(y_label, fontsize=9)
    axes.tick_params(labelsize=8)
    axes.grid(color="#e3e7ea", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def write_message(axes: "Axes", text: str) -> None:
    """Write a text in the middle of axes without data."""
    axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", va="center", color="#57606a")


def save(figure: "Figure", path: Path, *, is_for_print: bool = False) -> None:
    """Write the figure as a PNG file; for print also as PDF and SVG beside it, whose lines and letters stay sharp."""
    from matplotlib import rc_context

    with rc_context({"svg.hashsalt": path.stem}):  # the same figure makes the same file
        for form in ("png", "pdf", "svg") if is_for_print else ("png",):
            image = io.BytesIO()
            figure.savefig(image, format=form, metadata=WITHOUT_TIME[form])
            with new_binary_file(path.with_suffix(f".{form}")) as file:
                file.write(image.getvalue())
