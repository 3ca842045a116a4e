"""Bootstrap draws and percentile intervals."""

import numpy as np
import pytest

from linnet.errors import BadSetting
from linnet.metrics.mentions.matching import SPANS
from linnet.metrics.mentions.tally import Counts
from linnet.metrics.statistics import bootstrap
from linnet.metrics.statistics.bootstrap import (
    distinct_rows,
    f1_intervals,
    percentile_interval,
    resampled_totals,
    unit_weights,
)


def test_distinct_rows_are_those_of_numpy() -> None:
    rows = np.random.default_rng(0).integers(0, 3, size=(200, 3)) / 2

    distinct, copies = distinct_rows(rows)

    expected, expected_copies = np.unique(rows, axis=0, return_counts=True)
    found = {tuple(row): int(number) for row, number in zip(distinct.tolist(), copies, strict=True)}
    assert found == {tuple(row): int(n) for row, n in zip(expected.tolist(), expected_copies, strict=True)}


def test_every_resample_draws_as_many_units_as_there_are() -> None:
    rows = np.column_stack([np.ones(50), np.arange(50.0)])

    totals = resampled_totals(rows, n_resamples=200, seed=0)

    assert set(totals[:, 0]) == {50.0}
    assert totals[:, 1].std() > 0


def test_resampled_sums_spread_as_theory_says() -> None:
    """The sum of n draws with replacement has mean n * mean and variance n * variance (population form)."""
    values = np.random.default_rng(1).integers(0, 6, size=400).astype(float)

    totals = resampled_totals(values[:, np.newaxis], n_resamples=4000, seed=0)[:, 0]

    assert totals.mean() == pytest.approx(values.sum(), rel=0.01)
    assert totals.std() == pytest.approx(np.sqrt(400) * values.std(), rel=0.05)


def test_the_size_of_the_chunks_does_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(2).integers(0, 4, size=(30, 4)).astype(float)
    whole = resampled_totals(rows, n_resamples=25, seed=3)

    monkeypatch.setattr(bootstrap, "MOST_WEIGHTS", 90)

    assert resampled_totals(rows, n_resamples=25, seed=3).tolist() == whole.tolist()


def test_no_units_give_zeros() -> None:
    assert resampled_totals(np.zeros((0, 3)), n_resamples=2, seed=0).tolist() == [[0, 0, 0], [0, 0, 0]]


def test_the_interval_holds_the_middle_of_the_values() -> None:
    low, high = percentile_interval(np.arange(101.0), confidence=0.9)

    assert (low, high) == pytest.approx((5.0, 95.0))


def test_the_interval_of_recall_alone_is_that_of_a_proportion() -> None:
    """With precision 1, F1 = 2r / (1 + r); r is a proportion of 400, standard error sqrt(0.8 * 0.2 / 400) = 0.02."""
    found = np.array([1.0] * 320 + [0.0] * 80)
    values = np.stack([np.ones(400), found, found, found], axis=1)[:, np.newaxis, :]

    micro, macro, labels = f1_intervals(Counts(("X",), SPANS, values), n_resamples=4000, seed=0, confidence=0.95)

    expected = [2 * recall / (1 + recall) for recall in (0.8 - 1.96 * 0.02, 0.8 + 1.96 * 0.02)]
    assert micro == pytest.approx(expected, abs=0.004)
    assert macro == labels["X"] == micro


def test_a_label_that_a_resample_lacks_does_not_lower_its_macro_mean() -> None:
    common, rare = [[1.0, 1, 1, 1], [0.0, 0, 0, 0]], [[0.0, 0, 0, 0], [1.0, 1, 1, 1]]  # all right, in both labels

    _, macro, labels = f1_intervals(
        Counts(("X", "Y"), SPANS, np.array([common] * 9 + [rare])), n_resamples=500, seed=0, confidence=0.95
    )

    assert macro == pytest.approx((10 / (10 + 2.262**2), 1.0), abs=0.001)  # without variance, as 10 trials
    assert labels["Y"] is None  # in one unit


def test_weights_count_draws_with_replacement() -> None:
    weights = unit_weights(50, n_resamples=400, seed=3)

    assert weights.shape == (400, 50)
    assert (weights.sum(axis=1) == 50).all()
    assert (weights == weights.astype(int)).all()
    assert weights.var() == pytest.approx(49 / 50, abs=0.05)  # multinomial: m * 1/m * (1 - 1/m)


def test_draws_do_not_depend_on_how_many_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = unit_weights(30, n_resamples=20, seed=1)
    monkeypatch.setattr(bootstrap, "MOST_WEIGHTS", 70)

    by_twos = unit_weights(30, n_resamples=20, seed=1)

    assert (by_twos == at_once).all()


def test_a_single_resample_is_refused() -> None:
    with pytest.raises(BadSetting, match="1 resamples of 5 units"):
        unit_weights(5, n_resamples=1, seed=0)
