"""Weighting schemes: class weights from how often each tag occurs.

A scheme is a pure function from counts by tag name to class weights by tag name. Only the ratios between the weights
matter: the losses divide by the summed weights of their targets, so a common factor cancels. For a tag that never
occurs, `ins`, `isns` and `ens` have no finite weight; these three count it as if it occurred once.
"""

import inspect
import math
from collections.abc import Mapping
from dataclasses import dataclass

from linnet.contracts import weighting_schemes
from linnet.errors import BadSetting

__all__ = ["GIVEN", "Weighting", "ens", "ins", "isns", "none", "weigh", "welt"]

GIVEN = "given"  # the scheme of weights that the user gives
NEARLY_EQUAL = 1.01  # below this ratio of largest to smallest weight a scheme has no effect


@dataclass(frozen=True)
class Weighting:
    """Class weights by tag name, with the counts they were computed from and warnings about them."""

    scheme: str
    counts: dict[str, int]
    weights: dict[str, float]
    ratio: float  # largest weight to smallest
    warnings: list[str]
    beta: float | None = None


def weigh(
    counts: Mapping[str, int], scheme: str, *, beta: float | None = None, given: Mapping[str, float] | None = None
) -> Weighting:
    """Return the class weights of a scheme for these counts, checked and with warnings.

    Args:
        counts: how often each tag occurs among the tokens that the loss counts.
        scheme: a registered scheme, or `given`.
        beta: for schemes with this setting (`ens`).
        given: weights by tag name instead of a scheme; then `scheme` is `given` or `none`.

    >>> weigh({"O": 92, "B": 4, "I": 4}, "ins").ratio
    23.0
    """
    _check_counts(counts)
    scheme = scheme.lower()
    if given is not None or scheme == GIVEN:
        scheme, weights = GIVEN, _check_given_weights(counts, scheme, beta, given)
    else:
        weights = _apply_scheme(counts, scheme, beta)
    ratio = max(weights.values()) / min(weights.values())
    return Weighting(
        scheme=scheme,
        counts=dict(counts),
        weights=weights,
        ratio=ratio,
        warnings=_find_warnings(counts, scheme, beta, ratio),
        beta=beta,
    )


@weighting_schemes.register("none")
def none(counts: Mapping[str, int]) -> dict[str, float]:
    """The same weight for every tag.

    What it computes: 1.
    Expected inputs: counts by tag name; only the names are used.
    When to prefer it: always as the baseline, and if no other scheme is better over several seeds.
    Source: "vanilla" in WeLT (Mobasher et al., 2023).

    >>> none({"O": 92, "B": 8})
    {'O': 1.0, 'B': 1.0}
    """
    return dict.fromkeys(counts, 1.0)


@weighting_schemes.register("ins")
def ins(counts: Mapping[str, int]) -> dict[str, float]:
    """The inverse of each tag's count.

    What it computes: 1 / n; every tag has the same share of the loss.
    Expected inputs: counts by tag name; a count of zero counts as one.
    When to prefer it: if a missed mention is far worse than a false alarm, since it trades precision for recall.
    Source: inverse number of samples in WeLT (Mobasher et al., 2023), equation 5.

    >>> ins({"O": 50, "B": 2})
    {'O': 0.02, 'B': 0.5}
    """
    return {tag: 1 / max(n, 1) for tag, n in counts.items()}


@weighting_schemes.register("isns")
def isns(counts: Mapping[str, int]) -> dict[str, float]:
    """The inverse of the square root of each tag's count.

    What it computes: 1 / sqrt(n), half-way (on a logarithmic scale) between `none` and `ins`.
    Expected inputs: counts by tag name; a count of zero counts as one.
    When to prefer it: if `ins` lowers precision too much.
    Source: inverse of square root of number of samples in WeLT (Mobasher et al., 2023), equation 6.

    >>> isns({"O": 100, "B": 4})
    {'O': 0.1, 'B': 0.5}
    """
    return {tag: 1 / math.sqrt(max(n, 1)) for tag, n in counts.items()}


