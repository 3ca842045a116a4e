"""The report's section about confidence, with its plot."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from linnet.metrics.mentions.calibration import LEAST_MENTIONS
from linnet.reports.reliability import PLOT, plot_reliability, reliability_section
from linnet.tasks.ner.confidence.calibrating import reliability_of
from linnet.tasks.ner.evaluation import Evaluation

__all__ = ["write_confidence"]


def write_confidence(output: Path, evaluation: Evaluation, how: Mapping[str, Any], *, title: str) -> list[str]:
    """Return the section about confidence, and draw its plot where there are enough mentions.

    Args:
        output: folder of the run.
        evaluation: with calibrated scores.
        how: they were calibrated, for `metrics.json`.
        title: of the plot.
    """
    found = {**reliability_of(evaluation.examples.gold, evaluation.predicted).as_dict(), **how}
    has_plot = found["mentions"] >= LEAST_MENTIONS
    if has_plot:
        plot_reliability(found, output / PLOT, title=title)
    return list(reliability_section(found, has_plot=has_plot))
