"""Weighted cross-entropy, focal and dice losses over tokens.

Every loss here takes logits (batch, tokens, tags), targets (batch, tokens) with -100 for ignored tokens, and class
weights (tags). Ignored tokens are removed first. The losses of the others are summed and divided by the summed weights
of their targets, so a common factor of the weights cancels. Without any token the loss is zero, with a graph.

Class weights are keyed by tag name; only `weight_tensor` turns names into positions.
"""

import inspect
from collections.abc import Callable, Mapping
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional

from linnet.contracts import Loss, losses
from linnet.errors import BadSetting
from linnet.labels.label_set import LabelSet

__all__ = [
    "IGNORED",
    "TokenLoss",
    "build_loss",
    "cross_entropy_loss",
    "dice_loss",
    "focal_loss",
    "select_counted_tokens",
    "settings_of",
    "weight_tensor",
]

IGNORED = -100  # the target of an ignored token, as in PyTorch and transformers

LossFunction = Callable[[Tensor, Tensor, Tensor], Tensor]  # logits, targets, weights -> scalar


class TokenLoss(nn.Module):
    """A loss over single tokens: a pure function and its class weights, which move with the network to its device."""

    weights: Tensor

    def __init__(self, function: LossFunction, weights: Tensor) -> None:
        super().__init__()
        self.function = function
        self.register_buffer("weights", weights, persistent=False)  # saved models do not contain the loss

    def forward(self, logits: Tensor, targets: Tensor) -> Tensor:
        """Return the loss of logits (batch, tokens, tags) for targets (batch, tokens)."""
        return self.function(logits, targets, self.weights)


def build_loss(
    name: str, label_set: LabelSet, weights: Mapping[str, float] | None = None, **settings: float | str | None
) -> Loss:
    """Return the loss of this name; a setting of `None` counts as not given.

    Settings that the loss does not have, and weights that it cannot use, raise `BadSetting`.

    >>> loss = build_loss("focal", LabelSet(("O", "B", "I")), {"O": 1.0, "B": 2.0, "I": 2.0}, gamma=1.0)
    """
    known = settings_of(name)
    given = {key: value for key, value in settings.items() if value is not None}
    unknown = [key for key in given if key not in known]
    if unknown:
        raise BadSetting(
            f"loss {name!r} has no setting {', '.join(map(repr, unknown))}",
            f"leave it out; {name!r} takes {', '.join(known) or 'no settings'}",
        )
    return losses.get(name)(label_set, weights, **given)


def settings_of(name: str) -> dict[str, float | str | None]:
    """Return the settings of the loss of this name with their defaults.

    >>> settings_of("focal")
    {'gamma': 2.0, 'smoothing': 0.0}
    """
    parameters = inspect.signature(losses.get(name)).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY}


def weight_tensor(
    weights: Mapping[str, float] | None, label_set: LabelSet, *, dtype: torch.dtype = torch.float32
) -> Tensor:
    """Return the weights (tags) in the order of the label set; `None` gives ones.

    >>> weight_tensor({"O": 1.0, "B": 3.0}, LabelSet(("B", "O"))).tolist()
    [3.0, 1.0]
    """
    if weights is None:
        return torch.ones(len(label_set), dtype=dtype)
    unknown = [name for name in weights if name not in label_set]
    if unknown:
        raise BadSetting(
            f"weights for unknown tags: {', '.join(unknown)}", f"give one for each of {', '.join(label_set.names)}"
        )
    tensor = torch.tensor(label_set.in_order(weights), dtype=dtype)
    if not bool(((tensor > 0) & torch.isfinite(tensor)).all()):
        found = ", ".join(f"{name}: {weight}" for name, weight in weights.items())
        raise BadSetting(f"weights that {dtype} cannot hold as positive numbers: {found}", "scale them towards 1")
    return tensor


