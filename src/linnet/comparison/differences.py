"""Verdicts of differences with the baseline: significance after Holm's correction, in a word and in a sentence."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from linnet.comparison.axes import FEWEST_SEEDS
from linnet.comparison.results import Comparison, Labels, Verdict, title_of
from linnet.metrics.statistics.hierarchical import PairedDifference
from linnet.metrics.statistics.significance import holm

__all__ = ["Difference", "caution_of_seeds", "compare_family"]

ALPHA = 0.05


class Difference(NamedTuple):
    """How a choice differs from the baseline at one place, or over all (an empty place)."""

    place: Labels
    choice: Labels
    test: PairedDifference


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
) -> list[Comparison]:
    """Return the comparisons of one family, with p values after Holm's correction over all of them.

    Args:
        baseline: what the choices are compared with.
        differences: of each choice from the baseline.
        caution: gives the end of a verdict's sentence for a number of seeds.
        split: that was scored; sentences name another one than test.
    """
    adjusted = holm({str(number): difference.test.p_value for number, difference in enumerate(differences)})
    on = "" if split == "test" else f" ({split})"
    return [
        _with_sentence(
            _compare(difference, adjusted_p=adjusted[str(number)], family_size=len(differences)),
            baseline,
            on,
            caution(difference.test.n_seeds),
        )
        for number, difference in enumerate(differences)
    ]


def _compare(difference: Difference, *, adjusted_p: float, family_size: int) -> Comparison:
    test = difference.test
    return Comparison(
        place=difference.place,
        choice=difference.choice,
        difference=test.difference,
        low=test.low,
        high=test.high,
        p_value=test.p_value,
        adjusted_p=adjusted_p,
        family_size=family_size,
        smallest_detectable=test.smallest_detectable(family_size=family_size),
        wins=test.wins,
        ties=test.ties,
        losses=test.losses,
        verdict=_verdict(test, adjusted_p),
        sentence="",
    )


def _verdict(test: PairedDifference, adjusted_p: float) -> Verdict:
    if test.standard_error == 0 and test.difference == 0:
        return "identical"
    if adjusted_p >= ALPHA:
        return "no evidence"
    return "better" if test.difference > 0 else "worse"


def _with_sentence(comparison: Comparison, baseline: Labels, on: str, caution: str) -> Comparison:
    where = "Over all places" if comparison.is_pooled else f"On {title_of(comparison.place)}"
    return replace(comparison, sentence=_sentence(comparison, baseline, where + on, caution))


def _sentence(comparison: Comparison, baseline: Labels, where: str, caution: str) -> str:
    choice, against = title_of(comparison.choice), title_of(baseline)
    if comparison.verdict == "identical":
        return f"{where}, {choice} scores as {against} does, run for run."
    measured = (
        f"{100 * comparison.difference:+.2f} points ({100 * comparison.low:+.2f} to {100 * comparison.high:+.2f}), "
        f"p = {_p_words(comparison.adjusted_p)} after Holm"
    )
    if comparison.verdict == "no evidence":
        detectable = comparison.smallest_detectable
        least = f"below {100 * detectable:.2f} points" if detectable < 1 else "of any size"
        return (
            f"{where}, there is no evidence that {choice} differs from {against}: {measured}; "
            f"a true difference {least} would likely have been missed{caution}."
        )
    return f"{where}, {choice} is {comparison.verdict} than {against}: {measured}{caution}."


def _p_words(p_value: float) -> str:
    return "below 0.001" if p_value < 0.001 else f"{p_value:.3f}"
