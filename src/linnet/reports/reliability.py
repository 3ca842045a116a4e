"""Section and plot of a report about confidence: reliability by bins and the expected calibration error."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from linnet.documents.counted import counted
from linnet.reports.figures import COLOURS, new_figure, save, style_axes
from linnet.reports.markdown import markdown_table, percent

__all__ = [
    "PLOT",
    "THRESHOLD_COLUMNS",
    "describe_confidence",
    "plot_reliability",
    "reliability_section",
    "threshold_rows",
    "threshold_section",
]

PLOT = "reliability.png"
CURVES = {"logistic": "a logistic curve", "isotonic": "isotonic regression"}  # by the method of the calibration
THRESHOLD_COLUMNS = ("least confidence", "precision", "recall", "F1", "mentions")


def describe_confidence(found: Mapping[str, Any]) -> str:
    """Return whether and how scores were calibrated, as the end of a sentence; `found` has `method` and `fitted_on`."""
    method = found.get("method", "none")
    how = "not calibrated"
    if method != "none":
        how = f"calibrated by {CURVES.get(method, method)} on {counted(found['fitted_on'], 'mention')} of devel"
    return f"{how}: {found['reason']}" if found.get("reason") else how


def reliability_section(found: Mapping[str, Any], *, has_plot: bool) -> Iterator[str]:
    """Yield the section.

    Args:
        found: `calibration` of `metrics.json`.
        has_plot: is the plot beside the report?
    """
    if not found.get("mentions"):
        return
    yield "## Confidence"
    yield (
        f"On average, confidence is {100 * found['ece']:.1f} points off (expected calibration error), on "
        f"{found['mentions']:,} predicted mentions; scores are {describe_confidence(found)}. A mention is right by "
        "strict matching."
    )
    if has_plot:
        yield f"![reliability]({PLOT})"
    rows = [
        (f"{each['low']:.1f}-{each['high']:.1f}", f"{each['mentions']:,}", f"{each['confidence']:.3f}",
         f"{each['right']:.3f}")
        for each in found["bins"]
    ]  # fmt: skip
    yield markdown_table(("confidence", "mentions", "mean confidence", "share right"), rows)


def threshold_rows(found: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """Return the rows of `THRESHOLD_COLUMNS`, in percent.

    Args:
        found: `thresholds` of `metrics.json`.
    """
    return [
        (
            f"{each['min_score']:g}",
            "" if each["precision"] is None else percent(each["precision"]),
            percent(each["recall"]),
            percent(each["f1"]),
            f"{each['mentions']:,}",
        )
        for each in found
    ]


def threshold_section(found: Sequence[Mapping[str, Any]], *, split: str) -> Iterator[str]:
    """Yield the section about what a threshold on confidence costs and gains; nothing where nothing was predicted."""
    if found and found[0]["mentions"]:
        yield f"## Thresholds on confidence, {split}"
        yield "What `--min-score` leaves of the mentions, by strict matching. Choose here, not on test."
        yield markdown_table(THRESHOLD_COLUMNS, threshold_rows(found))


def plot_reliability(found: Mapping[str, Any], path: Path, *, title: str) -> None:
    """Draw the share of right mentions against their confidence; a calibrated model follows the diagonal."""
    figure = new_figure(4.5, 4.0)
    axes = figure.subplots()
    style_axes(axes, title, "confidence", "share of right mentions")
    axes.plot([0, 1], [0, 1], color="#9aa0a6", linewidth=1, linestyle="--")
    bins = found["bins"]
    most = max(each["mentions"] for each in bins)
    sizes = [20 + 160 * each["mentions"] / most for each in bins]
    axes.plot([each["confidence"] for each in bins], [each["right"] for each in bins], color=COLOURS[0], linewidth=1)
    axes.scatter([each["confidence"] for each in bins], [each["right"] for each in bins], s=sizes, color=COLOURS[0])
    axes.set_xlim(0, 1.02)
    axes.set_ylim(0, 1.02)
    save(figure, path)
