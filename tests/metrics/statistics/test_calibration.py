"""Rates of errors of verdicts in simulated grids: a reduced set, the whole is `benchmarks/verdicts.py`. Issue 23."""

import numpy as np
import pytest

from linnet.metrics.statistics.bootstrap import unit_weights
from linnet.metrics.statistics.hierarchical import count_effective_units, paired_difference
from tests.metrics.statistics.simulated_conditions import CONDITIONS, Condition, examine
from tests.metrics.statistics.simulated_grids import Truth, compare_quickly, simulate

BY_NAME = {condition.name: condition for condition in CONDITIONS}


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "n_seeds"),
    [
        ("base", 3),
        ("strong seed effects", 3),
        ("heavy tails", 4),
        ("50 sentences", 5),
        ("104 documents of unequal size", 5),
        ("104 documents of unequal size", 10),
        ("3 corpora, seeds correlate 0.6", 3),
    ],
)
def test_false_positives_and_family_wise_errors_are_few(name: str, n_seeds: int) -> None:
    """60 grids of nine comparisons: rates of 6 % and more are far more probable with twice as many errors."""
    one, *families = examine(BY_NAME[name], n_seeds, 60).errors()

    assert one <= 0.075
    assert max(families) <= 0.12


@pytest.mark.slow
@pytest.mark.parametrize("n_seeds", [3, 4, 5])
@pytest.mark.parametrize("condition", CONDITIONS, ids=lambda condition: condition.name)
def test_no_condition_has_more_than_six_percent_of_errors(condition: Condition, n_seeds: int) -> None:
    assert max(examine(condition, n_seeds, 1000).errors()) <= 0.06


def test_the_quick_comparison_is_close_to_many_resamples() -> None:
    truth = Truth(sentences_of_document=9, system_by_document=1.0, has_equal_documents=False)
    grids = simulate(truth, n_grids=3, generator=np.random.default_rng(0))
    n_units = grids.gold.shape[1]
    observed = grids.f1(np.ones((1, n_units)))[:, 0]
    resampled = grids.f1(unit_weights(n_units, n_resamples=4000, seed=1))

    for quick, (a, b), drawn, sizes in zip(compare_quickly(grids), observed, resampled, grids.gold, strict=True):
        effective = count_effective_units(sizes)
        slow = paired_difference(a, b, *np.moveaxis(drawn, 1, 0), n_units=n_units, effective_units=effective)
        assert quick[0].difference == pytest.approx(slow.difference)
        assert quick[0].standard_error == pytest.approx(slow.standard_error, rel=0.06)


def test_documents_of_simulated_grids_have_the_sentences_of_all() -> None:
    equal, unequal = (
        simulate(
            Truth(sentences_of_document=9, has_equal_documents=is_equal), n_grids=2, generator=np.random.default_rng(0)
        )
        for is_equal in (True, False)
    )

    assert equal.gold.shape == unequal.gold.shape == (2, 104)
    assert equal.gold.sum() == pytest.approx(2 * 940 * 1.02, rel=0.1)
    assert unequal.gold.std() > 1.5 * equal.gold.std()
