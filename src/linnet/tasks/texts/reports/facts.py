"""Facts about a model about texts that its reports need, and how its scores are written."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from linnet.reports.card_sections import Facts
from linnet.reports.markdown import percent
from linnet.tasks.texts.kinds import Kind

__all__ = ["Figures", "TextFacts", "figure_text", "interval_text", "score_text"]

Figures = Mapping[str, Mapping[str, Any]]  # by name: value, low, high, n and unit, which have different types


@dataclass(frozen=True, kw_only=True)
class TextFacts(Facts):
    """What the report and the card of a model about texts need to know."""

    task: str
    task_description: str
    needs_pairs: bool  # is every example two texts?
    kind: Kind  # what the network predicts
    pooling: str
    windows: str  # how those of a long text are joined: mean or max
    method: str  # cross or bi
    labels: tuple[str, ...]
    counts: Mapping[str, int]  # of each label in training, where there are labels
    metric: str  # name of the main score
    titles: Mapping[str, str]  # of scores, by name
    figures_by_split: Mapping[str, Figures]
    labels_by_split: Mapping[str, Mapping[str, Mapping[str, float | int]]]  # precision, recall, f1 and counts
    thresholds: Mapping[str, float]  # of each label, for `labels`

    @property
    def has_shares(self) -> bool:
        """Are its scores shares, to be shown in percent? Correlations and errors of numbers are not."""
        return self.kind.has_percentages

    def title(self, name: str) -> str:
        """Return what people call a score."""
        return self.titles.get(name, name.replace("_", " "))


def figure_text(figure: Mapping[str, Any], kind: Kind) -> str:
    """Return the value of a figure: shares in percent, scores of regression as they are."""
    return score_text(figure.get("value"), kind)


def interval_text(figure: Mapping[str, Any], kind: Kind) -> str:
    """Return the interval of a figure, nothing where it has none."""
    low, high = figure.get("low"), figure.get("high")
    if low is None or high is None:
        return ""
    apart = " to " if low < 0 else "-"
    return f"{score_text(low, kind)}{apart}{score_text(high, kind)}"


def score_text(value: float | None, kind: Kind) -> str:
    """Return a score in percent, or with four digits where it is about numbers."""
    if value is None:
        return ""
    return percent(value) if kind.has_percentages else f"{value:.4f}"