def select_counted_tokens(logits: Tensor, targets: Tensor, weights: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return logits (tokens, tags) and targets (tokens) that are not ignored, and weights, at least as float32."""
    is_counted = targets != IGNORED
    dtype = torch.promote_types(logits.dtype, torch.float32)  # half precision is too coarse for sums
    return logits[is_counted].to(dtype), targets[is_counted], weights.to(logits.device, dtype)


def cross_entropy_loss(logits: Tensor, targets: Tensor, weights: Tensor, *, smoothing: float = 0.0) -> Tensor:
    """Return the weighted mean of the negative log-probabilities of the targets.

    What it computes: sum of w[y] * -log p[y] over the tokens, divided by the sum of w[y]. With smoothing s and K tags
    the target is 1 - s + s/K on y and s/K elsewhere, each tag's part times its own weight (as in PyTorch).
    Expected inputs: logits (batch, tokens, tags), targets (batch, tokens), -100 ignored; weights (tags), positive;
    smoothing in [0, 1).
    When to prefer it: as the first choice; probabilities stay meaningful, and all weighting schemes were made for it.
    Source: PyTorch's weighted mean; label smoothing after Szegedy et al., 2016.
    """
    logits, targets, weights = select_counted_tokens(logits, targets, weights)
    total = functional.cross_entropy(logits, targets, weight=weights, reduction="sum", label_smoothing=smoothing)
    return _divide_by_weights(total, targets, weights)


def focal_loss(logits: Tensor, targets: Tensor, weights: Tensor, *, gamma: float, smoothing: float = 0.0) -> Tensor:
    """Return the cross-entropy in which confident tokens count less.

    What it computes: sum of w[y] * (1 - p[y])^gamma * -log p[y] over the tokens, divided by the sum of w[y]. gamma 0
    is the weighted cross-entropy. Smoothing spreads the target as there, each tag with its own factor (1 - p)^gamma.
    Expected inputs: logits (batch, tokens, tags), targets (batch, tokens), -100 ignored; weights (tags), positive;
    gamma 0 or above; smoothing in [0, 1).
    When to prefer it: if easy tokens (mostly `O`) outweigh the hard ones.
    Source: Lin et al., 2017. They divide by the number of foreground anchors; we divide by the summed weights, so
    that a common factor cancels here too.
    """
    logits, targets, weights = select_counted_tokens(logits, targets, weights)
    log_probabilities = functional.log_softmax(logits, dim=-1)
    gold = functional.one_hot(targets, logits.shape[-1]).to(logits.dtype)
    gold = gold * (1 - smoothing) + smoothing / logits.shape[-1]
    parts = gold * weights * _complement(log_probabilities) ** gamma * -log_probabilities
    return _divide_by_weights(parts.sum(), targets, weights)


def dice_loss(logits: Tensor, targets: Tensor, weights: Tensor, *, alpha: float, constant: float) -> Tensor:
    """Return the self-adjusting dice loss: one minus a soft F1 of each token and tag.

    What it computes: for each token and tag, with y = 1 for the token's tag and 0 for the others, p the softmax
    probability and f = (1 - p)^alpha * p,

        1 - (2 f y + constant) / (f + y + constant)

    averaged over the tags, and over the tokens by w[y]. f is largest at p = 1 / (1 + alpha): the loss rewards no
    higher probability, so alpha must stay far below 1 (at 1 the best p is one half).
    Expected inputs: logits (batch, tokens, tags), targets (batch, tokens), -100 ignored; weights (tags), positive;
    alpha in [0, 1), constant above 0. No label smoothing: the fraction is defined for y of 0 or 1.
    When to prefer it: if F1 is the goal, and cross-entropy with and without weights has been tried.
    Source: Li et al., 2020, self-adjusting form for single examples; their gamma is our constant. The defaults are
    those of their scripts for named entities. The paper has two classes; we take each tag against the rest.
    """
    logits, targets, weights = select_counted_tokens(logits, targets, weights)
    log_probabilities = functional.log_softmax(logits, dim=-1)
    gold = functional.one_hot(targets, logits.shape[-1]).to(logits.dtype)
    adjusted = _complement(log_probabilities) ** alpha * log_probabilities.exp()
    parts = 1 - (2 * adjusted * gold + constant) / (adjusted + gold + constant)
    return _divide_by_weights((weights[targets] * parts.mean(dim=-1)).sum(), targets, weights)


@losses.register("cross-entropy")
def _cross_entropy(label_set: LabelSet, weights: Mapping[str, float] | None, *, smoothing: float = 0.0) -> TokenLoss:
    """Weighted cross-entropy, token by token."""
    _check_smoothing(smoothing)
    return TokenLoss(partial(cross_entropy_loss, smoothing=smoothing), weight_tensor(weights, label_set))


@losses.register("focal")
def _focal(
    label_set: LabelSet, weights: Mapping[str, float] | None, *, gamma: float = 2.0, smoothing: float = 0.0
) -> TokenLoss:
    """Cross-entropy in which confident tokens count less."""
    _check_smoothing(smoothing)
    if not 0 <= gamma < float("inf"):
        raise BadSetting(f"gamma is {gamma}, expected 0 or above", "give a number from 0 to 5; the usual one is 2")
    return TokenLoss(partial(focal_loss, gamma=gamma, smoothing=smoothing), weight_tensor(weights, label_set))


@losses.register("dice")
def _dice(
    label_set: LabelSet, weights: Mapping[str, float] | None, *, alpha: float = 0.01, constant: float = 1.0
) -> TokenLoss:
    """Self-adjusting dice loss, one minus a soft F1."""
    if not 0 <= alpha < 1:
        raise BadSetting(
            f"alpha is {alpha}, expected a number from 0 up to but not including 1",
            "give a small one, for example 0.01: the loss rewards probabilities up to 1 / (1 + alpha) only",
        )
    if not 0 < constant < float("inf"):
        raise BadSetting(f"constant is {constant}, expected a number above 0", "give 1, which is usual")
    return TokenLoss(partial(dice_loss, alpha=alpha, constant=constant), weight_tensor(weights, label_set))


def _check_smoothing(smoothing: float) -> None:
    if not 0 <= smoothing < 1:
        raise BadSetting(
            f"smoothing is {smoothing}, expected a number from 0 up to but not including 1", "give 0.1, or leave it out"
        )


def _complement(log_probabilities: Tensor) -> Tensor:
    """Return 1 - p, exact for p near 1 and never zero, because powers below 1 have no gradient there."""
    return (-torch.expm1(log_probabilities)).clamp_min(torch.finfo(log_probabilities.dtype).tiny)


def _divide_by_weights(total: Tensor, targets: Tensor, weights: Tensor) -> Tensor:
    return total / weights[targets].sum() if targets.numel() else total
