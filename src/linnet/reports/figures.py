"""What do all our pictures look like, and how are they written?

Matplotlib is imported by the functions that draw, and only as a library: no window, no state that others see.
"""

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from linnet.errors import BadFile

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["COLOURS", "dress", "new_figure", "save", "say"]

COLOURS = ("#0072b2", "#c75000", "#00805c", "#b04f87", "#96690a", "#5d5fc4", "#6b6f76")  # as on the error page
DOTS_PER_INCH = 120


def new_figure(width: float, height: float) -> "Figure":
    """Return an empty picture that belongs to no window."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=DOTS_PER_INCH, layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def dress(axes: "Axes", title: str, across: str, up: str) -> None:
    """Give axes our look, a title and what stands on each."""
    axes.set_title(title, loc="left", fontsize=10, fontweight="bold")
    axes.set_xlabel(across, fontsize=9)
    axes.set_ylabel(up, fontsize=9)
    axes.tick_params(labelsize=8)
    axes.grid(color="#e3e7ea", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def say(axes: "Axes", what: str) -> None:
    """Write a word where there is nothing to draw."""
    axes.text(0.5, 0.5, what, transform=axes.transAxes, ha="center", va="center", color="#57606a")


def save(figure: "Figure", path: Path) -> None:
    """Write the picture under a temporary name first, so that there is never half of one."""
    picture = io.BytesIO()
    figure.savefig(picture, format="png", metadata={"Software": None})
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(picture.getvalue())
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise BadFile(
            f"{path}: cannot be written ({error.strerror or error})",
            "check the folder's permissions and the space left",
        ) from None
