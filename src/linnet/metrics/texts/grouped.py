"""Metrics with documents as units: the examples of a document resemble each other, so they are drawn together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from linnet.metrics.mentions.tally import Array
from linnet.metrics.texts.resampled import Metric, SumMetric

__all__ = ["DOCUMENTS", "EXAMPLES", "over_documents", "sizes_of_documents"]

EXAMPLES, DOCUMENTS = "examples", "documents"

Groups = npt.NDArray[np.int64]  # the number of each example's document


@dataclass(frozen=True, eq=False)
class GroupedMetric:
    """A metric of examples as a metric of their documents; the weight of a document is that of its examples."""

    metric: Metric
    groups: Groups
    unit: str = DOCUMENTS

    @property
    def name(self) -> str:
        """The key in JSON."""
        return self.metric.name

    @property
    def title(self) -> str:
        """The name in reports."""
        return self.metric.title

    @property
    def n_units(self) -> int:
        """The number of documents."""
        return int(self.groups.max(initial=-1)) + 1

    @property
    def higher_is_better(self) -> bool:
        """Is a higher score better?"""
        return self.metric.higher_is_better

    def __call__(self, weights: Array) -> Array:
        """Return the scores of weighted documents: (resamples, documents) to (resamples,)."""
        return self.metric(weights[:, self.groups])


def over_documents(metrics: Sequence[Metric], documents: Sequence[str]) -> list[Metric]:
    """Return the metrics, those of examples with documents as units; as they are if every document has one example.

    Args:
        metrics: of the examples, or of other units.
        documents: the name of the document of each example that is scored.
    """
    names, groups = np.unique(np.array(documents, dtype=str), return_inverse=True)
    if len(names) in (1, len(documents)):  # a single document cannot be drawn
        return list(metrics)
    return [
        _by_document(metric, groups, len(names))
        if metric.unit == EXAMPLES and metric.n_units == len(documents)
        else metric
        for metric in metrics
    ]


def sizes_of_documents(metric: Metric, documents: Sequence[str]) -> list[int] | None:
    """Return the number of examples of each document, None if the units of the metric are others."""
    if metric.unit != DOCUMENTS:
        return None
    sizes = np.unique(np.array(documents, dtype=str), return_counts=True)[1].tolist()
    return sizes if len(sizes) == metric.n_units else None


def _by_document(metric: Metric, groups: Groups, n_documents: int) -> Metric:
    if not isinstance(metric, SumMetric):
        return GroupedMetric(metric, groups)
    parts = np.zeros((n_documents, metric.parts.shape[1]))
    np.add.at(parts, groups, metric.parts)
    return replace(metric, unit=DOCUMENTS, parts=parts)
