"""Metrics as functions of unit weights, and their bootstrap confidence intervals.

A metric maps weights of its units (examples, documents or questions) to scores. Weights of one give the score itself;
the number of times that each unit was drawn gives the score of a resample, without scoring the units again. That is
all that a bootstrap interval or a paired comparison needs.

No metric returns nan. If a score is undefined (0/0: no positive label, no units, a correlation with a constant), it is
0.0, in the sample and in every resample.
"""

from collections.abc import Callable, Iterable, Sequence, Sized
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from linnet.errors import BadSetting
from linnet.metrics.mentions.tally import Array
from linnet.metrics.statistics.bootstrap import percentile_interval, weight_chunks
from linnet.metrics.statistics.intervals import FEWEST_UNITS, Interval, share_interval

__all__ = [
    "Figure",
    "Metric",
    "SumMetric",
    "all_weights",
    "check_lengths",
    "evaluate_metrics",
    "mean_metric",
    "paired_interval",
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
        """The name in reports, e.g. `micro F1`."""
        ...

    @property
    def unit(self) -> str:
        """The kind of units: `examples`, `documents` or `questions`."""
        ...

    @property
    def n_units(self) -> int:
        """The number of units."""
        ...

    @property
    def higher_is_better(self) -> bool:
        """Is a higher score better?"""
        ...

    def __call__(self, weights: Array) -> Array:
        """Return the scores of weighted units: (resamples, units) to (resamples,). Never nan: 0.0 if undefined."""
        ...


@dataclass(frozen=True, eq=False)
class SumMetric:
    """A metric that is computed from sums over units.

    `parts`: (units, k), the summands of each unit; `value`: from sums (..., k) to scores (...).
    """

    name: str
    title: str
    unit: str
    parts: Array
    value: Callable[[Array], Array]
    higher_is_better: bool = True

    @property
    def n_units(self) -> int:
        """The number of units."""
        return len(self.parts)

    def __call__(self, weights: Array) -> Array:
        """Return the scores of weighted units: (resamples, units) to (resamples,)."""
        return self.value(weights @ self.parts)


@dataclass(frozen=True, slots=True)
class Figure:
    """A score, its 95 % confidence interval if there is one, and the number of units of both."""

    value: float
    low: float | None
    high: float | None
    n: int  # that the score is computed from
    units: str = ""  # what the interval is over
    n_units: int = 0


def evaluate_metrics(
    metrics: Iterable[Metric], *, n_resamples: int = 1000, seed: int = 0, drawn: Sequence[Metric] | None = None
) -> dict[str, Figure]:
    """Return the score of each metric and its bootstrap interval, by name.

    Units are drawn with replacement, as many as there are. Metrics with the same number of units use the same draws,
    those of `metrics.statistics.bootstrap.unit_weights`. Intervals of shares are those of
    `metrics.statistics.intervals`, intervals of correlations and errors are percentile intervals. With fewer than five
    units that count for a score it has no interval.

    Args:
        metrics: the metrics to compute; no two with the same name.
        n_resamples: the number of bootstrap resamples; 0 gives no intervals. Metrics without units have none either.
        seed: of the random generator.
        drawn: the same metrics with the units that are drawn (`metrics.texts.grouped`), if they are others.

    >>> from linnet.metrics.texts.classification import classification_metrics
    >>> evaluate_metrics(classification_metrics(["yes", "no"], ["yes", "yes"]), n_resamples=0)["accuracy"]
    Figure(value=0.5, low=None, high=None, n=2, units='examples', n_units=2)
    """
    listed = list(metrics)
    repeated = sorted({metric.name for metric in listed if sum(other.name == metric.name for other in listed) > 1})
    if repeated:
        raise BadSetting(f"several metrics are called {', '.join(repeated)}", "give each metric a name of its own")
    if n_resamples < 0 or n_resamples == 1:
        raise BadSetting(f"n_resamples is {n_resamples}", "give 0 for no intervals, or e.g. 1000")
    resampled = listed if drawn is None else list(drawn)
    intervals = _compute_intervals(resampled, n_resamples, seed) if n_resamples else {}
    figures: dict[str, Figure] = {}
    for metric, units in zip(listed, resampled, strict=True):
        low, high = intervals.get(metric.name) or (None, None)
        figures[metric.name] = Figure(
            value=plain_value(metric), low=low, high=high, n=metric.n_units, units=units.unit, n_units=units.n_units
        )
    return figures


def paired_interval(a: Metric, b: Metric, *, n_resamples: int = 10_000, seed: int = 0) -> tuple[float, float] | None:
    """Return the 95 % bootstrap interval of b's score minus a's, with the same draws for both.

    None if there are no units, or if the two have different numbers of them, so that they cannot be paired.
    """
    if a.n_units != b.n_units or not a.n_units:
        return None
    chunks = weight_chunks(a.n_units, n_resamples=n_resamples, seed=seed)
    low, high = percentile_interval(
        np.concatenate([b(weights) - a(weights) for weights in chunks]), CONFIDENCE
    ).tolist()
    return low, high


def plain_value(metric: Metric) -> float:
    """Return the score of the sample itself, each unit counted once."""
    return float(metric(all_weights(metric.n_units))[0])


def all_weights(n_units: int) -> Array:
    """Return weights that count each unit once: (1, n_units)."""
    return np.ones((1, n_units))


def mean_metric(
    name: str, title: str, unit: str, values: Sequence[float] | Array, *, higher_is_better: bool = True
) -> SumMetric:
    """Return the metric that is the mean of one number per unit, 0.0 if there are no units."""
    numbers = np.asarray(values, dtype=np.float64)
    parts = np.stack([numbers, np.ones_like(numbers)], axis=1)
    return SumMetric(name=name, title=title, unit=unit, parts=parts, value=_mean_of, higher_is_better=higher_is_better)


def ratio(above: Array, below: Array) -> Array:
    """Return above / below, and 0.0 if below is 0."""
    quotient: Array = np.divide(above, below, out=np.zeros(np.shape(below)), where=below != 0)
    return quotient


def check_lengths(**columns: Sized) -> None:
    """Refuse columns of different lengths."""
    if len({len(column) for column in columns.values()}) > 1:
        found = ", ".join(f"{len(column):,} {name}" for name, column in columns.items())
        raise BadSetting(f"there are {found}", "give one of each for every unit, in the same order")


def _compute_intervals(metrics: Sequence[Metric], n_resamples: int, seed: int) -> dict[str, Interval | None]:
    """Return the lower and upper end of each metric with units, by name; None for those with too few."""
    by_size: dict[int, list[Metric]] = {}
    for metric in metrics:
        by_size.setdefault(metric.n_units, []).append(metric)
    by_size.pop(0, None)
    intervals: dict[str, Interval | None] = {}
    for n_units, group in by_size.items():
        scores: list[list[Array]] = [[] for _ in group]
        for weights in weight_chunks(n_units, n_resamples=n_resamples, seed=seed):
            for metric, found in zip(group, scores, strict=True):
                defined = weights[weights @ _counting(metric) > 0]
                found.append(metric(defined))
        for metric, found in zip(group, scores, strict=True):
            intervals[metric.name] = _interval(metric, np.concatenate(found))
    return intervals


def _counting(metric: Metric) -> Array:
    """Return which units count for a score: in F1, those with something gold or predicted."""
    if not isinstance(metric, SumMetric):
        return np.ones(metric.n_units)
    counting: Array = (metric.parts != 0).any(axis=1).astype(np.float64)
    return counting


def _interval(metric: Metric, resampled: Array) -> Interval | None:
    """Return the interval of a score, None for fewer than five units that count for it."""
    counting = _counting(metric) > 0
    value = plain_value(metric)
    if isinstance(metric, SumMetric) and metric.higher_is_better and 0 <= value <= 1 and _are_shares(resampled):
        left_out = metric.value(metric.parts.sum(axis=0) - metric.parts[counting])
        return share_interval(value, resampled, left_out, n_units=int(counting.sum()), confidence=CONFIDENCE)
    if counting.sum() < FEWEST_UNITS:
        return None
    low, high = percentile_interval(resampled, CONFIDENCE).tolist()
    return low, high


def _are_shares(values: Array) -> bool:
    return bool(((values >= 0) & (values <= 1)).all())


def _mean_of(sums: Array) -> Array:
    return ratio(sums[..., 0], sums[..., 1])