@weighting_schemes.register("ens")
def ens(counts: Mapping[str, int], *, beta: float | None = None) -> dict[str, float]:
    """The inverse of each tag's effective number of examples.

    What it computes: (1 - beta) / (1 - beta^n). With beta 0 this is `none`; as beta tends to 1 it tends to `ins`
    up to a common factor. Tags with many more than 1 / (1 - beta) examples all get the weight 1 - beta.
    Expected inputs: counts by tag name, where zero counts as one; beta in [0, 1), which must be given.
    When to prefer it: for a compromise between `none` and `ins`; beta must be near 1 - 1/n to have an effect.
    Source: Cui et al., 2019; in WeLT (Mobasher et al., 2023) equation 7.

    >>> ens({"O": 2, "B": 1}, beta=0.5)
    {'O': 0.6666666666666666, 'B': 1.0}
    """
    if beta is None:
        raise BadSetting("scheme 'ens' needs a beta, and none was given", "give one near 1, for example beta 0.9999")
    if not 0 <= beta < 1:
        raise BadSetting(
            f"beta is {beta}, expected a number from 0 up to but not including 1",
            "give one near 1, for example 0.9999, or use scheme 'ins', which is the limit at 1",
        )
    if beta == 0:
        return none(counts)
    log_beta = math.log(beta)  # exact also near 1, where beta**n and 1 - beta**n lose digits
    return {tag: (1 - beta) / -math.expm1(max(n, 1) * log_beta) for tag, n in counts.items()}


@weighting_schemes.register("welt")
def welt(counts: Mapping[str, int]) -> dict[str, float]:
    """The softmax over each tag's complement frequency.

    What it computes: exp(1 - n/N) divided by the sum of these over all tags, with N the sum of the counts. The weight
    of a rare tag is never more than e = 2.718 times that of a frequent one.
    Expected inputs: counts by tag name; a count of zero is allowed.
    When to prefer it: for a mild correction without a setting to tune.
    Source: WeLT (Mobasher et al., 2023). We key the weights by tag name; the published code keyed them by position,
    and so gave B the weight of O.

    >>> weights = welt({"O": 92, "B": 4, "I": 4})
    >>> weights["B"] > weights["O"]
    True
    """
    total = sum(counts.values()) or 1
    raw = {tag: math.exp(1 - n / total) for tag, n in counts.items()}
    scale = math.fsum(raw.values())  # exact, so that the result does not depend on the order of the tags
    return {tag: value / scale for tag, value in raw.items()}


def _check_counts(counts: Mapping[str, int]) -> None:
    if not counts:
        raise BadSetting("there are no tags to weight: the counts are empty", "give a corpus with tagged tokens")
    negative = [f"{tag}: {n}" for tag, n in counts.items() if n < 0]
    if negative:
        raise BadSetting(f"counts below zero: {', '.join(negative)}", "give how often each tag occurs")


def _check_given_weights(
    counts: Mapping[str, int], scheme: str, beta: float | None, given: Mapping[str, float] | None
) -> dict[str, float]:
    if given is None:
        raise BadSetting("scheme 'given' needs weights, and none were given", "give a weight for each tag")
    if scheme not in (GIVEN, "none") or beta is not None:
        what = f"scheme {scheme!r}" if beta is None else f"scheme {scheme!r} with beta {beta}"
        raise BadSetting(f"weights were given by name together with {what}", "keep one of the two")
    missing = [tag for tag in counts if tag not in given]
    unknown = [tag for tag in given if tag not in counts]
    if missing or unknown:
        faults = [("no weight for", missing), ("a weight for unknown tags", unknown)]
        found = "; ".join(f"{what} {', '.join(tags)}" for what, tags in faults if tags)
        raise BadSetting(f"the given weights do not fit the tags: {found}", f"give one for each of {', '.join(counts)}")
    unfit = [f"{tag}: {weight}" for tag, weight in given.items() if not 0 < weight < math.inf]
    if unfit:
        raise BadSetting(f"weights that are not positive and finite: {', '.join(unfit)}", "give numbers above zero")
    return {tag: float(given[tag]) for tag in counts}


def _apply_scheme(counts: Mapping[str, int], scheme: str, beta: float | None) -> dict[str, float]:
    function = weighting_schemes.get(scheme)
    if "beta" in inspect.signature(function).parameters:
        return function(counts, beta=beta)
    if beta is not None:
        raise BadSetting(f"scheme {scheme!r} has no beta, but beta {beta} was given", "leave beta out, or use 'ens'")
    return function(counts)


def _find_warnings(counts: Mapping[str, int], scheme: str, beta: float | None, ratio: float) -> list[str]:
    warnings = []
    if ratio < NEARLY_EQUAL and scheme != "none":
        name = f"scheme {scheme!r}" if beta is None else f"scheme {scheme!r} with beta {beta}"
        warnings.append(
            f"{name} gives every tag nearly the same weight here (ratio {ratio:.3f}): it equals 'none' on this corpus"
        )
    absent = [tag for tag, n in counts.items() if n == 0]
    if absent:
        warnings.append(
            f"these tags never occur here, so their weights rest on no example: {', '.join(absent)}"
            " (ins, isns and ens count them as once)"
        )
    return warnings
