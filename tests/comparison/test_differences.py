"""Differences become verdicts in a word and in a sentence, corrected for their number."""

import pytest

from linnet.comparison.differences import Difference, caution_of_seeds, compare_family
from linnet.metrics.statistics.hierarchical import PairedDifference

NONE, PLACE = {"weighting": "none"}, {"data": "demo"}


def difference(choice: str, p_value: float, *, value: float = 0.02, n_seeds: int = 5) -> Difference:
    test = PairedDifference(
        difference=value, low=value - 0.01, high=value + 0.01, p_value=p_value, standard_error=0.005 * bool(value),
        degrees=10.0, n_seeds=n_seeds, n_units=100, wins=5, ties=0, losses=0,
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
