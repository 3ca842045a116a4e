"""The training objective: masked language modelling, with sentence-order prediction if wanted.

The loss is the mean over the masked positions of an update plus, for sentence-order prediction, the mean over its
sequences (Lan et al. 2020). It does not depend on how the update is split into batches and among processes.
"""

import torch
from torch import Tensor, distributed, nn
from torch.nn import functional
from transformers import PreTrainedModel

from linnet.losses.cost_sensitive import IGNORED
from linnet.pretraining.learning.examples import CORPUS
from linnet.pretraining.learning.networks import encode, predict_order, predict_subwords
from linnet.training.network import CorpusLoss, NetworkWithLosses

__all__ = ["LanguageNetwork"]


class LanguageNetwork(NetworkWithLosses):
    """A network with the loss of its predictions, as the shared trainer trains it.

    It is a `NetworkWithLosses` whose loss has two parts; the trainer counts the targets of the first.
    """

    def __init__(self, network: PreTrainedModel, *, sequences_per_update: int, sentence_order: bool) -> None:
        """Keep the network; `sequences_per_update` counts all batches and processes of an update."""
        super().__init__(network, {CORPUS: CorpusLoss("", nn.CrossEntropyLoss())})
        self.sequences_per_update = sequences_per_update
        self.sentence_order = sentence_order

    def forward(self, labels: Tensor, share: Tensor, corpus: str | None = None, **inputs: Tensor) -> Tensor:
        """Return this batch's part of the loss.

        Args:
            labels: (masked,) the original sub-words.
            share: one over the masked positions of the update, times the number of processes.
            corpus: not used, since there is one text.
            inputs: `input_ids`, `attention_mask`, `token_type_ids` (sequences, tokens), `positions` (masked,), `order`
                (sequences,), as `collate` returns them.
        """
        words, order = self.predict(**inputs)
        loss = functional.cross_entropy(words, labels, reduction="sum") * share
        if order is not None:
            loss_of_order = functional.cross_entropy(order, inputs["order"], ignore_index=IGNORED, reduction="sum")
            # gradients are averaged over processes, so each part is multiplied by their number
            loss = loss + loss_of_order * (_count_processes() / self.sequences_per_update)
        return loss

    def predict(self, positions: Tensor, order: Tensor, **inputs: Tensor) -> tuple[Tensor, Tensor | None]:
        """Return the logits of sub-words (masked, vocabulary) and, if it is trained, of the order (sequences, 2)."""
        network = self.network
        assert isinstance(network, PreTrainedModel)
        hidden, pooled = encode(network, **inputs)
        if not self.sentence_order:
            return predict_subwords(network, hidden, positions), None
        assert pooled is not None
        return predict_subwords(network, hidden, positions), predict_order(network, pooled)

    def mass(self, labels: Tensor, corpus: str | None = None) -> Tensor:
        """Return the weight of a batch: its number of masked positions."""
        return torch.tensor(float(len(labels)), device=labels.device)


def _count_processes() -> int:
    return distributed.get_world_size() if distributed.is_initialized() else 1
