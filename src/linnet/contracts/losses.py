"""The contracts of a weighting scheme (class weights from counts) and of a loss."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from linnet.labels.label_set import LabelSet
from linnet.registry import Registry

if TYPE_CHECKING:  # reading, converting and scoring must start without torch
    from torch import Tensor

__all__ = ["Loss", "LossFactory", "WeightingScheme", "losses", "weighting_schemes"]


class WeightingScheme(Protocol):
    """Class weights: a weight for each tag, from how often it occurs."""

    def __call__(self, counts: Mapping[str, int], /) -> dict[str, float]:
        """Return a positive weight for every name in `counts`."""
        ...


class Loss(Protocol):
    """A loss function; an `nn.Module` if it has parameters, which are trained with those of the network."""

    def __call__(self, logits: "Tensor", targets: "Tensor", /) -> "Tensor":
        """Return a scalar with a graph, zero where no token counts.

        Args:
            logits: (batch, tokens, tags), the tags in the order of the label set.
            targets: (batch, tokens), numbers of tags; -100 where a token does not count.
        """
        ...


class LossFactory(Protocol):
    """A function that makes a loss; its keyword arguments are the settings that a recipe may give it."""

    # Any, because each loss names its own settings; `build_loss` refuses those that are not in the signature.
    def __call__(
        self, label_set: LabelSet, weights: Mapping[str, float] | None, /, *args: Any, **settings: Any
    ) -> Loss:
        """Return the loss, or raise `BadSetting` where it cannot use the weights; they are never ignored.

        Args:
            label_set: the tags in the order of the logits.
            weights: class weights by tag name; `None` weights all tags alike.
            args: stays empty; settings are given by keyword.
            settings: of the loss, each with a default.
        """
        ...


weighting_schemes: Registry[Callable[..., dict[str, float]]] = Registry(
    "weighting scheme", home="linnet.losses.weighting"
)


losses: Registry[LossFactory] = Registry("loss", home="linnet.losses")
