"""How well does the network guess in text that it does not learn from?

What is hidden there is the same for every seed and every budget, so that two measurements differ by the network only.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch.nn import functional

from linnet.batches.bucketing import batch_by_tokens
from linnet.losses.cost_sensitive import IGNORED
from linnet.pretraining.learning.examples import Maker, MaskedExample, TextSequence, collate
from linnet.pretraining.learning.objective import LanguageNetwork
from linnet.pretraining.learning.schedule import Scores

__all__ = ["Guesses", "held_out_examples", "judge"]

HELD_OUT, SEED = 0x4E1D, 1  # keep these draws apart from those of training, and the same for all trainings
MOST_TOKENS = 4096  # of a batch


@dataclass(frozen=True)
class Guesses:
    """How often, and how surely, the hidden was guessed."""

    loss: float = 0.0  # summed over the hidden places
    n_hidden: int = 0
    n_right: int = 0
    n_ordered: int = 0
    n_order_right: int = 0

    @property
    def perplexity(self) -> float:
        """Among how many equally likely sub-words the network is undecided, on average."""
        try:
            return math.exp(self.loss / self.n_hidden) if self.n_hidden else math.nan
        except OverflowError:
            return math.inf

    def as_dict(self) -> Scores:
        """Return what is reported; a perplexity that is no number is None, since JSON has no other word for it."""
        perplexity = self.perplexity if math.isfinite(self.perplexity) else None
        found: Scores = {"perplexity": perplexity, "accuracy": self.n_right / max(1, self.n_hidden)}
        if self.n_ordered:
            found["order_accuracy"] = self.n_order_right / self.n_ordered
        return found

    def __add__(self, other: "Guesses") -> "Guesses":
        return Guesses(
            self.loss + other.loss,
            self.n_hidden + other.n_hidden,
            self.n_right + other.n_right,
            self.n_ordered + other.n_ordered,
            self.n_order_right + other.n_order_right,
        )


def held_out_examples(sequences: Sequence[TextSequence], maker: Maker, most: int) -> list[MaskedExample]:
    """Return at most so many of the sequences with something hidden; the same ones each time."""
    order = np.random.default_rng((SEED, HELD_OUT)).permutation(len(sequences))
    maker = replace(maker, seed=SEED)
    return [maker.make(sequences[int(number)], int(number), HELD_OUT) for number in sorted(order[:most])]


def judge(model: LanguageNetwork, examples: Sequence[MaskedExample], pad_id: int) -> Guesses:
    """Return how well the network guesses; it goes on training afterwards if it did before."""
    was_training = model.training
    model.eval()
    found = Guesses()
    lengths = [len(example) for example in examples]
    with torch.no_grad():
        for batch in batch_by_tokens(lengths, most_tokens=MOST_TOKENS, most_examples=64):
            found += _judge_batch(model, [examples[number] for number in batch], pad_id)
    model.train(was_training)
    return found


def _judge_batch(model: LanguageNetwork, examples: Sequence[MaskedExample], pad_id: int) -> Guesses:
    device = next(model.parameters()).device
    batch = {key: value.to(device) for key, value in collate(examples, pad_id).items() if key != "corpus"}
    labels = batch.pop("labels")
    words, order = model.scores(**batch)
    loss = functional.cross_entropy(words, labels, reduction="sum").item()
    right = int((words.argmax(dim=-1) == labels).sum())
    if order is None:
        return Guesses(loss, len(labels), right)
    wanted = batch["order"]
    n_ordered = int((wanted != IGNORED).sum())
    return Guesses(loss, len(labels), right, n_ordered, int((order.argmax(dim=-1) == wanted).sum()))
