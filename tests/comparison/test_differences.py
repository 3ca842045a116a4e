"""Differences become verdicts in a word and in a sentence, corrected for their number."""

import pytest
from scipy import stats

from linnet.comparison.differences import Difference, caution_of_seeds, compare_family
from linnet.metrics.statistics.hierarchical import PairedDifference
from linnet.metrics.statistics.spread import Component, Spread

NONE, PLACE = {"weighting": "none"}, {"data": "demo"}


def difference(choice: str, p_value: float, *, value: float = 0.02, n_seeds: int = 5) -> Difference:
    test = PairedDifference(
        difference=value, low=value - 0.01, high=value + 0.01, p_value=p_value,
        spread=Spread([Component(0.005**2 * bool(value), 10.0)]), by_seed=(value,) * n_seeds, n_units=100,
        wins=5, ties=0, losses=0,
    )  # fmt: skip
    return Difference(PLACE, {"weighting": choice}, test)


def test_p_values_of_one_family_are_corrected_together() -> None:
    found = compare_family(NONE, [difference("welt", 0.01), difference("ens", 0.04)])

    assert [each.adjusted_p for each in found] == pytest.approx([0.02, 0.04])
    assert [(each.verdict, each.family_size) for each in found] == [("better", 2), ("better", 2)]


@pytest.mark.parametrize(
    ("p_value", "value", "verdict"),
    [(0.01, 0.02, "better"), (0.01, -0.02, "worse"), (0.06, 0.02, "no evidence"), (1.0, 0.0, "identical")],
)
def test_each_verdict_is_a_sentence(p_value: float, value: float, verdict: str) -> None:
    (found,) = compare_family(NONE, [difference("welt", p_value, value=value)])

    assert found.verdict == verdict
    assert found.sentence.startswith("On demo, ")
    assert "welt" in found.sentence
    assert "none" in found.sentence


def test_a_caution_ends_the_sentence() -> None:
    (few,) = compare_family(NONE, [difference("welt", 0.01, n_seeds=2)])
    (own,) = compare_family(NONE, [difference("welt", 0.01)], caution=lambda n: f"; {n} in all")

    assert few.sentence.endswith("; 2 seeds, which say little about others.")
    assert own.sentence.endswith("; 5 in all.")
    assert caution_of_seeds(3) == ""


def test_equivalence_is_corrected_over_the_family_like_differences() -> None:
    """By hand: 0.001 is 1.8 of 0.005 from the margin 0.01; t with 10 degrees gives 0.051, twice that after Holm."""
    family = [difference(name, 0.8, value=0.001) for name in ("welt", "ens")]

    found = compare_family(NONE, family, margin=0.01)

    expected = 2 * stats.t.sf(1.8, 10)
    assert [each.equivalence_p for each in found] == pytest.approx([expected, expected])
    assert [each.verdict for each in found] == ["no evidence", "no evidence"]
    assert [each.verdict for each in compare_family(NONE, family, margin=0.03)] == ["no difference", "no difference"]


def test_one_seed_never_shows_that_there_is_no_difference() -> None:
    (one,) = compare_family(NONE, [difference("welt", 0.8, value=0.001, n_seeds=1)], margin=0.05)

    assert one.equivalence_p < 0.001
    assert one.verdict == "no evidence"


def test_without_a_margin_equivalence_is_not_tested() -> None:
    (found,) = compare_family(NONE, [difference("welt", 0.8, value=0.0001)])

    assert (found.verdict, found.margin, found.equivalence_p) == ("no evidence", None, 1.0)
