"""How good is a prediction, by any score of weighted units, and how sure is the figure?

A metric maps weights of its units (examples, documents or questions) to scores. Weights of one give the score itself;
weights that say how often each unit was drawn give the score of a resample, without scoring anything again. That is
all that a bootstrap interval or a paired comparison needs to know of a metric.

No metric returns nan. Where nothing can be computed (0/0: no positive label, no units, a correlation with values that
are all equal), the score is 0.0, in the sample and in every resample alike.
"""

from collections.abc import Callable, Iterable, Sequence, Sized
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from linnet.errors import BadSetting
from linnet.metrics.mentions.tally import Array
from linnet.metrics.statistics.bootstrap import percentile_interval
from linnet.metrics.statistics.hierarchical import weight_chunks

__all__ = [
    "Figure",
    "Metric",
    "SumMetric",
    "all_weights",
    "check_lengths",
    "evaluate_metrics",
    "mean_metric",
    "plain_value",
    "ratio",
]

CONFIDENCE = 0.95


class Metric(Protocol):
    """A score of weighted units."""

    @property
    def name(self) -> str:
        """The key in JSON, e.g. `micro_f1`."""
        ...

    @property
    def title(self) -> str:
        """What people read, e.g. `micro F1`."""
        ...

    @property
    def unit(self) -> str:
        """What is weighted and drawn: `examples`, `documents` or `questions`."""
        ...

    @property
    def n_units(self) -> int:
        """How many units there are."""
        ...

    @property
    def higher_is_better(self) -> bool:
        """Is a higher score a better one?"""
        ...

    def __call__(self, weights: Array) -> Array:
        """Return the scores of weighted units: (resamples, units) to (resamples,). Never nan: 0.0 where undefined."""
        ...


@dataclass(frozen=True, eq=False)
class SumMetric:
    """A metric that is read off sums over units.

    `parts`: (units, k), what each unit adds; `value`: from sums (..., k) to scores (...).
    """

    name: str
    title: str
    unit: str
    parts: Array
    value: Callable[[Array], Array]
    higher_is_better: bool = True

    @property
    def n_units(self) -> int:
        """How many units there are."""
        return len(self.parts)

    def __call__(self, weights: Array) -> Array:
        """Return the scores of weighted units: (resamples, units) to (resamples,)."""
        return self.value(weights @ self.parts)


@dataclass(frozen=True, slots=True)
class Figure:
    """A score, the 95 % interval around it where one was asked for, and the number of units it was computed from."""

    value: float
    low: float | None
    high: float | None
    n: int


def evaluate_metrics(metrics: Iterable[Metric], *, n_resamples: int = 1000, seed: int = 0) -> dict[str, Figure]:
    """Return each metric's score and its percentile bootstrap interval, by name.

    Units are drawn with replacement, as many as there are. Metrics of equally many units see the same draws, those of
    `metrics.statistics.hierarchical.unit_weights`. No score is nan: where one is undefined it is 0.0, in resamples too.

    Args:
        metrics: what to compute; no two of the same name.
        n_resamples: how often the bootstrap draws; 0 gives no intervals. No units give none either.
        seed: what its random generator starts from.

    >>> from linnet.metrics.texts.classification import classification_metrics
    >>> evaluate_metrics(classification_metrics(["yes", "no"], ["yes", "yes"]), n_resamples=0)["accuracy"]
    Figure(value=0.5, low=None, high=None, n=2)
    """
    listed = list(metrics)
    twice = sorted({metric.name for metric in listed if sum(other.name == metric.name for other in listed) > 1})
    if twice:
        raise BadSetting(f"several metrics are called {', '.join(twice)}", "give each metric a name of its own")
    if n_resamples < 0 or n_resamples == 1:
        raise BadSetting(f"n_resamples is {n_resamples}", "give 0 for no intervals, or e.g. 1000")
    intervals = _intervals(listed, n_resamples, seed) if n_resamples else {}
    found: dict[str, Figure] = {}
    for metric in listed:
        low, high = intervals.get(metric.name, (None, None))
        found[metric.name] = Figure(plain_value(metric), low, high, metric.n_units)
    return found


def plain_value(metric: Metric) -> float:
    """Return the score of the units as they are, each counted once."""
    return float(metric(all_weights(metric.n_units))[0])


def all_weights(n_units: int) -> Array:
    """Return weights that count each unit once: (1, n_units)."""
    return np.ones((1, n_units))


def mean_metric(
    name: str, title: str, unit: str, values: Sequence[float] | Array, *, higher_is_better: bool = True
) -> SumMetric:
    """Return the metric that is the mean of one number per unit, 0.0 where there are no units."""
    numbers = np.asarray(values, dtype=np.float64)
    parts = np.stack([numbers, np.ones_like(numbers)], axis=1)
    return SumMetric(name, title, unit, parts, _mean_of, higher_is_better)


def ratio(above: Array, below: Array) -> Array:
    """Return above / below, and 0.0 where below is 0."""
    quotient: Array = np.divide(above, below, out=np.zeros(np.shape(below)), where=below != 0)
    return quotient


def check_lengths(**columns: Sized) -> None:
    """Refuse columns of different lengths, which cannot belong to the same units."""
    if len({len(column) for column in columns.values()}) > 1:
        found = ", ".join(f"{len(column):,} {name}" for name, column in columns.items())
        raise BadSetting(f"there are {found}", "give one of each for every unit, in the same order")


def _intervals(metrics: Sequence[Metric], n_resamples: int, seed: int) -> dict[str, tuple[float, float]]:
    """Return lower and upper end by name, for metrics that have units."""
    by_size: dict[int, list[Metric]] = {}
    for metric in metrics:
        by_size.setdefault(metric.n_units, []).append(metric)
    by_size.pop(0, None)
    intervals: dict[str, tuple[float, float]] = {}
    for n_units, alike in by_size.items():
        chunks = weight_chunks(n_units, n_resamples=n_resamples, seed=seed)
        scores = np.concatenate([np.stack([metric(weights) for metric in alike], axis=1) for weights in chunks])
        lows, highs = percentile_interval(scores, CONFIDENCE).tolist()
        intervals |= {metric.name: (low, high) for metric, low, high in zip(alike, lows, highs, strict=True)}
    return intervals


def _mean_of(sums: Array) -> Array:
    return ratio(sums[..., 0], sums[..., 1])
