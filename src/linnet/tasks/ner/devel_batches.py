"""Batches of words for the loss on devel, from the scores of the predictions."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import numpy as np
import torch

from linnet.labels.label_set import LabelSet
from linnet.losses.cost_sensitive import IGNORED
from linnet.training.devel_loss import Batch

__all__ = ["batches_of_words"]

FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
SENTENCES = 64  # that are padded to one length; few, so that a long one costs little


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
