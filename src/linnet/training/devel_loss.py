"""The loss on devel, from the same scores of the network that the devel predictions are made of.

It is the loss of the training, class weights included, without dropout. Nothing random is drawn.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from linnet.labels.label_set import LabelSet
from linnet.losses.cost_sensitive import IGNORED
from linnet.tasks.texts.network import Shape
from linnet.tasks.texts.predictor import ReadText
from linnet.training.network import PricedNetwork

__all__ = ["Batch", "batch_of_texts", "batches_of_windows", "batches_of_words", "loss_of_batches"]

FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
SENTENCES = 64  # that are padded to one length; few, so that a long one costs little


class Batch(NamedTuple):
    """Scores of the network and what is right, in the shapes that the loss wants."""

    logits: Tensor
    targets: Tensor


def loss_of_batches(model: PricedNetwork, batches: Iterable[Batch]) -> float | None:
    """Return the loss over all batches, each counted by its mass, as if they were one; None where nothing counts.

    Args:
        model: whose target's loss it is.
        batches: of the target's examples.
    """
    device = next(model.parameters()).device
    cost, total = 0.0, 0.0
    with torch.no_grad():
        for batch in batches:
            logits, targets = batch.logits.to(device), batch.targets.to(device)
            mass = float(model.mass(targets))
            if mass > 0:
                cost += mass * float(model.loss(logits, targets))
                total += mass
    return cost / total if total else None


def batches_of_words(rows: Iterable[FloatArray], tags: Iterable[Sequence[str]], label_set: LabelSet) -> Iterator[Batch]:
    """Yield sentences of words: logits (sentences, words, tags) and targets (sentences, words).

    Args:
        rows: scores (words, tags) of each sentence.
        tags: the right ones, by name.
        label_set: the tags in the order of the scores.
    """
    pairs = zip(rows, tags, strict=True)
    ids = label_set.id_by_name
    while chunk := list(islice(pairs, SENTENCES)):
        longest = max(len(right) for _, right in chunk)
        logits = torch.zeros(len(chunk), longest, len(label_set))
        targets = torch.full((len(chunk), longest), IGNORED)
        for number, (scores, right) in enumerate(chunk):
            logits[number, : len(right)] = torch.from_numpy(scores)
            targets[number, : len(right)] = torch.tensor([ids[tag] for tag in right], dtype=torch.long)
        yield Batch(logits, targets)


def batches_of_windows(rows: Iterable[FloatArray], targets: Iterable[Sequence[float]]) -> Iterator[Batch]:
    """Yield windows that an answer may stand in, one by one: logits (1, 2, tokens) and targets (1, 2)."""
    for scores, right in zip(rows, targets, strict=True):
        yield Batch(torch.from_numpy(scores).unsqueeze(0), torch.tensor([right], dtype=torch.long))


def batch_of_texts(
    rows: Sequence[tuple[ReadText, Sequence[FloatArray]]], targets: Sequence[Sequence[float]], shape: Shape
) -> Batch:
    """Return all texts at once: logits (texts, 1, classes), (texts, labels, 2) or (texts, 1, 1).

    Args:
        rows: each text as it was read, with the scores of its windows.
        targets: what is right, as numbers.
        shape: of the network, which says how windows are joined.
    """
    joined = torch.stack([_joined(read, torch.from_numpy(np.stack(scores)), shape) for read, scores in rows])
    right = torch.tensor(targets)
    if shape.kind == "labels":
        return Batch(torch.stack([torch.zeros_like(joined), joined], dim=-1), right)
    return Batch(joined.unsqueeze(1), right)


def _joined(read: ReadText, scores: Tensor, shape: Shape) -> Tensor:
    """Return the scores (outputs) of a text from those of its windows, as the network joins them in training."""
    if shape.method == "bi":
        sides = torch.tensor(read.sides)
        first, second = (scores[sides == side].mean(dim=0) for side in (0, 1))
        return functional.cosine_similarity(first, second, dim=0).view(1)
    return scores.amax(dim=0) if shape.windows == "max" else scores.mean(dim=0)
