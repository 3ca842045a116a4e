"""Contrastive learning: the vectors of names of one concept come near each other, those of similar names go away.

The idea and the mean over positives are those of supervised contrastive learning (Khosla et al. 2020); learning from
the synonyms of a vocabulary follows SapBERT (Liu et al. 2021). Unlike there, hard negatives come from the n-grams of
the vocabulary, which are the candidates that a linker has to tell apart, and vectors are means over sub-words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from linnet.losses.cost_sensitive import IGNORED
from linnet.tasks.linking.training.meaning import LONGEST, pool
from linnet.tasks.linking.training.name_pairs import NamePair
from linnet.training.network import CorpusLoss, NetworkWithLosses

__all__ = ["NameExample", "NameNetwork", "collate", "contrast", "encode_pairs"]

CORPUS = "names"
TEMPERATURE = 0.05
N_TOGETHER = 16  # texts of similar length that are computed together; a whole batch is mostly padding


@dataclass(frozen=True, slots=True)
class NameExample:
    """The sub-words of a pair and of the other names, with their concepts."""

    ids: list[list[int]]  # the pair first
    concepts: list[int]

    def __len__(self) -> int:
        """How many sub-words are read."""
        return sum(map(len, self.ids))


class NameNetwork(NetworkWithLosses):
    """An encoder of names with the contrastive loss, as the shared trainer trains it."""

    def __init__(self, network: PreTrainedModel, *, of_first: bool) -> None:
        """Keep the network; `of_first` takes the vector of the first sub-word instead of the mean."""
        super().__init__(network, {CORPUS: CorpusLoss("", nn.CrossEntropyLoss())})
        self.of_first = of_first

    def forward(self, labels: Tensor, share: Tensor, corpus: str | None = None, **inputs: Tensor) -> Tensor:
        """Return this batch's part of the loss.

        Args:
            labels: (texts,) the concept of a text that is learned from, -100 of the others.
            share: one over the texts that are learned from in the update, times the number of processes.
            corpus: not used, since there is one.
            inputs: `input_ids` and `attention_mask` (texts, sub-words), the shortest text first, `concepts` (texts,).
        """
        ids, masks = (torch.split(inputs[name], N_TOGETHER) for name in ("input_ids", "attention_mask"))
        vectors = torch.cat([self._vectors(*each) for each in zip(ids, masks, strict=True)])
        return contrast(vectors, inputs["concepts"], labels != IGNORED) * share

    def _vectors(self, ids: Tensor, mask: Tensor) -> Tensor:
        width = int(mask.sum(1).max())
        hidden = self.network(input_ids=ids[:, :width], attention_mask=mask[:, :width]).last_hidden_state
        vectors: Tensor = pool(hidden, mask[:, :width], of_first=self.of_first)
        return vectors

    def mass(self, labels: Tensor, corpus: str | None = None) -> Tensor:
        """Return the weight of a batch: how many of its texts are learned from."""
        return (labels != IGNORED).sum().float()


def contrast(vectors: Tensor, concepts: Tensor, is_learned: Tensor) -> Tensor:
    """Return the summed loss of the texts that are learned from.

    That of a text is the cross-entropy of its similarities to all others of the batch; those of its concept are right.

    Args:
        vectors: (texts, width) of length 1.
        concepts: (texts,).
        is_learned: (texts,) which of them to learn from; each must have another text of its concept.
    """
    similar = vectors @ vectors.T / TEMPERATURE
    itself = torch.eye(len(vectors), dtype=torch.bool, device=vectors.device)
    similar = similar.masked_fill(itself, -torch.inf)
    is_right = (concepts[:, None] == concepts[None]) & ~itself
    right = similar.masked_fill(~is_right, -torch.inf)
    return (similar.logsumexp(1)[is_learned] - right.logsumexp(1)[is_learned]).sum()


def encode_pairs(pairs: Iterable[NamePair], tokenizer: Any) -> list[NameExample]:
    """Return the sub-words of the pairs."""
    examples = []
    for pair in pairs:
        texts = [pair.first, pair.second, *(name for name, _ in pair.others)]
        ids = tokenizer(texts, truncation=True, max_length=LONGEST)["input_ids"]
        examples.append(NameExample(ids, [pair.concept, pair.concept, *(concept for _, concept in pair.others)]))
    return examples


def collate(examples: Sequence[NameExample], pad_id: int) -> dict[str, Any]:
    """Return a padded batch in which each text stands once, the shortest first.

    Of a text with several concepts the first one counts.
    """
    concept_of: dict[tuple[int, ...], int] = {}
    learned: set[tuple[int, ...]] = set()
    for example in examples:
        for place, (ids, concept) in enumerate(zip(example.ids, example.concepts, strict=True)):
            concept_of.setdefault(tuple(ids), concept)
            if place < 2:
                learned.add(tuple(ids))
    texts = sorted(concept_of, key=len)
    concepts = torch.tensor([concept_of[ids] for ids in texts])
    has_other = (concepts[:, None] == concepts[None]).sum(1) > 1
    is_learned = torch.tensor([ids in learned for ids in texts]) & has_other
    width = max(map(len, texts))
    return {
        "input_ids": torch.tensor([[*ids, *[pad_id] * (width - len(ids))] for ids in texts]),
        "attention_mask": torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids in texts]),
        "concepts": concepts,
        "labels": concepts.masked_fill(~is_learned, IGNORED),
        "corpus": CORPUS,
    }
