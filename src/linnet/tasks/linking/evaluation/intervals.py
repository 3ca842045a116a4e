"""Confidence intervals of the scores of linking over documents, by the method of `metrics.statistics.intervals`."""

import math
from collections.abc import Iterable

import numpy as np

from linnet.metrics.mentions.tally import Array
from linnet.metrics.statistics.bootstrap import weight_chunks
from linnet.metrics.statistics.intervals import Interval, share_interval
from linnet.metrics.texts.resampled import Figure, SumMetric, plain_value

__all__ = ["linking_figures"]

N_RECALL_PARTS, N_MEAN_PARTS = 3, 5  # columns of `protocols.count_document`: gold mentions, and means over documents


def linking_figures(metrics: Iterable[SumMetric], *, n_resamples: int = 1000, seed: int = 0) -> dict[str, Figure]:
    """Return the score of each protocol with its interval, by name.

    Documents are drawn with replacement, the same ones for all protocols. A score has no interval if fewer than five
    documents have something that it counts, or if there is nothing to find.

    Args:
        metrics: of `protocols.metric_of`, all of the same documents.
        n_resamples: the number of bootstrap resamples; 0 gives no intervals.
        seed: of the random generator.
    """
    listed = list(metrics)
    resampled: dict[str, list[Array]] = {metric.name: [] for metric in listed}
    n_units = listed[0].n_units if listed else 0
    for weights in weight_chunks(n_units, n_resamples=n_resamples, seed=seed) if n_units and n_resamples else ():
        for metric in listed:
            resampled[metric.name].append(metric(weights[weights @ _trials(metric) > 0]))
    figures: dict[str, Figure] = {}
    for metric in listed:
        value, drawn = plain_value(metric), resampled[metric.name]
        low, high = (_interval(metric, value, np.concatenate(drawn)) if drawn else None) or (None, None)
        figures[metric.name] = Figure(value=value, low=low, high=high, n=metric.n_units)
    return figures


def _interval(metric: SumMetric, value: float, resampled: Array) -> Interval | None:
    trials = _trials(metric)
    counting = trials > 0
    left_out = metric.value(metric.parts.sum(axis=0) - metric.parts[counting])
    # a mean over documents varies less than a share of right documents, so that their number is no limit
    most_trials = math.inf if metric.parts.shape[1] == N_MEAN_PARTS else float(trials.sum())
    return share_interval(value, resampled, left_out, n_units=int(counting.sum()), most_trials=most_trials)


def _trials(metric: SumMetric) -> Array:
    """Return what a score counts in each document: gold mentions, or predictions and gold, or the document itself."""
    parts = metric.parts
    if parts.shape[1] == N_RECALL_PARTS:
        trials: Array = parts[:, 2]
    elif parts.shape[1] == N_MEAN_PARTS:
        trials = parts[:, 1]
    else:
        trials = (parts[:, 1] + parts[:, 3]) * (parts[:, 3].sum() > 0)
    return trials
