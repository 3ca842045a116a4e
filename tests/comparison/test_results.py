"""Records of a compared grid: what they compute from the scores that they hold."""

from dataclasses import replace

import pytest

from linnet.comparison.results import title_of
from tests.comparison.example_results import empty_results, example_results, plain_cell, with_parts


def test_a_cell_has_mean_and_standard_deviation_over_its_seeds() -> None:
    cell = plain_cell({}, {}, {1: 0.70, 2: 0.72, 3: 0.74})

    assert cell.mean == pytest.approx(0.72)
    assert cell.deviation == pytest.approx(0.02)  # by hand: sqrt((0.02**2 + 0.02**2) / 2)


def test_one_seed_has_no_deviation_and_no_seed_has_no_mean() -> None:
    assert plain_cell({}, {}, {1: 0.7}).deviation is None
    assert plain_cell({}, {}, {}).mean is None


def test_other_scores_have_mean_and_deviation_too() -> None:
    cell = replace(plain_cell({}, {}, {1: 0.5}), beside={"recall": {1: 0.4, 2: 0.6}})

    assert cell.mean_of("recall") == pytest.approx(0.5)
    assert cell.deviation_of("recall") == pytest.approx(0.02**0.5)  # by hand: sqrt(0.1**2 + 0.1**2)
    assert cell.mean_of("precision") is None
    assert cell.deviation_of("precision") is None


def test_a_comparison_without_a_place_is_over_all_places() -> None:
    single, pooled = example_results().comparisons[0], example_results().comparisons[-1]

    assert not single.is_pooled
    assert pooled.is_pooled


def test_the_scores_beside_the_compared_one_are_named_once_also_published_ones() -> None:
    results = with_parts(example_results())
    only_published = replace(plain_cell({}, {}, {}), published_beside={"accuracy": 0.9})

    assert results.beside == ("precision", "recall")
    assert replace(results, cells=(*results.cells, only_published)).beside == ("precision", "recall", "accuracy")
    assert empty_results().beside == ()


def test_a_title_joins_the_labels_of_all_axes() -> None:
    assert title_of({"corpus": "ncbi-disease", "weighting": "welt"}) == "ncbi-disease, welt"
    assert title_of({}) == ""
