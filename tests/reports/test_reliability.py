"""The section and the plot about confidence."""

from pathlib import Path
from typing import Any

from linnet.reports.reliability import plot_reliability, reliability_section

FOUND: dict[str, Any] = {
    "ece": 0.0123, "mentions": 1200, "method": "logistic", "fitted_on": 900,
    "bins": [{"low": 0.8, "high": 0.9, "mentions": 1200, "confidence": 0.853, "right": 0.84}],
}  # fmt: skip


def test_it_says_error_method_and_bins() -> None:
    text = "\n".join(reliability_section(FOUND, has_plot=True))

    assert "On average, confidence is 1.2 points off (expected calibration error), on 1,200 predicted mentions" in text
    assert "calibrated by a logistic curve on 900 mentions of devel" in text
    assert "![reliability](reliability.png)" in text
    assert "| 0.8-0.9 | 1,200 | 0.853 | 0.840 |" in text


def test_scores_that_are_not_calibrated_say_why() -> None:
    text = "\n".join(reliability_section({**FOUND, "method": "none", "reason": "no devel"}, has_plot=False))

    assert "scores are not calibrated: no devel." in text
    assert "reliability.png" not in text
    assert not list(reliability_section({"mentions": 0}, has_plot=False))


def test_the_plot_is_written(tmp_path: Path) -> None:
    plot_reliability(FOUND, tmp_path / "reliability.png", title="test")

    assert (tmp_path / "reliability.png").read_bytes().startswith(b"\x89PNG")
