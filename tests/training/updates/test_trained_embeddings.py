"""Only the embeddings of seen sub-words are trained, with the same result as if all were."""

from typing import Any

import pytest
import torch

from linnet.labels.label_set import LabelSet
from linnet.models.encoders import find_encoder, open_token_classifier
from linnet.training.updates.trained_embeddings import SeenEmbedding, restore_embeddings, train_only_seen
from tests import tiny

TAGS = LabelSet.of_tags(["Disease"], "iob2")
SEEN = [1, 2, 5, 6, 7]
IDS = torch.tensor([[1, 5, 6, 7, 2], [1, 7, 7, 5, 2]])
MASK = torch.ones_like(IDS)


def network_of(family: str) -> Any:  # Any: each family has a class of its own
    encoder = find_encoder(str(tiny.encoder(family)))
    torch.manual_seed(1)
    return open_token_classifier(encoder, TAGS, dropout=0, attention_dropout=0)


def train(network: Any) -> None:
    optimiser = torch.optim.AdamW(network.parameters(), lr=0.01, weight_decay=0.0)
    for _ in range(3):
        network.train()(input_ids=IDS, attention_mask=MASK).logits.square().mean().backward()
        optimiser.step()
        optimiser.zero_grad()
    network.eval()


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_every_family_ends_with_the_weights_of_a_training_with_the_whole_table(family: str) -> None:
    plain, narrow = network_of(family), network_of(family)

    train(plain)
    train_only_seen(narrow, SEEN)
    train(narrow)
    restore_embeddings(narrow)

    expected = plain.state_dict()
    found = narrow.state_dict()
    assert found.keys() == expected.keys()
    for name, tensor in expected.items():
        torch.testing.assert_close(found[name], tensor, rtol=1e-5, atol=1e-7)


def test_embeddings_of_other_words_stay_to_the_last_bit_while_seen_ones_learn() -> None:
    network = network_of("bert")
    before = network.get_input_embeddings().weight.detach().clone()

    train_only_seen(network, SEEN)
    train(network)
    restore_embeddings(network)

    after = network.get_input_embeddings().weight.detach()
    unseen = [row for row in range(len(after)) if row not in SEEN]
    assert torch.equal(after[unseen], before[unseen])
    assert not torch.equal(after[5], before[5])


def test_words_that_were_never_trained_can_be_read_while_training_lasts() -> None:
    network = network_of("bert")
    others = torch.tensor([[1, 9, 5, 10, 2]])
    train_only_seen(network, SEEN)
    train(network)

    within = network(input_ids=others, attention_mask=torch.ones_like(others)).logits
    restore_embeddings(network)
    plain = network(input_ids=others, attention_mask=torch.ones_like(others)).logits

    assert torch.equal(within, plain)


def test_a_frozen_table_or_one_that_is_nearly_all_seen_stays_as_it_is() -> None:
    frozen, used = network_of("bert"), network_of("bert")
    frozen.get_input_embeddings().weight.requires_grad_(False)

    train_only_seen(frozen, SEEN)
    train_only_seen(used, range(used.get_input_embeddings().num_embeddings))

    assert not isinstance(frozen.get_input_embeddings(), SeenEmbedding)
    assert not isinstance(used.get_input_embeddings(), SeenEmbedding)
