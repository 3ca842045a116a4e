"""Marginal cross-entropy for partial labels, for corpora that do not annotate all labels.

In a corpus of chemicals a disease is tagged O only because diseases are not annotated. If several corpora train one
head, the O of each means "O, or any tag that this corpus does not annotate". The loss of such a token is the negative
logarithm of the summed probability of all these tags, so the network may choose among them.
Source: marginal likelihood of partial labels; for corpora of different types, Greenberg et al., 2018.
"""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from linnet.errors import BadSetting
from linnet.labels.label_set import LabelSet
from linnet.labels.tagging import OUTSIDE
from linnet.losses.cost_sensitive import TokenLoss, select_counted_tokens, weight_tensor

__all__ = ["MarginalLoss"]


class MarginalLoss(TokenLoss):
    """The weighted cross-entropy in which O stands for itself and for all tags that are not annotated."""

    alternatives: Tensor

    def __init__(self, label_set: LabelSet, weights: Mapping[str, float] | None, unannotated: Sequence[str]) -> None:
        super().__init__(self._compute, weight_tensor(weights, label_set))
        unknown = [tag for tag in unannotated if tag not in label_set]
        if unknown:
            raise BadSetting(f"unknown tags: {', '.join(unknown)}", f"the head knows {', '.join(label_set.names)}")
        self.outside = label_set.id_by_name[OUTSIDE]
        alternatives = torch.tensor([tag in {OUTSIDE, *unannotated} for tag in label_set.names])
        self.register_buffer("alternatives", alternatives, persistent=False)

    def _compute(self, logits: Tensor, targets: Tensor, weights: Tensor) -> Tensor:
        """Return sum of w[y] * -log P(y) over the tokens, divided by the sum of w[y]; P(O) sums its alternatives.

        Expected inputs: logits (batch, tokens, tags), targets (batch, tokens), -100 ignored; weights (tags), positive.
        """
        logits, targets, weights = select_counted_tokens(logits, targets, weights)
        if not len(targets):
            return logits.sum() * 0.0
        log_probabilities = functional.log_softmax(logits, dim=-1)
        exact = log_probabilities.gather(1, targets.unsqueeze(1)).squeeze(1)
        summed = log_probabilities.masked_fill(~self.alternatives, -torch.inf).logsumexp(dim=1)
        chosen = torch.where(targets == self.outside, summed, exact)
        target_weights = weights[targets]
        return -(target_weights * chosen).sum() / target_weights.sum()
