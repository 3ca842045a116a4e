"""Batches of texts for the loss on devel, from the scores of the predictions."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from linnet.tasks.texts.networks.shape import Shape
from linnet.tasks.texts.read_texts import FloatArray, ReadText
from linnet.training.devel_loss import Batch

__all__ = ["batch_of_texts", "batches_of_windows"]


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
    joined = torch.stack([_join_windows(read, torch.from_numpy(np.stack(scores)), shape) for read, scores in rows])
    right = torch.tensor(targets)
    return Batch(shape.kind.arrange(joined), right)


def _join_windows(read: ReadText, scores: Tensor, shape: Shape) -> Tensor:
    """Return the scores (outputs) of a text from those of its windows, as the network joins them in training."""
    if shape.method == "bi":
        sides = torch.tensor(read.sides)
        first, second = (scores[sides == side].mean(dim=0) for side in (0, 1))
        return functional.cosine_similarity(first, second, dim=0).view(1)
    return scores.amax(dim=0) if shape.windows == "max" else scores.mean(dim=0)
