"""Contrastive learning of an encoder from names."""

import math
from itertools import pairwise

import pytest
import torch
from transformers import AutoModel

from linnet.losses.cost_sensitive import IGNORED
from linnet.models.encoders import quietly
from linnet.tasks.linking.training.contrastive import (
    N_TOGETHER,
    TEMPERATURE,
    NameExample,
    NameNetwork,
    collate,
    contrast,
    encode_pairs,
)
from linnet.tasks.linking.training.meaning import pool
from linnet.tasks.linking.training.name_pairs import NamePair
from tests import tiny

ONE, TWO, THREE = [5, 6], [7], [8, 9, 10]


def test_the_loss_is_the_cross_entropy_of_the_similarities() -> None:
    vectors = torch.tensor([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]])
    concepts, is_learned = torch.tensor([4, 4, 9]), torch.tensor([True, False, False])

    loss = contrast(vectors, concepts, is_learned)

    right, wrong = math.exp(0.6 / TEMPERATURE), math.exp(0.0)  # cosines with the second and the third text
    assert loss.item() == pytest.approx(-math.log(right / (right + wrong)), abs=1e-5)


def test_all_texts_of_a_concept_are_right() -> None:
    vectors = torch.nn.functional.normalize(torch.tensor([[1.0, 0.1], [1.0, 0.2], [1.0, 0.0]]), dim=1)

    loss = contrast(vectors, torch.tensor([4, 4, 4]), torch.tensor([True, True, True]))

    assert loss.item() == pytest.approx(0, abs=1e-5)


def test_vectors_of_one_concept_are_drawn_together_and_others_pushed_away() -> None:
    vectors = torch.tensor([[1.0, 0.0], [0.6, 0.8], [0.8, 0.6]], requires_grad=True)

    loss = contrast(vectors, torch.tensor([1, 1, 2]), torch.tensor([True, True, False]))
    (gradient,) = torch.autograd.grad(loss, vectors)

    assert gradient[1, 0].item() < 0  # the second comes nearer to the first
    assert gradient[2, 0].item() > 0  # the third leaves it


def test_a_batch_has_each_text_once_and_learns_from_pairs_only() -> None:
    examples = [NameExample([ONE, TWO, THREE], [1, 1, 2]), NameExample([ONE, TWO], [1, 1])]

    batch = collate(examples, 0)

    assert batch["input_ids"].tolist() == [[7, 0, 0], [5, 6, 0], [8, 9, 10]]  # the shortest first
    assert batch["attention_mask"].tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert batch["concepts"].tolist() == [1, 1, 2]
    assert batch["labels"].tolist() == [1, 1, IGNORED]


def test_texts_are_computed_in_groups_of_similar_length_with_the_loss_of_the_whole() -> None:
    torch.manual_seed(0)
    with quietly():
        network = AutoModel.from_pretrained(tiny.encoder("bert")).eval()
    texts = [[5 + i % 7] * (1 + i % 9) + [i % 5 + 5] for i in range(2 * N_TOGETHER)]
    batch = collate([NameExample([one, two], [i, i]) for i, (one, two) in enumerate(pairwise(texts))], 0)
    given = {name: batch[name] for name in ("input_ids", "attention_mask")}

    with torch.no_grad():
        loss = NameNetwork(network, of_first=False)(
            labels=batch["labels"], share=torch.tensor(1.0), concepts=batch["concepts"], **given
        )
        whole = pool(network(**given).last_hidden_state, given["attention_mask"], of_first=False)

    assert len(given["input_ids"]) > N_TOGETHER
    expected = contrast(whole, batch["concepts"], batch["labels"] != IGNORED)
    assert loss.item() == pytest.approx(expected.item(), rel=1e-4)


def test_a_text_that_loses_its_partner_is_not_learned_from() -> None:
    homonym = [NameExample([ONE, TWO], [1, 1]), NameExample([ONE, THREE], [2, 2])]

    batch = collate(homonym, 0)

    assert batch["input_ids"].tolist() == [[7, 0, 0], [5, 6, 0], [8, 9, 10]]
    assert batch["concepts"].tolist() == [1, 1, 2]  # the first meaning of ONE counts
    assert batch["labels"].tolist() == [1, 1, IGNORED]


def test_pairs_become_subwords_with_their_concepts() -> None:
    def tokenizer(texts: list[str], **_: object) -> dict[str, list[list[int]]]:
        return {"input_ids": [[len(text)] for text in texts]}

    (example,) = encode_pairs([NamePair("a", "bb", 3, (("ccc", 5),))], tokenizer)

    assert (example.ids, example.concepts, len(example)) == ([[1], [2], [3]], [3, 3, 5], 3)
