"""Runs are paired with the baseline's by seed, with and without collapsed ones, and averaged over places."""

import numpy as np
import pytest

from linnet.comparison.judging.pairing import (
    PairedRuns,
    differences_at_places,
    differences_over_places,
    leave_out_collapsed,
)
from linnet.metrics.statistics.hierarchical import PairedScores
from linnet.metrics.statistics.ranks import RankSpread
from tests.metrics.statistics.samples import random_scores

WELT = {"weighting": "welt"}
TEST_SETS: dict[tuple[str, ...], str] = {("a",): "one", ("b",): "another"}


def paired(place: str, *, collapsed: tuple[int, ...] = (), n_seeds: int = 5) -> PairedRuns:
    return PairedRuns(
        place={"data": place},
        choice=WELT,
        seeds=list(range(n_seeds)),
        scores=random_scores(n_seeds, seed=len(place)),
        n_units=30,
        collapsed=frozenset(collapsed),
    )


def test_seeds_with_a_collapsed_run_are_left_out_of_both_systems() -> None:
    runs = paired("a", collapsed=(1, 3))

    [kept] = leave_out_collapsed([runs])

    assert list(kept.seeds) == [0, 2, 4]
    assert kept.collapsed == frozenset()
    assert np.array_equal(kept.scores.a, runs.scores.a[[0, 2, 4]])
    assert np.array_equal(kept.scores.resampled_b, runs.scores.resampled_b[:, [0, 2, 4]])


def test_a_pair_whose_seeds_all_collapsed_is_gone() -> None:
    assert leave_out_collapsed([paired("a", collapsed=(0, 1), n_seeds=2)]) == []


@pytest.mark.parametrize("test_sets", [TEST_SETS, {("a",): "one", ("b",): "one"}])
def test_units_of_unequal_size_count_as_fewer(test_sets: dict[tuple[str, ...], str]) -> None:
    equal = [paired("a"), paired("b")]
    unequal = [runs._replace(effective_units=4.0) for runs in equal]

    for test in (differences_at_places(equal, test="t"), differences_at_places(unequal, test="t")):
        assert [each.test.n_units for each in test] == [30, 30]
    (usual, _), (wider, _) = (differences_at_places(runs, test="t") for runs in (equal, unequal))
    assert wider.test.high > usual.test.high
    [usual], [wider] = (differences_over_places(runs, test_sets, n_places=2, test="t") for runs in (equal, unequal))
    assert wider.test.p_value > usual.test.p_value


def test_a_mean_over_fewer_places_than_all_is_not_made() -> None:
    runs = [paired("a"), paired("b")]

    assert len(differences_over_places(runs, TEST_SETS, n_places=2, test="t")) == 1
    assert differences_over_places(runs[:1], TEST_SETS, n_places=2, test="t") == []
    assert differences_over_places(runs[:1], TEST_SETS, n_places=1, test="t") == []


@pytest.mark.parametrize("test_sets", [TEST_SETS, {("a",): "one", ("b",): "one"}])
def test_ranks_are_chosen_by_name_at_places_and_over_all(test_sets: dict[tuple[str, ...], str]) -> None:
    runs = [paired("a"), paired("b")]
    scores = [PairedScores(*each.scores) for each in runs]

    [first, _] = differences_at_places(runs, test="rank")
    [pooled] = differences_over_places(runs, test_sets, n_places=2, test="rank")

    assert isinstance(first.test.spread, RankSpread)
    assert isinstance(pooled.test.spread, RankSpread)
    a, b = (np.mean([each[at] for each in scores], axis=0) for at in (0, 1))
    assert pooled.test.difference == pytest.approx(np.median(np.subtract.outer(b, a)))


def test_ranks_need_seeds_that_all_places_have() -> None:
    other = paired("b")._replace(seeds=[10, 11, 12, 13, 14])

    [pooled] = differences_over_places([paired("a"), other], TEST_SETS, n_places=2, test="rank")

    assert not isinstance(pooled.test.spread, RankSpread)


def draw_grid(generator: np.random.Generator, *, difference: float, collapsing: float) -> PairedRuns:
    """Return five seeds of a choice and of a baseline whose runs collapse with a probability, on the same units."""
    a, b = 0.7 + generator.normal(0, 0.01, 5), 0.7 + difference + generator.normal(0, 0.01, 5)
    of_units = generator.normal(0, 0.004, (100, 1))  # what other units would change
    collapsed = generator.random(5) < collapsing
    scores = PairedScores(np.where(collapsed, 0, a), b, np.where(collapsed, 0, a + of_units), b - of_units)
    return PairedRuns({"data": "a"}, WELT, range(5), scores, 500, frozenset(np.flatnonzero(collapsed).tolist()))


@pytest.mark.long
def test_intervals_without_collapsed_runs_cover_the_difference_of_the_others() -> None:
    """Issue 23: with them it covers the mean difference only where a run has collapsed, 1 - 0.9 ** 5 = 41 %."""
    difference, collapsing = 0.02, 0.1
    over_all = 0.7 + difference - 0.7 * (1 - collapsing)
    generator = np.random.default_rng(0)
    n_grids, covered = 300, np.zeros(3)

    for _ in range(n_grids):
        grid = draw_grid(generator, difference=difference, collapsing=collapsing)
        kept = leave_out_collapsed([grid])
        found = [differences_at_places(runs, test="t")[0].test for runs in ([grid], kept)]
        found.append(differences_at_places([grid], test="rank")[0].test)
        truths = (over_all, difference, difference)
        covered += [each.low <= truth <= each.high for each, truth in zip(found, truths, strict=True)]

    with_collapsed, without, by_ranks = covered / n_grids
    assert with_collapsed == pytest.approx(0.41, abs=0.09)  # three standard errors: why they are shown apart
    assert without >= 0.91  # 95 % and three standard errors
    assert by_ranks >= 0.91
