"""Held-out perplexity and accuracy of masked language modelling.

The masks are the same for every seed and every budget, so that two measurements differ by the network only.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch.nn import functional

from linnet.batches.bucketing import batch_by_tokens
from linnet.losses.cost_sensitive import IGNORED
from linnet.models.precision import computing_in
from linnet.pretraining.learning.examples import ExampleMaker, MaskedExample, TextSequence, collate
from linnet.pretraining.learning.objective import LanguageNetwork
from linnet.pretraining.learning.schedule import Scores

__all__ = ["HeldOutCounts", "evaluate", "make_held_out_examples"]

HELD_OUT, SEED = 0x4E1D, 1  # these draws differ from those of training, and are the same for all trainings
MOST_TOKENS = 4096  # in a batch


@dataclass(frozen=True)
class HeldOutCounts:
    """Counts of predictions in held-out text, from which all scores are derived."""

    loss: float = 0.0  # summed over the masked positions
    n_masked: int = 0
    n_correct: int = 0
    n_ordered: int = 0  # sequences with an order to predict
    n_order_correct: int = 0

    @property
    def perplexity(self) -> float:
        """Exponential of the mean loss; NaN without masked positions."""
        try:
            return math.exp(self.loss / self.n_masked) if self.n_masked else math.nan
        except OverflowError:
            return math.inf

    def as_dict(self) -> Scores:
        """Return the scores; a perplexity that is not finite is None, as in JSON."""
        perplexity = self.perplexity if math.isfinite(self.perplexity) else None
        scores: Scores = {"perplexity": perplexity, "accuracy": self.n_correct / max(1, self.n_masked)}
        if self.n_ordered:
            scores["order_accuracy"] = self.n_order_correct / self.n_ordered
        return scores

    def __add__(self, other: "HeldOutCounts") -> "HeldOutCounts":
        return HeldOutCounts(
            loss=self.loss + other.loss,
            n_masked=self.n_masked + other.n_masked,
            n_correct=self.n_correct + other.n_correct,
            n_ordered=self.n_ordered + other.n_ordered,
            n_order_correct=self.n_order_correct + other.n_order_correct,
        )


def make_held_out_examples(sequences: Sequence[TextSequence], maker: ExampleMaker, most: int) -> list[MaskedExample]:
    """Return masked examples of at most `most` sequences; the same ones each time."""
    order = np.random.default_rng((SEED, HELD_OUT)).permutation(len(sequences))
    maker = replace(maker, seed=SEED)
    return [maker.make(sequences[int(number)], int(number), HELD_OUT) for number in sorted(order[:most])]


def evaluate(model: LanguageNetwork, examples: Sequence[MaskedExample], pad_id: int) -> HeldOutCounts:
    """Return the counts of the network's predictions; its training mode is restored afterwards."""
    was_training = model.training
    model.eval()
    counts = HeldOutCounts()
    lengths = [len(example) for example in examples]
    device = next(model.parameters()).device
    with torch.no_grad(), computing_in("float32", device.type):
        for batch in batch_by_tokens(lengths, most_tokens=MOST_TOKENS, most_examples=64):
            counts += _evaluate_batch(model, [examples[number] for number in batch], pad_id)
    model.train(was_training)
    return counts


def _evaluate_batch(model: LanguageNetwork, examples: Sequence[MaskedExample], pad_id: int) -> HeldOutCounts:
    device = next(model.parameters()).device
    batch = {key: value.to(device) for key, value in collate(examples, pad_id).items() if key != "corpus"}
    labels = batch.pop("labels")
    words, order = model.predict(**batch)
    loss = functional.cross_entropy(words, labels, reduction="sum").item()
    counts = HeldOutCounts(loss, len(labels), int((words.argmax(dim=-1) == labels).sum()))
    if order is None:
        return counts
    gold = batch["order"]
    n_order_correct = int((order.argmax(dim=-1) == gold).sum())
    return replace(counts, n_ordered=int((gold != IGNORED).sum()), n_order_correct=n_order_correct)
