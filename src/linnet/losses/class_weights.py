"""What do mistakes on a corpus cost? Its weights and its loss, from the settings."""

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
    """Return the weights that a scheme, or the recipe itself, gives to tags that occur so often."""
    return weigh(counts, loss.scheme, beta=loss.beta, given=loss.weights)


def build_weighted_loss(
    settings: TrainSettings,
    label_set: LabelSet,
    weighting: Weighting,
    own: LossSettings | None = None,
    unannotated: Sequence[str] = (),
) -> Loss:
    """Return the loss that the settings describe, or refuse what cannot be combined.

    Args:
        settings: of the whole training.
        label_set: the tags of the head.
        weighting: their prices.
        own: the loss of one corpus, where it is not the recipe's.
        unannotated: tags about which O says nothing; the weighting need not have them.
    """
    loss = own or settings.loss
    told: dict[str, Any] = loss.model_dump(include={"gamma", "alpha", "smoothing"})
    if unannotated:
        if loss.name != "cross-entropy":
            raise BadSetting(
                f"loss {loss.name!r} does not know partial labels", 'use loss "cross-entropy", or separate heads'
            )
        if loss.smoothing:
            raise BadSetting("partial labels cannot be smoothed", "leave loss.smoothing out, or use separate heads")
        prices = scale_weights(weighting)
        if prices is not None:  # what is never a target has no price; any will do
            prices = {**dict.fromkeys(unannotated, 1.0), **prices}
        return MarginalLoss(label_set, prices, unannotated)
    if "tagging" in settings_of(loss.name):
        if settings.window.all_subwords:
            raise BadSetting(
                f"loss {loss.name!r} learns how words follow words, which window.all_subwords would spoil",
                "leave one of the two out",
            )
        told["tagging"] = settings.tagging
    return build_loss(loss.name, label_set, scale_weights(weighting), **told)


def scale_weights(weighting: Weighting) -> dict[str, float] | None:
    """Return the weights with the largest at one: a common factor cancels in the loss, but its rounding would not.

    So a scheme that gives every tag the same weight trains to the last bit as `none` does.
    """
    if weighting.scheme == "none":
        return None
    largest = max(weighting.weights.values())
    return {tag: weight / largest for tag, weight in weighting.weights.items()}
