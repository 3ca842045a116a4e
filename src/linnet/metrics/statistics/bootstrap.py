"""Bootstrap resamples of units, and confidence intervals of F1 from them.

Units are drawn with replacement, as many as there are, and scored again (Efron & Tibshirani 1993, chapter 13). How
often each unit is drawn is multinomial, so the counts of a resample are weights times counts. Units with equal counts
are drawn together, which has the same distribution and makes the result independent of the order of the units.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from linnet.errors import BadSetting
from linnet.metrics.mentions.tally import Array, Counts, f1_of
from linnet.metrics.statistics.intervals import Interval, share_interval

__all__ = [
    "check_same_units",
    "distinct_rows",
    "f1_intervals",
    "percentile_interval",
    "resampled_totals",
    "unit_weights",
    "weight_chunks",
]

TOLERANCE = 1e-12  # smaller differences of scores are rounding errors
MOST_WEIGHTS = 3_000_000  # in memory at once: about 50 MB as integers and floats


def resampled_totals(rows: Array, *, n_resamples: int, seed: int) -> Array:
    """Return the column sums of each resample: (units, columns) to (n_resamples, columns)."""
    totals = np.zeros((n_resamples, rows.shape[1]))
    if not rows.size:
        return totals
    distinct, copies = distinct_rows(rows)
    generator = np.random.default_rng(seed)
    step = max(1, MOST_WEIGHTS // len(distinct))
    for start in range(0, n_resamples, step):
        size = min(step, n_resamples - start)
        weights = generator.multinomial(len(rows), copies / len(rows), size=size)
        totals[start : start + size] = weights @ distinct
    return totals


def unit_weights(n_units: int, *, n_resamples: int, seed: int) -> Array:
    """Return how often each unit is drawn in each resample: (n_resamples, n_units), every row sums to n_units.

    The same arguments give the same draws, whatever is scored. 1,000 resamples of 10,000 units take 80 MB, and twice
    that while they are drawn; `resampled_scores` draws some at a time and needs about 100 MB in any case.
    """
    return np.concatenate(list(weight_chunks(n_units, n_resamples=n_resamples, seed=seed)))


def weight_chunks(n_units: int, *, n_resamples: int, seed: int) -> Iterator[Array]:
    """Yield the rows of `unit_weights` some at a time; how many depends on the number of units only."""
    if n_units < 1 or n_resamples < 2:
        found = f"{n_resamples:,} resamples of {n_units:,} units were requested"
        raise BadSetting(found, "a variance needs at least 1 unit and 2 resamples, and better 1,000")
    generator = np.random.default_rng(seed)
    step = max(1, MOST_WEIGHTS // n_units)
    for start in range(0, n_resamples, step):
        size = min(step, n_resamples - start)
        drawn = generator.integers(n_units, size=(size, n_units))
        drawn += n_units * np.arange(size)[:, np.newaxis]  # each resample counts in a range of its own
        yield np.bincount(drawn.ravel(), minlength=size * n_units).reshape(size, n_units).astype(np.float64)


def distinct_rows(rows: Array) -> tuple[Array, npt.NDArray[np.int64]]:
    """Return the distinct rows in a fixed order, and how often each occurs (`numpy.unique` is slower)."""
    copies = Counter(row.tobytes() for row in rows)
    different = sorted(copies)
    distinct = np.frombuffer(b"".join(different), dtype=rows.dtype).reshape(len(different), rows.shape[1])
    return distinct, np.array([copies[row] for row in different], dtype=np.int64)


def percentile_interval(values: Array, confidence: float) -> Array:
    """Return the lower and upper end of the percentile interval over the first axis: (n, ...) to (2, ...)."""
    if not 0 < confidence < 1:
        raise BadSetting(f"confidence is {confidence}", "give a share between 0 and 1, e.g. 0.95")
    ends: Array = np.quantile(values, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    return ends


def f1_intervals(
    counts: Counts, *, n_resamples: int, seed: int, confidence: float
) -> tuple[Interval | None, Interval | None, dict[str, Interval | None]]:
    """Return lower and upper F1 for micro, macro and each label; None where too few units have a mention.

    Without a gold mention F1 is 0 whatever is predicted, which says nothing about text that has some: None as well.
    Every resample is scored like the sample: the macro mean is over the labels that occur in the resample. Resamples
    without a mention (of the label) have no F1 and are left out. The method is that of `metrics.statistics.intervals`.
    """
    n_units, n_labels, n_columns = counts.values.shape
    rows = counts.values.reshape(n_units, n_labels * n_columns)
    totals = resampled_totals(rows, n_resamples=n_resamples, seed=seed).reshape(n_resamples, n_labels, n_columns)
    sample = counts.values.sum(axis=0)
    scored = [_score_labels(counts, values) for values in (totals, sample - counts.values, sample[np.newaxis])]
    n_marks = _count_marks(counts, counts.values)
    n_gold = sample[:, counts.columns.index("gold")]
    intervals: list[Interval | None] = []
    for column in range(n_labels + 2):  # micro, macro, labels
        if not (n_gold[column - 2] if column > 1 else n_gold.sum()):
            intervals.append(None)
            continue
        own = n_marks[:, column - 2] if column > 1 else n_marks.sum(axis=1)
        resampled, left_out, (value,) = (scores[:, column] for scores in scored)
        intervals.append(
            share_interval(
                float(value),
                resampled[~np.isnan(resampled)],
                left_out[(own > 0) & ~np.isnan(left_out)],
                n_units=int((own > 0).sum()),
                most_trials=float(own.sum()),
                confidence=confidence,
            )
        )
    micro, macro, *labels = intervals
    return micro, macro, dict(zip(counts.labels, labels, strict=True))


def _score_labels(counts: Counts, totals: Array) -> Array:
    """Return F1 of sums of counts, nan where there is no mention: (n, labels, columns) to (n, 2 + labels)."""
    parts = totals @ counts.reading.weights
    occurs = _count_marks(counts, totals) > 0
    by_label = f1_of(parts)
    n_occurring = occurs.sum(axis=1)
    scores = np.column_stack([f1_of(parts.sum(axis=1)), by_label.sum(axis=1) / np.maximum(n_occurring, 1), by_label])
    scores[:, :2][n_occurring == 0] = np.nan
    scores[:, 2:][~occurs] = np.nan
    return scores


def _count_marks(counts: Counts, values: Array) -> Array:
    """Return the number of gold and predicted mentions: (n, labels, columns) to (n, labels)."""
    marks: Array = values[:, :, [counts.columns.index(name) for name in ("gold", "predicted")]].sum(axis=2)
    return marks


def check_same_units(counts: Sequence[Counts]) -> None:
    """Refuse counts of systems that were not scored by one matching on the same units."""
    if not counts:
        raise BadSetting("there are no systems to score", "give the counts of at least one")
    first = counts[0]
    for number, other in enumerate(counts[1:], start=2):
        if other.reading != first.reading:
            problem = "by different matchings"
        elif other.n_units != first.n_units:
            problem = f"on {first.n_units:,} and {other.n_units:,} units"
        else:
            differing = np.flatnonzero(first.column("gold").sum(axis=1) != other.column("gold").sum(axis=1))
            if not differing.size:
                continue
            problem = f"against different gold marks, first in unit {differing[0]} (counted from 0)"
        remedy = "score all by the same matching against the same file, units in the same order"
        raise BadSetting(f"systems 1 and {number} were scored {problem}", remedy)
