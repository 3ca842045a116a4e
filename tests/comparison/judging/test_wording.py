"""Wording of verdicts: every sentence follows from the numbers by rule, and none claims more than its test."""

from dataclasses import replace

import pytest

from linnet.comparison.judging.wording import VERDICTS, describe, describe_collapsed, describe_group, name_verdict
from linnet.comparison.results import CollapsedRuns, Comparison, OtherReading, Verdict

NONE = {"weighting": "none"}
FOUND = Comparison(
    place={"data": "demo"}, choice={"weighting": "welt"}, difference=0.004, low=-0.002, high=0.01, p_value=0.2,
    adjusted_p=0.21, family_size=2, smallest_detectable=0.0123, wins=3, ties=0, losses=2, verdict="no evidence",
    sentence="", margin=0.01, equivalence_p=0.3,
)  # fmt: skip


def sentence(verdict: Verdict, **others: object) -> str:
    return describe(replace(FOUND, verdict=verdict, **others), baseline=NONE)  # type: ignore[arg-type]


def test_a_difference_that_was_not_found_says_what_may_exist() -> None:
    assert sentence("no evidence") == (
        "On demo, there is no evidence that welt differs from none: +0.40 points (-0.20 to +1.00), p = 0.210 after Holm"
        "; such a comparison finds a true difference of 1.23 points with a probability of 80 %, "
        "so smaller ones may exist."
    )


def test_equivalence_names_its_margin_and_the_p_value_of_its_own_test() -> None:
    assert sentence("no difference", equivalence_p=0.012) == (
        "On demo, welt and none differ by less than 1 point: +0.40 points (-0.20 to +1.00), "
        "p = 0.012 after Holm against a difference of 1 point or more."
    )


def test_a_difference_can_be_certain_and_small() -> None:
    small = sentence("better", adjusted_p=0.004, equivalence_p=0.012)

    assert small.startswith("On demo, welt is better than none: +0.40 points (-0.20 to +1.00), p = 0.004 after Holm")
    assert small.endswith("; it is less than 1 point better.")
    assert sentence("worse", adjusted_p=0.004).endswith("p = 0.004 after Holm.")


def test_two_readings_are_shown_where_they_disagree() -> None:
    apart = {"independent seeds": 0.008, "paired seeds": 0.06}

    assert sentence("no evidence", readings=apart).endswith(
        "; p after Holm is 0.008 with independent seeds and 0.060 with paired seeds over the conditions, and the "
        "verdict takes the cautious reading."
    )
    assert "reading" not in sentence("no evidence", readings={"independent seeds": 0.2, "paired seeds": 0.3})


OTHER = OtherReading(
    is_conditional=True, difference=0.02, low=0.01, high=0.03, adjusted_p=0.004, n_seeds=4, verdict="better"
)


def test_a_verdict_without_collapsed_runs_says_that_it_is_conditional() -> None:
    with_them = sentence("no evidence", other=OTHER)
    without = sentence("better", adjusted_p=0.004, is_conditional=True, other=replace(OTHER, is_conditional=False))

    assert with_them.startswith("On demo, there is no evidence")
    assert with_them.endswith(
        "; among runs that did not collapse (4 seeds): +2.00 points (+1.00 to +3.00), p = 0.004 after Holm, better."
    )
    assert without.startswith("On demo, among runs that did not collapse, welt is better than none: ")
    assert "; with the collapsed runs (4 seeds): +2.00 points" in without


def test_a_test_by_ranks_is_named() -> None:
    assert "p = 0.210 by ranks after Holm" in sentence("no evidence", test="rank")
    assert "p = 0.012 by ranks after Holm against" in sentence("no difference", equivalence_p=0.012, test="rank")


def test_collapsed_runs_have_one_sentence_for_each_place() -> None:
    none = CollapsedRuns({"data": "demo"}, NONE, n_runs=5, n_collapsed=2, seeds=(1, 4))
    welt = CollapsedRuns({"data": "demo"}, {"weighting": "welt"}, n_runs=5, n_collapsed=0, adjusted_p=0.444)

    assert describe_collapsed([none, welt]) == (
        "On demo, runs that collapsed (a score below 1 %): none 2 of 5 (seeds 1, 4), welt 0 of 5 (p = 0.444); "
        "p by Fisher's exact test against none, after Holm."
    )
    hollow = describe_collapsed([replace(none, place={}, n_collapsed=5), welt])
    assert hollow.startswith("Over all conditions, ")
    assert hollow.endswith(". The choices are compared with networks that learned nothing.")
    assert describe_collapsed([none]).endswith("none 2 of 5 (seeds 1, 4).")


def test_the_split_and_a_caution_are_named() -> None:
    found = describe(FOUND, baseline=NONE, on=" (devel)", caution="; 2 seeds")

    assert found.startswith("On demo (devel), ")
    assert found.endswith("; 2 seeds.")
    assert describe(replace(FOUND, place={}), baseline=NONE).startswith("Over all conditions, ")


def test_identical_runs_and_hopeless_comparisons_say_so() -> None:
    assert sentence("identical") == "On demo, welt scores as none does, run for run."
    wide = sentence("no evidence", low=-1.34, high=1.7, smallest_detectable=1.77)
    assert ": +0.40 points (too few seeds or test units for an interval), p = 0.210 after Holm; " in wide
    assert "177" not in wide
    assert "+0.40 points (-60.00 to +100.00)" in sentence("no evidence", low=-0.6, high=1.3)
    assert "even the largest possible difference would be found in fewer than four of five" in sentence(
        "no evidence", smallest_detectable=float("inf")
    )


@pytest.mark.parametrize("verdict", VERDICTS)
def test_only_equivalence_claims_that_a_difference_is_absent(verdict: Verdict) -> None:
    text = " ".join([sentence(verdict), describe_group(verdict, "welt", baseline="none", margin=0.01)])

    claims = [word for word in ("differ by less", "no difference above", "does not", "nothing") if word in text]
    assert bool(claims) == (verdict == "no difference")


@pytest.mark.parametrize(("margin", "text"), [(0.01, "1 point"), (0.005, "0.5 points"), (0.02, "2 points")])
def test_the_margin_is_part_of_the_verdict(margin: float, text: str) -> None:
    assert name_verdict("no difference", margin) == f"no difference above {text}"
    assert (
        describe_group("no difference", "welt", baseline="none", margin=margin) == f"no difference above {text}: welt"
    )
