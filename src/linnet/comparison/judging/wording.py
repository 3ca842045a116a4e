"""Wording of verdicts: the only place that says in words what a comparison shows, so that no page claims more.

A verdict says no more than its test. "Better" and "worse" follow from the test of a difference. "No difference above"
follows from two one-sided tests against a margin. Everything else is "no evidence", with what is not excluded.
"""

from collections.abc import Mapping, Sequence

from linnet.comparison.results import CollapsedRuns, Comparison, Labels, OtherReading, Verdict, cut_interval, title_of

__all__ = ["ALPHA", "VERDICTS", "describe", "describe_collapsed", "describe_group", "name_margin", "name_verdict"]

ALPHA = 0.05
VERDICTS: tuple[Verdict, ...] = ("better", "worse", "no difference", "no evidence", "identical")


def name_verdict(verdict: Verdict, margin: float | None) -> str:
    """Return the verdict as it is shown, with the margin of an equivalence.

    >>> name_verdict("no difference", 0.01), name_verdict("better", 0.01)
    ('no difference above 1 point', 'better')
    """
    return f"no difference above {name_margin(margin)}" if verdict == "no difference" and margin else verdict


def describe_group(verdict: Verdict, names: str, *, baseline: str, margin: float | None) -> str:
    """Return one clause about all choices with the same verdict."""
    if verdict in ("better", "worse"):
        return f"{verdict} than {baseline}: {names}"
    if verdict == "identical":
        return f"identical to {baseline}: {names}"
    named = "no evidence of a difference" if verdict == "no evidence" else name_verdict(verdict, margin)
    return f"{named}: {names}"


def describe(comparison: Comparison, *, baseline: Labels, on: str = "", caution: str = "") -> str:
    """Return what a comparison shows in one sentence.

    Args:
        comparison: with all its numbers and its verdict.
        baseline: what the choice is compared with.
        on: the split, in brackets, where it is not test.
        caution: the end of the sentence, about the number of seeds.
    """
    place = "Over all conditions" if comparison.is_pooled else f"On {title_of(comparison.place)}"
    if comparison.is_conditional:
        on = f"{on}, among runs that did not collapse"
    choice, against = title_of(comparison.choice), title_of(baseline)
    if comparison.verdict == "identical":
        return f"{place}{on}, {choice} scores as {against} does, run for run."
    parts = [*_claims(comparison, choice, against), *_readings(comparison.readings), *_other(comparison)]
    return f"{place}{on}, {'; '.join(parts)}{caution}."


def _claims(comparison: Comparison, choice: str, against: str) -> Sequence[str]:
    """Return what is claimed and what it rests on."""
    measured = _measure(comparison)
    ranks = " by ranks" if comparison.test == "rank" else ""
    p_value = f"{_p_value(comparison.adjusted_p)}{ranks} after Holm"
    margin = name_margin(comparison.margin)
    equivalence = f"{_p_value(comparison.equivalence_p)}{ranks} after Holm against a difference of {margin} or more"
    if comparison.verdict == "no difference":
        return [f"{choice} and {against} differ by less than {margin}: {measured}, {equivalence}"]
    if comparison.verdict == "no evidence":
        claim = f"there is no evidence that {choice} differs from {against}: {measured}, {p_value}"
        return [claim, *_not_excluded(comparison)]
    is_small = comparison.margin is not None and comparison.equivalence_p < ALPHA
    smaller = [f"it is less than {margin} {comparison.verdict}"] if is_small else []
    return [f"{choice} is {comparison.verdict} than {against}: {measured}, {p_value}", *smaller]


def _measure(found: Comparison | OtherReading) -> str:
    """Return the difference with its interval."""
    ends = cut_interval(found.low, found.high)
    if ends is None:
        interval = "too few seeds or test units for an interval"
    else:
        interval = f"{100 * ends[0]:+.2f} to {100 * ends[1]:+.2f}"
    return f"{100 * found.difference:+.2f} points ({interval})"


def _not_excluded(comparison: Comparison) -> Sequence[str]:
    detectable = comparison.smallest_detectable
    if detectable >= 1:
        return ["even the largest possible difference would be found in fewer than four of five such comparisons"]
    return [
        f"such a comparison finds a true difference of {100 * detectable:.2f} points with a probability of 80 %, "
        "so smaller ones may exist"
    ]


def _readings(p_by_reading: Mapping[str, float]) -> Sequence[str]:
    """Return both readings where they disagree, and which of them counts."""
    if len({p < ALPHA for p in p_by_reading.values()}) < 2:
        return []
    each = " and ".join(f"{_p_words(p)} with {name}" for name, p in p_by_reading.items())
    return [f"p after Holm is {each} over the conditions, and the verdict takes the cautious reading"]


def _other(comparison: Comparison) -> Sequence[str]:
    """Return the same comparison with collapsed runs, or without them."""
    other = comparison.other
    if other is None:
        return []
    named = name_verdict(other.verdict, comparison.margin)
    seeds = f"{other.n_seeds} seed{'' if other.n_seeds == 1 else 's'}"
    which = "among runs that did not collapse" if other.is_conditional else "with the collapsed runs"
    return [f"{which} ({seeds}): {_measure(other)}, {_p_value(other.adjusted_p)} after Holm, {named}"]


def describe_collapsed(counted: Sequence[CollapsedRuns]) -> str:
    """Return how many runs of each choice have collapsed at one place, or over all; the baseline is the first."""
    baseline, *others = counted
    place = "Over all conditions" if not baseline.place else f"On {title_of(baseline.place)}"
    shares = ", ".join(_describe_share(each) for each in counted)
    by_test = f"; p by Fisher's exact test against {title_of(baseline.choice)}, after Holm" if others else ""
    is_all = 0 < baseline.n_runs == baseline.n_collapsed
    hollow = ". The choices are compared with networks that learned nothing" if is_all else ""
    return f"{place}, runs that collapsed (a score below 1 %): {shares}{by_test}{hollow}."


def _describe_share(counted: CollapsedRuns) -> str:
    seeds = f"seed{'' if counted.n_collapsed == 1 else 's'} {', '.join(map(str, counted.seeds))}"
    facts = [
        *([seeds] if counted.seeds else []),
        *([_p_value(counted.adjusted_p)] if counted.adjusted_p is not None else []),
    ]
    share = f"{title_of(counted.choice)} {counted.n_collapsed} of {counted.n_runs}"
    return f"{share} ({', '.join(facts)})" if facts else share


def name_margin(margin: float | None) -> str:
    """Return a margin in points: 1 point, 0.5 points."""
    value = f"{100 * (margin or 0.0):.4g}"
    return f"{value} point{'' if value == '1' else 's'}"


def _p_value(p_value: float) -> str:
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"


def _p_words(p_value: float) -> str:
    return "below 0.001" if p_value < 0.001 else f"{p_value:.3f}"
