"""Class weights and loss of a corpus, as the settings describe them."""

from collections.abc import Mapping

from linnet.losses.weighting import Weighting, weigh
from linnet.settings.training import LossSettings

__all__ = ["compute_class_weights", "scale_weights"]


def compute_class_weights(loss: LossSettings, counts: Mapping[str, int]) -> Weighting:
    """Return the class weights of tags with these counts, from a scheme or from the recipe itself."""
    return weigh(counts, loss.scheme, beta=loss.beta, given=loss.weights)


def scale_weights(weighting: Weighting) -> dict[str, float] | None:
    """Return the weights divided by the largest, or None for the scheme `none`.

    A common factor cancels in the loss, but not its rounding. Scaled, a scheme that gives every tag the same weight
    trains exactly as `none` does, to the last bit.
    """
    if weighting.scheme == "none":
        return None
    largest = max(weighting.weights.values())
    return {tag: weight / largest for tag, weight in weighting.weights.items()}
