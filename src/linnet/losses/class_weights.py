"""Class weights and loss of a corpus, as the settings describe them."""

from collections.abc import Mapping, Sequence
from typing import Any

from linnet.contracts import Loss
from linnet.errors import BadSetting
from linnet.labels.label_set import LabelSet
from linnet.losses.cost_sensitive import build_loss, settings_of
from linnet.losses.marginal import MarginalLoss
from linnet.losses.weighting import Weighting, weigh
from linnet.settings.training import LossSettings, TrainSettings

__all__ = ["build_weighted_loss", "compute_class_weights", "scale_weights"]


def compute_class_weights(loss: LossSettings, counts: Mapping[str, int]) -> Weighting:
    """Return the class weights of tags with these counts, from a scheme or from the recipe itself."""
    return weigh(counts, loss.scheme, beta=loss.beta, given=loss.weights)


def build_weighted_loss(
    settings: TrainSettings,
    label_set: LabelSet,
    weighting: Weighting,
    own: LossSettings | None = None,
    unannotated: Sequence[str] = (),
) -> Loss:
    """Return the loss that the settings describe, or refuse settings that cannot be combined.

    Args:
        settings: of the whole training.
        label_set: the tags of the head.
        weighting: their class weights.
        own: the loss of this corpus, if it is not the recipe's.
        unannotated: tags that the corpus does not annotate, so that its O may stand for them; they need no weight.
    """
    loss = own or settings.loss
    options: dict[str, Any] = loss.model_dump(include={"gamma", "alpha", "smoothing"})
    if unannotated:
        if loss.name != "cross-entropy":
            raise BadSetting(
                f"loss {loss.name!r} does not know partial labels", 'use loss "cross-entropy", or separate heads'
            )
        if loss.smoothing:
            raise BadSetting("partial labels cannot be smoothed", "leave loss.smoothing out, or use separate heads")
        weights = scale_weights(weighting)
        if weights is not None:  # the weight of a tag that is never a target has no effect
            weights = {**dict.fromkeys(unannotated, 1.0), **weights}
        return MarginalLoss(label_set, weights, unannotated)
    if "tagging" in settings_of(loss.name):
        if settings.window.all_subwords:
            raise BadSetting(
                f"loss {loss.name!r} learns how words follow words, which window.all_subwords would spoil",
                "leave one of the two out",
            )
        options["tagging"] = settings.tagging
    return build_loss(loss.name, label_set, scale_weights(weighting), **options)


def scale_weights(weighting: Weighting) -> dict[str, float] | None:
    """Return the weights divided by the largest, or None for the scheme `none`.

    A common factor cancels in the loss, but not its rounding. Scaled, a scheme that gives every tag the same weight
    trains exactly as `none` does, to the last bit.
    """
    if weighting.scheme == "none":
        return None
    largest = max(weighting.weights.values())
    return {tag: weight / largest for tag, weight in weighting.weights.items()}
