"""Collapsed runs are found, counted for each choice, and their shares are tested. Issue 23."""

from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from linnet.comparison.judging.collapsed import compare_shares, count_collapsed, find_collapsed
from linnet.comparison.outcomes import PlaceOutcomes
from linnet.comparison.results import CollapsedRuns
from linnet.contracts import Outcome, Outcomes
from linnet.labels.mention import Mention

NONE, WELT, ENS = {"weighting": "none"}, {"weighting": "welt"}, {"weighting": "ens"}
GOLD = ((Mention(0, 1, "X"),), ())


def outcome(score: float, *, is_silent: bool = False, right: Sequence[bool] = (False, True)) -> Outcome:
    return Outcome(
        score=score, labels={}, right=np.array(right), predicted=((), ()) if is_silent else ((Mention(0, 2, "X"),), ())
    )


def outcomes_of(*runs: tuple[str, int, Outcome], gold: Sequence[tuple[Mention, ...]] = GOLD) -> PlaceOutcomes:
    tested = Outcomes(
        runs=[run for *_, run in runs], words=[["a", "b"], ["c"]], gold=gold, n_units=2, resample=lambda: []
    )
    return PlaceOutcomes({((choice,), seed): run for choice, seed, run in runs}, tested)


def counted(place: str, choice: dict[str, str], n_collapsed: int, n_runs: int = 5) -> CollapsedRuns:
    return CollapsedRuns({"data": place}, choice, n_runs, n_collapsed, tuple(range(n_collapsed)))


def test_a_run_has_collapsed_if_its_score_is_near_zero_or_it_predicts_nothing() -> None:
    outcomes = outcomes_of(
        ("none", 1, outcome(0.8)),
        ("none", 2, outcome(0.0)),
        ("none", 3, outcome(0.009)),
        ("none", 4, outcome(0.01)),
        ("none", 5, outcome(0.5, is_silent=True)),
        ("welt", 6, outcome(0.0)),
    )

    assert find_collapsed(outcomes, NONE) == (2, 3, 5)


def test_where_there_is_nothing_to_find_no_run_collapses() -> None:
    outcomes = outcomes_of(("none", 1, outcome(0.0, is_silent=True, right=(True, True))), gold=((), ()))

    assert find_collapsed(outcomes, NONE) == ()


def test_the_runs_of_each_choice_are_counted_and_the_baseline_comes_first() -> None:
    outcomes = outcomes_of(("welt", 1, outcome(0.8)), ("none", 1, outcome(0.0)), ("none", 2, outcome(0.7)))

    found = list(count_collapsed(outcomes, {"data": "demo"}, [WELT, NONE], NONE))

    assert [(each.choice, each.n_collapsed, each.n_runs, each.seeds) for each in found] == [
        (NONE, 1, 2, (1,)),
        (WELT, 0, 1, ()),
    ]


def test_shares_are_tested_by_fisher_and_corrected_by_holm() -> None:
    found = compare_shares([counted("a", NONE, 5), counted("a", WELT, 0), counted("a", ENS, 4)], NONE)

    assert [each.p_value for each in found] == [None, pytest.approx(2 / 252), pytest.approx(1.0)]
    assert [each.adjusted_p for each in found] == [None, pytest.approx(4 / 252), pytest.approx(1.0)]


def test_several_places_are_summed_and_those_without_collapsed_runs_left_out() -> None:
    """4 of 10 against 0 of 10 is 0.087 in Fisher's exact test, as scipy has it."""
    found = compare_shares(
        [counted("a", NONE, 4), counted("a", WELT, 0), counted("b", NONE, 0), counted("b", WELT, 0)], NONE
    )

    assert [(dict(each.place), each.n_collapsed, each.n_runs) for each in found] == [
        ({}, 4, 10),
        ({}, 0, 10),
        ({"data": "a"}, 4, 5),
        ({"data": "a"}, 0, 5),
    ]
    assert found[1].p_value == pytest.approx(stats.fisher_exact(np.array([[4, 6], [0, 10]])).pvalue)


def test_without_collapsed_runs_there_is_nothing_to_report() -> None:
    assert compare_shares([counted("a", NONE, 0), counted("b", WELT, 0)], NONE) == ()
