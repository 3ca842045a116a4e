"""What must be known of a model about texts to report on it, and how are its figures and answers written?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from linnet.documents.texts import Plain
from linnet.reports.card_sections import Facts
from linnet.reports.markdown import percent

__all__ = ["Figures", "TextFacts", "figure_text", "interval_text", "plain_text", "score_text"]

Figures = Mapping[str, Mapping[str, Any]]  # by name: value, low, high, n and unit, which have different types


@dataclass(frozen=True, kw_only=True)
class TextFacts(Facts):
    """What the report and the card of a model about texts tell."""

    task: str
    task_description: str
    kind: str  # what the network says of a text: classes, labels, number or spans
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
        """Are its scores shares, to be shown in per cent? Correlations and errors of numbers are not."""
        return self.kind != "number"

    def title(self, name: str) -> str:
        """Return what people call a score."""
        return self.titles.get(name, name.replace("_", " "))


def figure_text(figure: Mapping[str, Any], kind: str) -> str:
    """Return the value of a figure: shares in per cent, what is said of numbers as it is."""
    return score_text(figure.get("value"), kind)


def interval_text(figure: Mapping[str, Any], kind: str) -> str:
    """Return the interval of a figure, nothing where it has none."""
    low, high = figure.get("low"), figure.get("high")
    if low is None or high is None:
        return ""
    apart = " to " if low < 0 else "-"
    return f"{score_text(low, kind)}{apart}{score_text(high, kind)}"


def score_text(value: float | None, kind: str) -> str:
    """Return a score in per cent, or with four digits where it is about numbers."""
    if value is None:
        return ""
    return f"{value:.4f}" if kind == "number" else percent(value)


def plain_text(value: Plain | None) -> str:
    """Return an answer in one line: labels by commas, answers by semicolons and their synonyms by bars.

    >>> plain_text((("NGF", "nerve growth factor"), ("BDNF",)))
    'NGF | nerve growth factor; BDNF'
    """
    if value is None:
        return ""
    if isinstance(value, tuple):
        if any(isinstance(each, tuple) for each in value):
            return "; ".join(" | ".join(each) for each in value)
        return ", ".join(str(each) for each in value)
    return value if isinstance(value, str) else f"{value:.4g}"
