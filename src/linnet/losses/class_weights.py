"""What do mistakes on a corpus cost? Its weights and its loss, from the settings."""

from collections.abc import Mapping

from linnet.losses.weighting import Weighting, weigh
from linnet.settings.training import LossSettings

__all__ = ["scaled", "weighting_of"]


def weighting_of(loss: LossSettings, counts: Mapping[str, int]) -> Weighting:
    """Return the weights that a scheme, or the recipe itself, gives to tags that occur so often."""
    return weigh(counts, loss.scheme, beta=loss.beta, given=loss.weights)


def scaled(weighting: Weighting) -> dict[str, float] | None:
    """Return the weights with the largest at one: a common factor cancels in the loss, but its rounding would not.

    So a scheme that gives every tag the same weight trains to the last bit as `none` does.
    """
    if weighting.scheme == "none":
        return None
    largest = max(weighting.weights.values())
    return {tag: weight / largest for tag, weight in weighting.weights.items()}
