"""Verdicts of differences with the baseline: significance after Holm's correction, in a word and in a sentence."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from linnet.comparison.axes import FEWEST_SEEDS
from linnet.comparison.judging.wording import ALPHA, describe
from linnet.comparison.results import Comparison, Labels, OtherReading, Verdict
from linnet.metrics.statistics.hierarchical import PairedDifference
from linnet.metrics.statistics.ranks import RankSpread
from linnet.metrics.statistics.significance import holm

__all__ = ["Difference", "caution_of_seeds", "compare_family"]


Pair = tuple[tuple[str, ...], tuple[str, ...]]  # the labels of a place and of a choice


class Difference(NamedTuple):
    """How a choice differs from the baseline at one place, or over all (an empty place)."""

    place: Labels
    choice: Labels
    test: PairedDifference


class _Family(NamedTuple):
    """The size of a family and its p values after Holm's correction."""

    size: int
    margin: float | None
    p_values: Sequence[float]
    equivalence: Sequence[float]
    independent: Sequence[float]
    paired: Sequence[float]


def caution_of_seeds(n_seeds: int) -> str:
    """Return what a verdict from few seeds says about them, "" for enough of them."""
    if n_seeds == 1:
        return "; one seed, so nothing is known about others"
    return f"; {n_seeds} seeds, which say little about others" if n_seeds < FEWEST_SEEDS else ""


def compare_family(
    baseline: Labels,
    differences: Sequence[Difference],
    *,
    caution: Callable[[int], str] = caution_of_seeds,
    split: str = "test",
    margin: float | None = None,
    others: Mapping[Pair, OtherReading] | None = None,
) -> list[Comparison]:
    """Return the comparisons of one family, with p values after Holm's correction over all of them.

    Args:
        baseline: what the choices are compared with.
        differences: of each choice from the baseline.
        caution: gives the end of a verdict's sentence for a number of seeds.
        split: that was scored; sentences name another one than test.
        margin: a difference that would matter, as a fraction; smaller ones can be shown to be so. None tests none.
        others: the same comparisons with or without collapsed runs, by the labels of place and choice.
    """
    tests = [difference.test for difference in differences]
    family = _Family(
        size=len(tests),
        margin=margin,
        p_values=_correct([test.p_value for test in tests]),
        equivalence=_correct([1.0 if margin is None else test.p_equivalent(margin) for test in tests]),
        independent=_correct([test.spread.p_value(test.difference) for test in tests]),
        paired=_correct([(test.spread_of_paired_seeds or test.spread).p_value(test.difference) for test in tests]),
    )
    on = "" if split == "test" else f" ({split})"
    keys = [(tuple(each.place.values()), tuple(each.choice.values())) for each in differences]
    compared = [
        _with_other(_compare(difference, number, family), (others or {}).get(keys[number]))
        for number, difference in enumerate(differences)
    ]
    return [
        replace(each, sentence=describe(each, baseline=baseline, on=on, caution=caution(test.n_seeds)))
        for each, test in zip(compared, tests, strict=True)
    ]


def _with_other(comparison: Comparison, other: OtherReading | None) -> Comparison:
    """Return the comparison with its other reading; one of the two is about runs that did not collapse."""
    return comparison if other is None else replace(comparison, other=other, is_conditional=not other.is_conditional)


def _correct(p_values: Sequence[float]) -> list[float]:
    """Return p values after Holm's correction, in the same order."""
    adjusted = holm({str(number): p_value for number, p_value in enumerate(p_values)})
    return [adjusted[str(number)] for number in range(len(p_values))]


def _compare(difference: Difference, number: int, family: _Family) -> Comparison:
    test = difference.test
    both = {"independent seeds": family.independent[number], "paired seeds": family.paired[number]}
    return Comparison(
        place=difference.place,
        choice=difference.choice,
        difference=test.difference,
        low=test.low,
        high=test.high,
        p_value=test.p_value,
        adjusted_p=family.p_values[number],
        family_size=family.size,
        smallest_detectable=test.smallest_detectable(family_size=family.size),
        wins=test.wins,
        ties=test.ties,
        losses=test.losses,
        verdict=_judge(test, family.p_values[number], family.equivalence[number]),
        sentence="",
        readings=both if test.spread_of_paired_seeds else {},
        margin=family.margin,
        equivalence_p=family.equivalence[number],
        test="rank" if isinstance(test.spread, RankSpread) else "t",
        n_seeds=test.n_seeds,
    )


def _judge(test: PairedDifference, adjusted_p: float, equivalence_p: float) -> Verdict:
    if test.standard_error == 0 and test.difference == 0:
        return "identical"
    if adjusted_p < ALPHA:
        return "better" if test.difference > 0 else "worse"
    # one seed says nothing about others, so nothing about the absence of a difference either
    return "no difference" if equivalence_p < ALPHA and test.covers_seeds else "no evidence"
