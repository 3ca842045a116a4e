"""Batches of words for the loss on devel: padded scores, and targets that ignore the padding."""

import numpy as np

from linnet.labels.label_set import LabelSet
from linnet.losses.cost_sensitive import IGNORED
from linnet.tasks.ner import devel_batches as module
from linnet.tasks.ner.devel_batches import batches_of_words

TAGS = LabelSet.of_tags(["X"], "iob2")


def scores(n_words: int) -> module.FloatArray:
    return np.ones((n_words, len(TAGS)), np.float32)


def test_shorter_sentences_are_padded_and_their_padding_is_ignored() -> None:
    (batch,) = batches_of_words([scores(3), scores(1)], [["B-X", "I-X", "O"], ["O"]], TAGS)

    ids = TAGS.id_by_name
    assert tuple(batch.logits.shape) == (2, 3, 3)
    assert batch.targets.tolist() == [[ids["B-X"], ids["I-X"], ids["O"]], [ids["O"], IGNORED, IGNORED]]
    assert batch.logits[1].tolist() == [[1.0] * 3, [0.0] * 3, [0.0] * 3]


def test_many_sentences_are_several_batches() -> None:
    n_sentences = module.SENTENCES + 1

    found = list(batches_of_words([scores(1)] * n_sentences, [["O"]] * n_sentences, TAGS))

    assert [len(batch.targets) for batch in found] == [module.SENTENCES, 1]
