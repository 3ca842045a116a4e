"""Soft-target loss of distillation: cross-entropy between the tag probabilities of teachers and student.

Targets are numbers of words, by which the probabilities of each teacher are looked up. A teacher that does not know a
tag of the student leaves it open: its O stands for O and for all such tags, as in the loss of partial labels.
Source: Hinton et al., 2015, for temperature and its square as a factor.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from linnet.labels.label_set import LabelSet
from linnet.labels.tagging import OUTSIDE
from linnet.losses.cost_sensitive import select_counted_tokens
from linnet.tasks.ner.distillation.targets import Targets

__all__ = ["SoftLoss", "Voice"]


@dataclass(frozen=True)
class Voice:
    """What one teacher says: its log-probabilities (words, its tags), and the student's tag for each of its tags."""

    targets: Targets
    tags: Sequence[str]


class SoftLoss(nn.Module):
    """The mean cross-entropy over all words and all teachers that are sure enough of them."""

    def __init__(
        self, label_set: LabelSet, voices: Sequence[Voice], *, temperature: float, min_confidence: float
    ) -> None:
        super().__init__()
        self.voices = tuple(voices)
        self.temperature, self.min_confidence = temperature, min_confidence
        self.outside = label_set.id_by_name[OUTSIDE]
        self.columns = [torch.tensor(label_set.ids(voice.tags)) for voice in voices]

    def forward(self, logits: Tensor, words: Tensor) -> Tensor:
        """Return the loss of logits (batch, tokens, tags) for the numbers of words (batch, tokens), -100 ignored."""
        logits, words, _ = select_counted_tokens(logits, words, logits.new_ones(1))
        own = functional.log_softmax(logits / self.temperature, dim=-1)
        total, n_taught = logits.sum() * 0.0, 0
        rows = words.cpu().numpy()
        for voice, columns in zip(self.voices, self.columns, strict=True):
            taught = torch.from_numpy(voice.targets[rows]).to(own)
            is_sure = taught.amax(dim=1).exp() >= self.min_confidence
            target = self._target(taught, columns.to(own.device), own.shape[1])
            cost = -(target * self._heard(own, columns.to(own.device))).sum(dim=1)
            total = total + (cost * is_sure).sum()
            n_taught += int(is_sure.sum())
        return self.temperature**2 * total / max(1, n_taught)

    def _target(self, taught: Tensor, columns: Tensor, n_tags: int) -> Tensor:
        """Return the teacher's softened probabilities by the student's tags; those it does not know have none."""
        softened = functional.softmax(taught / self.temperature, dim=-1)
        return softened.new_zeros(len(softened), n_tags).index_add_(1, columns, softened)

    def _heard(self, own: Tensor, columns: Tensor) -> Tensor:
        """Return the student's log-probabilities with all tags that the teacher does not know counted as O."""
        is_known = torch.zeros(own.shape[1], dtype=torch.bool, device=own.device)
        is_known[columns] = True
        is_known[self.outside] = False
        outside = own.masked_fill(is_known, -torch.inf).logsumexp(dim=1, keepdim=True)
        is_outside = torch.arange(own.shape[1], device=own.device) == self.outside
        return torch.where(is_outside, outside, own)
