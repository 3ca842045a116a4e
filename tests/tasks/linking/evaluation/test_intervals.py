"""Intervals of linking are those of the project: never of zero width, and none of next to nothing."""

import pytest

from linnet.metrics.statistics.intervals import wilson_interval
from linnet.tasks.linking.evaluation.intervals import linking_figures
from linnet.tasks.linking.evaluation.protocols import Counts, metric_of


def counts_of(*rights: tuple[float, float], nil: tuple[float, float, float] = (0, 1, 0)) -> list[Counts]:
    right_nil, predicted_nil, gold_nil = nil
    return [
        {"any": [right, right, mentions], "nil": [right_nil, predicted_nil, right_nil, gold_nil]}
        for right, mentions in rights
    ]


def test_all_right_gives_the_interval_of_so_many_documents() -> None:
    counts = counts_of(*[(2, 2)] * 8, *[(0, 0)] * 3)

    figure = linking_figures([metric_of("any", counts)], n_resamples=100)["any"]

    quantile = 2.364624  # of Student's t with 7 degrees of freedom
    assert (figure.value, figure.high, figure.n) == (1.0, 1.0, 11)
    assert figure.low == pytest.approx(wilson_interval(1.0, 8, quantile)[0], abs=1e-5)


def test_an_interval_contains_the_score_and_narrows_with_more_documents() -> None:
    few, many = (counts_of(*[(1, 2), (2, 2), (0, 1), (3, 4)] * n) for n in (2, 20))

    wide, narrow = (linking_figures([metric_of("any", each)])["any"] for each in (few, many))

    ends = [wide.low, narrow.low, narrow.value, narrow.high, wide.high]
    assert None not in ends
    assert [0, *ends, 1] == sorted({0, *(end for end in ends if end is not None), 1})
    assert wide.value == narrow.value


@pytest.mark.parametrize("counts", [counts_of(*[(1, 1)] * 4, *[(0, 0)] * 9), counts_of(*[(1, 1)] * 4)])
def test_fewer_than_five_documents_with_a_mention_give_none(counts: list[Counts]) -> None:
    figure = linking_figures([metric_of("any", counts)], n_resamples=100)["any"]

    assert (figure.value, figure.low, figure.high) == (1.0, None, None)


def test_without_gold_or_without_resamples_there_is_none() -> None:
    counts = counts_of(*[(1, 1)] * 9)

    assert linking_figures([metric_of("nil", counts)], n_resamples=100)["nil"].low is None
    assert linking_figures([metric_of("any", counts)], n_resamples=0)["any"].low is None
    assert linking_figures([metric_of("any", [])])["any"].n == 0


def test_a_mean_over_documents_is_not_as_wide_as_a_share_of_documents() -> None:
    means = [0.86, 0.9, 0.88, 0.84, 0.87, 0.89, 0.85, 0.91]
    counts: list[Counts] = [{"documents": [mean, 1, mean, 1, mean]} for mean in means]

    figure = linking_figures([metric_of("documents", counts)])["documents"]

    assert figure.low is not None
    assert figure.high is not None
    assert 0.8 < figure.low < figure.value < figure.high < 0.95
