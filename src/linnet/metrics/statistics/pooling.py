"""Pools differences over places: encoders that share their test units, and corpora that may share their seeds."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from linnet.errors import BadSetting
from linnet.metrics.statistics.bootstrap import TOLERANCE
from linnet.metrics.statistics.hierarchical import (
    PairedDifference,
    PairedScores,
    build_difference,
    check_scores,
    count_outcomes,
    paired_difference,
)
from linnet.metrics.statistics.spread import Component, Spread

__all__ = ["mean_over_places", "pooled_difference", "pooled_spreads"]


def mean_over_places(
    places: Sequence[PairedScores], *, n_units: int, effective_units: float | None = None, confidence: float = 0.95
) -> PairedDifference:
    """Return the mean difference over places that share their test units, such as two encoders on one corpus.

    The scores are averaged over the places seed by seed and draw by draw, so that variation that the places share is
    counted once. All places need the same seeds and the same draws of units. Wins, ties and losses are those of the
    single runs. The result holds for these places, not for new ones.
    """
    checked = [check_scores(*place) for place in places]
    if len({place.resampled_a.shape for place in checked}) != 1:
        found = ", ".join(f"{len(place.a)} seeds and {len(place.resampled_a)} resamples" for place in checked)
        remedy = "average places that have the same seeds and the same draws of units"
        raise BadSetting(f"the places do not match: {found or 'there are none'}", remedy)
    means = PairedScores(*(np.mean(values, axis=0) for values in zip(*checked, strict=True)))
    wins, ties, losses = count_outcomes(np.concatenate([place.b - place.a for place in checked]))
    mean = paired_difference(*means, n_units=n_units, effective_units=effective_units, confidence=confidence)
    return replace(mean, wins=wins, ties=ties, losses=losses)


def pooled_difference(
    groups: Sequence[PairedDifference], *, seeds: Sequence[Sequence[int]] | None = None, confidence: float = 0.95
) -> PairedDifference:
    """Return the plain mean of differences in places with different test units, such as corpora.

    Units of different places are independent. Seeds may not be: the same seed can mean the same start of the network.
    With `seeds`, those of each place in the order of its scores, there are two readings. In one the seeds of different
    places are independent, so that all variances add up. In the other they are paired: the variance over seeds is that
    of the mean over places, seed by seed, for the seeds that all places have. The result holds for the mean over these
    places, not for new ones.
    """
    if not groups:
        raise BadSetting("there are no differences to pool", "give at least one")
    spread, paired = pooled_spreads(groups, seeds)
    few = min(groups, key=lambda group: group.n_seeds)
    return build_difference(
        sum(group.difference for group in groups) / len(groups),
        spread,
        few.by_seed,
        sum(group.n_units for group in groups),
        [sum(counted) for counted in zip(*((g.wins, g.ties, g.losses) for g in groups), strict=True)],
        confidence=confidence,
        paired=paired,
    )


def pooled_spreads(
    groups: Sequence[PairedDifference], seeds: Sequence[Sequence[int]] | None
) -> tuple[Spread, Spread | None]:
    """Return the spread of the mean over places with independent seeds, and the one with paired seeds if there is."""
    components = [_scale(each, len(groups)) for group in groups for each in group.spread.components]
    paired = _pair_seeds(groups, components, seeds) if seeds is not None and len(groups) > 1 else None
    return Spread(components), paired


def _scale(component: Component, n_places: int) -> Component:
    """Return a component as a part of the mean over so many places."""
    variance, interaction = component.variance / n_places**2, component.interaction / n_places**2
    return component._replace(variance=variance, interaction=interaction)


def _pair_seeds(
    groups: Sequence[PairedDifference], components: Sequence[Component], seeds: Sequence[Sequence[int]]
) -> Spread | None:
    """Return the spread of the mean over places with paired seeds, None where they share fewer than two.

    `components` are those of all places, as parts of the mean over them.
    """
    shared = [seed for seed in seeds[0] if all(seed in others for others in seeds)]
    of_seeds = [each for each in components if each.is_of_seeds]
    if len(shared) < 2 or not of_seeds:
        return None
    by_place = zip(groups, seeds, strict=True)
    rows = [[group.by_seed[list(own).index(seed)] for seed in shared] for group, own in by_place]
    interaction = sum(each.interaction for each in of_seeds)  # with units of different places, so that they add up
    variance = float(np.mean(rows, axis=0).var(ddof=1)) / len(shared)
    if variance <= TOLERANCE**2:  # equal by chance
        variance = interaction
    paired = Component(variance, len(shared) - 1.0, is_of_seeds=True, interaction=interaction)
    return Spread([paired, *(each for each in components if not each.is_of_seeds)])
