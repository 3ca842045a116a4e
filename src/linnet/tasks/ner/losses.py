"""The loss of one corpus: weighted cross-entropy, focal, dice, CRF, or the marginal loss of partial labels."""

from collections.abc import Sequence
from typing import Any

from linnet.contracts import Loss
from linnet.errors import BadSetting
from linnet.labels.label_set import LabelSet
from linnet.losses.class_weights import scale_weights
from linnet.losses.cost_sensitive import build_loss, settings_of
from linnet.losses.marginal import MarginalLoss
from linnet.losses.weighting import Weighting
from linnet.settings.training import LossSettings
from linnet.tasks.ner.settings import NerSettings

__all__ = ["build_weighted_loss"]


def build_weighted_loss(
    settings: NerSettings,
    label_set: LabelSet,
    weighting: Weighting,
    own: LossSettings | None = None,
    unannotated: Sequence[str] = (),
) -> Loss:
    """Return the loss that the settings describe, or refuse what cannot be combined.

    Args:
        settings: of the whole training.
        label_set: the tags of the head.
        weighting: their class weights.
        own: the loss of one corpus, where it is not the recipe's.
        unannotated: tags about which O says nothing; the weighting need not have them.
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
        if weights is not None:  # tags that are never a target have no weight; any will do
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
