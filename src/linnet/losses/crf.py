"""Linear-chain conditional random field (CRF): likelihood, loss and Viterbi decoding.

The score of a tag sequence is the sum of its tags' emissions (the network's logits), of a score for each pair of
neighbouring tags, and of scores for the first and last tag (Lafferty et al., 2001). Computation is vectorised over the
batch and loops over the words.
"""

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from linnet.contracts import losses
from linnet.errors import BadSetting
from linnet.labels.label_set import LabelSet
from linnet.labels.tagging import OUTSIDE, check_tagging, is_allowed
from linnet.losses.cost_sensitive import IGNORED

__all__ = ["CrfLoss", "LinearChainCRF", "compact"]


class LinearChainCRF(nn.Module):
    """Transition scores between neighbouring tags; they start at zero, where tags are independent.

    With a `tagging`, decoding never returns a sequence that the tagging forbids. The likelihood is not restricted: a
    window that begins inside a mention is a true sequence that the tagging forbids, and must have a probability.

    Masks (batch, words) are true for words and false for the padding after them. A row may be empty; its likelihood is
    then 1 and its decoding has no tags.
    """

    is_forbidden_start: Tensor
    is_forbidden_step: Tensor
    is_forbidden_end: Tensor

    def __init__(self, label_set: LabelSet, *, tagging: str | None = None) -> None:
        super().__init__()
        n_tags = len(label_set)
        self.start = nn.Parameter(torch.zeros(n_tags))
        self.transitions = nn.Parameter(torch.zeros(n_tags, n_tags))  # from the tag of the row to the tag of the column
        self.end = nn.Parameter(torch.zeros(n_tags))
        starts, steps, ends = _find_forbidden(label_set, tagging)
        self.register_buffer("is_forbidden_start", starts, persistent=False)
        self.register_buffer("is_forbidden_step", steps, persistent=False)
        self.register_buffer("is_forbidden_end", ends, persistent=False)

    def log_likelihood(self, emissions: Tensor, tags: Tensor, mask: Tensor) -> Tensor:
        """Return the log-probability (batch) of each tag sequence.

        Args:
            emissions: (batch, words, tags), the network's scores.
            tags: (batch, words), the true tags; values under the padding do not matter.
            mask: (batch, words), true for words.
        """
        return self.score(emissions, tags, mask) - self.log_partition(emissions, mask)

    def score(self, emissions: Tensor, tags: Tensor, mask: Tensor) -> Tensor:
        """Return the score (batch) of each tag sequence: emissions, transitions, first and last tag."""
        emissions = _mask_padding(emissions, mask)
        if mask.shape[1] == 0:
            return emissions.sum(dim=(1, 2))
        tags = tags.masked_fill(~mask, 0)
        own = emissions.gather(2, tags.unsqueeze(2)).squeeze(2).sum(dim=1)
        steps = (self.transitions[tags[:, :-1], tags[:, 1:]] * mask[:, 1:]).sum(dim=1)
        last = tags.gather(1, (mask.sum(dim=1, keepdim=True) - 1).clamp_min(0)).squeeze(1)
        ends = (self.start[tags[:, 0]] + self.end[last]) * mask[:, 0]
        return own + steps + ends

    def log_partition(self, emissions: Tensor, mask: Tensor) -> Tensor:
        """Return the logarithm (batch) of the summed exponentials of the scores of all tag sequences."""
        emissions = _mask_padding(emissions, mask)
        if mask.shape[1] == 0:
            return emissions.sum(dim=(1, 2))
        sums = self.start + emissions[:, 0]
        for word in range(1, mask.shape[1]):
            longer = torch.logsumexp(sums.unsqueeze(2) + self.transitions, dim=1) + emissions[:, word]
            sums = torch.where(mask[:, word, None], longer, sums)
        return torch.logsumexp(sums + self.end, dim=1) * mask[:, 0]

    def viterbi(self, emissions: Tensor, mask: Tensor) -> list[list[int]]:
        """Return the tag sequence with the highest score for each row, one tag for each word.

        Args:
            emissions: (batch, words, tags), the network's scores.
            mask: (batch, words), true for words.
        """
        with torch.no_grad():
            emissions = _mask_padding(emissions, mask)
            if mask.shape[1] == 0:
                return [[] for _ in range(mask.shape[0])]
            last, steps_back = self._best_steps(emissions, mask)
            rows = [last]
            for before in reversed(steps_back):
                rows.append(before.gather(1, rows[-1].unsqueeze(1)).squeeze(1))
            tags = torch.stack(rows[::-1], dim=1).tolist()
        return [row[:n_words] for row, n_words in zip(tags, mask.sum(dim=1).tolist(), strict=True)]

    def _best_steps(self, emissions: Tensor, mask: Tensor) -> tuple[Tensor, list[Tensor]]:
        """Return the best last tag (batch), and for each word after the first the best previous tag (batch, tags)."""
        start = self.start.masked_fill(self.is_forbidden_start, -torch.inf)
        transitions = self.transitions.masked_fill(self.is_forbidden_step, -torch.inf)
        end = self.end.masked_fill(self.is_forbidden_end, -torch.inf)
        best = start + emissions[:, 0]
        itself = torch.arange(len(start), device=emissions.device)  # padding keeps the last tag of a row
        steps_back = []
        for word in range(1, mask.shape[1]):
            is_word = mask[:, word, None]
            longer, before = (best.unsqueeze(2) + transitions).max(dim=1)
            best = torch.where(is_word, longer + emissions[:, word], best)
            steps_back.append(torch.where(is_word, before, itself))
        return (best + end).argmax(dim=1), steps_back


