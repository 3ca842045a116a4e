"""Counts of mentions, and precision, recall and F1 derived from them."""

import numpy as np
import pytest

from linnet.errors import BadSetting
from linnet.metrics.mentions.fair import FAIR, WEIGHTED_FAIR
from linnet.metrics.mentions.matching import SPANS
from linnet.metrics.mentions.tally import Counts, Tally, f1_of


def test_scores_are_read_off_the_counts() -> None:
    tally = SPANS.tally([4, 5, 3, 3])  # gold, predicted, correct, confirmed

    assert (tally.gold, tally.predicted, tally.correct) == (4, 5, 3.0)
    assert tally.precision == pytest.approx(3 / 5)
    assert tally.recall == pytest.approx(3 / 4)
    assert tally.f1 == pytest.approx(2 * 3 / (5 + 4))


def test_an_empty_tally_scores_zero() -> None:
    empty = Tally()

    assert (empty.precision, empty.recall, empty.f1) == (0.0, 0.0, 0.0)


def test_tallies_add_field_by_field() -> None:
    total = FAIR.tally([3, 3, 1, 1, 1, 1, 0, 0, 0, 0]) + FAIR.tally([2, 1, 0, 0, 1, 0, 1, 0, 0, 0])

    assert total == FAIR.tally([5, 4, 1, 1, 2, 1, 1, 0, 0, 0])


def test_a_boundary_error_is_priced_as_the_paper_says() -> None:
    """By hand from Ortmann 2022: BES = 0.5 TP + 0.5 FN; BEL = 0.5 TP + 0.5 FP; BEO = 0.5 TP + 0.25 FP + 0.25 FN."""
    smaller, larger, crossing = (
        WEIGHTED_FAIR.tally([1, 1, 0, 0, 0, 0, *error, 0]) for error in ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    )

    assert (smaller.precision, smaller.recall) == (1.0, 0.5)
    assert (larger.precision, larger.recall) == (0.5, 1.0)
    assert crossing.precision == crossing.recall == pytest.approx(0.5 / 0.75)
    assert smaller.be == larger.be == crossing.be == 1


def test_vectorised_f1_equals_that_of_tallies() -> None:
    rows = np.random.default_rng(0).integers(0, 5, size=(50, len(SPANS.columns))).astype(float)

    assert f1_of(rows @ SPANS.weights).tolist() == [SPANS.tally(row).f1 for row in rows]


def test_counts_of_a_group_are_the_sum_over_its_units() -> None:
    counts = Counts(("X",), SPANS, np.array([[[1.0, 1, 1, 1]], [[2.0, 0, 0, 0]], [[5.0, 5, 0, 0]]]))

    grouped = counts.by_group([8, 3, 8])

    assert grouped.values.tolist() == [[[2, 0, 0, 0]], [[6, 6, 1, 1]]]
    assert grouped.total == counts.total


def test_groups_of_another_number_are_refused() -> None:
    counts = Counts(("X",), SPANS, np.zeros((3, 1, 4)))

    with pytest.raises(BadSetting, match="2 groups were given for 3 units"):
        counts.by_group([0, 1])
