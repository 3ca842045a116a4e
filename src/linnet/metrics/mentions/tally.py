"""Counts of mentions, and precision, recall and F1 derived from them.

Only counts are stored. Every matching counts some columns per unit and label; a `Reading` says how the columns add up
to the four numbers behind precision and recall. Because that is a weighted sum, the counts of units can be added,
weighted and resampled before scores are computed from them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
import numpy.typing as npt

from linnet.errors import BadSetting

__all__ = ["N_PARTS", "Array", "Counts", "Reading", "Tally", "f1_of"]

N_PARTS = 4  # of the scores: confirmed, correct, precision_base, recall_base

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of one label, or of all labels; every score is computed from them.

    `correct` is the number of gold mentions that were found, `confirmed` the number of predicted ones that were right.
    Over all labels the two are equal. For a single label they differ only under matchings that ignore labels: there a
    predicted B on a gold A is a found A (recall of A) and a confirmed B (precision of B), so that neither precision
    nor recall can exceed 1.

    `precision_base` and `recall_base` are the denominators: predicted and gold, except in fair evaluation. The other
    fields are counted by fair evaluation only: true and false positives, false negatives, label errors, boundary
    errors (predicted smaller, larger, overlapping) and errors of both.
    """

    gold: int = 0
    predicted: int = 0
    correct: float = 0.0
    confirmed: float = 0.0
    precision_base: float = 0.0
    recall_base: float = 0.0
    tp: int = 0
    fp: int = 0
    fn: int = 0
    le: int = 0
    bes: int = 0
    bel: int = 0
    beo: int = 0
    lbe: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(**{field.name: getattr(self, field.name) + getattr(other, field.name) for field in fields(self)})

    @property
    def be(self) -> int:
        """All boundary errors."""
        return self.bes + self.bel + self.beo

    @property
    def precision(self) -> float:
        """The share of predicted mentions that are right, 0 if nothing is predicted."""
        return self.confirmed / self.precision_base if self.precision_base else 0.0

    @property
    def recall(self) -> float:
        """The share of gold mentions that are found, 0 if there are none."""
        return self.correct / self.recall_base if self.recall_base else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both: 2 correct / (precision_base + recall_base) if confirmed = correct."""
        below = self.correct * self.precision_base + self.confirmed * self.recall_base
        return 2 * self.correct * self.confirmed / below if below else 0.0


@dataclass(frozen=True)
class Reading:
    """How columns of counts are read: each part of the scores as weights of columns, by name.

    `columns` must contain `gold` and `predicted`. `details` are further fields of a `Tally` that a report shows.
    """

    columns: tuple[str, ...]
    confirmed: Mapping[str, float]
    correct: Mapping[str, float]
    precision_base: Mapping[str, float]
    recall_base: Mapping[str, float]
    details: tuple[str, ...] = ()

    @cached_property
    def weights(self) -> Array:
        """The weights as a matrix: (columns, 4), in the order confirmed, correct, precision_base, recall_base."""
        parts = (self.confirmed, self.correct, self.precision_base, self.recall_base)
        return np.array([[part.get(column, 0.0) for part in parts] for column in self.columns], dtype=np.float64)

    def tally(self, row: Sequence[float] | Array) -> Tally:
        """Return one row of counts as a tally."""
        values = np.asarray(row, dtype=np.float64)
        confirmed, correct, precision_base, recall_base = (float(part) for part in values @ self.weights)
        known = {field.name for field in fields(Tally) if field.type is int}
        counted = {name: int(value) for name, value in zip(self.columns, values, strict=True) if name in known}
        return Tally(
            correct=correct, confirmed=confirmed, precision_base=precision_base, recall_base=recall_base, **counted
        )


@dataclass(frozen=True, eq=False)
class Counts:
    """The counts of every unit by one matching. `values`: (units, labels, columns of the reading)."""

    labels: tuple[str, ...]
    reading: Reading
    values: Array

    @property
    def columns(self) -> tuple[str, ...]:
        """The names along the last axis of `values`."""
        return self.reading.columns

    @property
    def n_units(self) -> int:
        """The number of units."""
        return len(self.values)

    @cached_property
    def total(self) -> Tally:
        """The sum over units and labels."""
        return self.reading.tally(self.values.sum(axis=(0, 1)))

    @cached_property
    def by_label(self) -> dict[str, Tally]:
        """The sum over units, for each label that occurs in gold or predicted."""
        tallies = zip(self.labels, map(self.reading.tally, self.values.sum(axis=0)), strict=True)
        return {label: tally for label, tally in tallies if tally.gold or tally.predicted}

    def column(self, name: str) -> Array:
        """Return one column: (units, labels)."""
        return self.values[:, :, self.columns.index(name)]

    def micro_parts(self) -> Array:
        """Return the four parts of the scores, summed over labels: (units, 4)."""
        parts: Array = self.values.sum(axis=1) @ self.reading.weights
        return parts

    def by_group(self, groups: Sequence[int] | npt.NDArray[np.int64]) -> "Counts":
        """Return the counts with the units of each group added up, groups in ascending order."""
        if len(groups) != self.n_units:
            raise BadSetting(
                f"{len(groups)} groups were given for {self.n_units} units", "give one group for each unit"
            )
        numbers, place = np.unique(np.asarray(groups, dtype=np.int64), return_inverse=True)
        values = np.zeros((len(numbers), *self.values.shape[1:]))
        np.add.at(values, place, self.values)
        return Counts(self.labels, self.reading, values)


def f1_of(parts: Array) -> Array:
    """Return F1 from confirmed, correct, precision_base and recall_base on the last axis: (..., 4) to (...)."""
    confirmed, correct, precision_base, recall_base = np.moveaxis(parts, -1, 0)
    above = 2 * correct * confirmed
    below = correct * precision_base + confirmed * recall_base
    f1: Array = np.divide(above, below, out=np.zeros_like(above), where=below > 0)
    return f1