class CrfLoss(nn.Module):
    """The negative log-likelihood of the true tag sequences, with the CRF that decodes them.

    What it computes: the sum over the sentences of -log p(tags | words), divided by the number of words. With all
    transition scores at zero this is the cross-entropy without weights.
    Expected inputs: logits (batch, tokens, tags), targets (batch, tokens); tokens with the target -100 (padding and
    sub-words after the first) are removed first, so that words follow words. No weights.
    When to prefer it: if tags depend on their neighbours, above all with small encoders and long mentions.
    Source: Lafferty et al., 2001; on top of a neural network: Collobert et al., 2011.
    """

    def __init__(self, field: LinearChainCRF) -> None:
        super().__init__()
        self.field = field

    def forward(self, logits: Tensor, targets: Tensor) -> Tensor:
        """Return the mean loss of a word."""
        is_counted = targets != IGNORED
        emissions, mask = compact(logits, is_counted)
        tags, _ = compact(targets, is_counted)
        total = -self.field.log_likelihood(emissions, tags, mask).sum()
        return total / mask.sum().clamp_min(1)

    def decode(self, logits: Tensor, is_counted: Tensor) -> list[list[int]]:
        """Return the best tags of the counted tokens (batch, tokens), in their order, for each row."""
        return self.field.viterbi(*compact(logits, is_counted))


def compact(values: Tensor, is_kept: Tensor) -> tuple[Tensor, Tensor]:
    """Move the kept values of each row to its front, and return them with their mask.

    Args:
        values: (batch, tokens) or (batch, tokens, tags).
        is_kept: (batch, tokens).

    Returns:
        The values (batch, words) or (batch, words, tags), with `words` the largest number kept in a row, and the
        mask (batch, words). Values under a false mask are arbitrary.

    >>> compact(torch.tensor([[7, 8, 9], [4, 5, 6]]), torch.tensor([[True, False, True], [False, True, False]]))
    (tensor([[7, 9],
            [5, 4]]), tensor([[ True,  True],
            [ True, False]]))
    """
    n_kept = is_kept.sum(dim=1)
    n_words = int(n_kept.max()) if n_kept.numel() else 0
    order = torch.argsort((~is_kept).to(torch.uint8), dim=1, stable=True)[:, :n_words]
    mask = torch.arange(n_words, device=is_kept.device) < n_kept.unsqueeze(1)
    rows = torch.arange(is_kept.shape[0], device=is_kept.device).unsqueeze(1)
    return values[rows, order], mask


@losses.register("crf")
def _crf(label_set: LabelSet, weights: Mapping[str, float] | None, *, tagging: str | None = None) -> CrfLoss:
    """Linear-chain conditional random field over whole sentences."""
    if weights is not None and any(weight != 1 for weight in weights.values()):
        raise BadSetting(
            "loss 'crf' cannot use weights: a linear-chain CRF scores whole sequences, and per-tag weights have no"
            " place in its likelihood",
            "use scheme 'none' with it, or loss 'cross-entropy' with the scheme",
        )
    return CrfLoss(LinearChainCRF(label_set, tagging=tagging))


def _find_forbidden(label_set: LabelSet, tagging: str | None) -> tuple[Tensor, Tensor, Tensor]:
    """Return which tags may not be first (tags), follow each other (tags, tags) and be last (tags)."""
    names = label_set.names
    if tagging is None:
        nothing = torch.zeros(len(names), dtype=torch.bool)
        return nothing, torch.zeros(len(names), len(names), dtype=torch.bool), nothing.clone()
    check_tagging(tagging)
    if OUTSIDE not in label_set:  # with it, there is an allowed sequence of every length
        raise BadSetting(f"a CRF for {tagging} needs the tag 'O' among {', '.join(names)}", "add it to the label set")
    starts = torch.tensor([not is_allowed(OUTSIDE, tag, tagging) for tag in names])
    steps = torch.tensor([[not is_allowed(before, tag, tagging) for tag in names] for before in names])
    ends = torch.tensor([not is_allowed(tag, OUTSIDE, tagging) for tag in names])
    return starts, steps, ends


def _mask_padding(emissions: Tensor, mask: Tensor) -> Tensor:
    """Return the emissions at least as float32, with zeros under the padding."""
    if bool((mask[:, 1:] & ~mask[:, :-1]).any()):
        raise ValueError("a word stands after padding; use `compact` to move the words to the front")
    dtype = torch.promote_types(emissions.dtype, torch.float32)
    return emissions.to(dtype).masked_fill(~mask.unsqueeze(2), 0)
