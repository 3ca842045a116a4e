"""What is learned: which sub-words were hidden, and which half came first?

The loss is the mean over the hidden places of an update plus, for sentence-order prediction, the mean over its
sequences (Lan et al. 2020), however the update is cut into batches and divided among processes.
"""

import torch
from torch import Tensor, distributed, nn
from torch.nn import functional
from transformers import PreTrainedModel

from linnet.losses.cost_sensitive import IGNORED
from linnet.pretraining.learning.examples import CORPUS
from linnet.pretraining.learning.networks import guess, guess_order, read
from linnet.training.network import Priced, PricedNetwork

__all__ = ["LanguageNetwork"]


class LanguageNetwork(PricedNetwork):
    """A network with the price of its guesses, as the shared trainer trains it.

    It is a `PricedNetwork` in all that the trainer asks of one; only its loss has two parts, of which the trainer
    counts the targets of the first.
    """

    def __init__(self, network: PreTrainedModel, *, sequences_per_update: int, sentence_order: bool) -> None:
        """Take the network; every update has so many sequences, over all its batches and processes."""
        super().__init__(network, {CORPUS: Priced("", nn.CrossEntropyLoss())})
        self.sequences_per_update = sequences_per_update
        self.sentence_order = sentence_order

    def forward(self, labels: Tensor, share: Tensor, corpus: str | None = None, **inputs: Tensor) -> Tensor:
        """Return this batch's part of the loss.

        Args:
            labels: (masked,) what was hidden.
            share: one over the hidden places of the update, times the number of processes.
            corpus: is the text.
            inputs: `input_ids`, `attention_mask`, `token_type_ids` (sequences, tokens), `places` (masked,), `order`
                (sequences,), as `collate` makes them.
        """
        words, order = self.scores(**inputs)
        cost = functional.cross_entropy(words, labels, reduction="sum") * share
        if order is not None:
            missed = functional.cross_entropy(order, inputs["order"], ignore_index=IGNORED, reduction="sum")
            # gradients are averaged over processes, so each part counts as often as there are processes
            cost = cost + missed * (_n_processes() / self.sequences_per_update)
        return cost

    def scores(self, places: Tensor, order: Tensor, **inputs: Tensor) -> tuple[Tensor, Tensor | None]:
        """Return the scores of sub-words (masked, vocabulary) and, where it is learned, of the order (sequences, 2)."""
        network = self.network
        assert isinstance(network, PreTrainedModel)
        hidden, summed_up = read(network, **inputs)
        if not self.sentence_order:
            return guess(network, hidden, places), None
        assert summed_up is not None
        return guess(network, hidden, places), guess_order(network, summed_up)

    def mass(self, labels: Tensor, corpus: str | None = None) -> Tensor:
        """Return by how much a batch counts: by its hidden places."""
        return torch.tensor(float(len(labels)), device=labels.device)


def _n_processes() -> int:
    return distributed.get_world_size() if distributed.is_initialized() else 1
