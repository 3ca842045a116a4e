"""Plain attention computes what the fused one does, and is taken only where the fused one would be."""

from typing import Any

import pytest
import torch
from transformers import AutoModel, AutoModelForTokenClassification

from linnet.models.attention import use_plain_attention
from linnet.models.encoders import quietly
from tests import tiny


def opened(family: str) -> Any:
    folder = tiny.encoder(family)  # before the seed, because making it draws numbers
    torch.manual_seed(0)
    with quietly():
        network = AutoModelForTokenClassification.from_pretrained(folder, num_labels=5)
    return network.eval()


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_plain_attention_has_the_scores_and_gradients_of_the_fused_one(family: str) -> None:
    ids = torch.tensor([[5, 6, 7, 8], [9, 5, 0, 0]])
    given = {
        "input_ids": ids,
        "attention_mask": (ids > 0).long(),
        "labels": torch.tensor([[0, 1, 2, 0], [3, 4, -100, -100]]),
    }
    as_it_comes, plain = opened(family), opened(family)

    use_plain_attention(plain)

    assert plain.config._attn_implementation == "eager"
    expected, found = as_it_comes(**given), plain(**given)
    torch.testing.assert_close(found.logits[ids > 0], expected.logits[ids > 0], atol=1e-5, rtol=1e-4)
    expected.loss.backward()
    found.loss.backward()
    for mine, other in zip(plain.parameters(), as_it_comes.parameters(), strict=True):
        if other.grad is not None:
            torch.testing.assert_close(mine.grad, other.grad, atol=1e-5, rtol=1e-3)


def test_a_network_inside_of_another_is_found() -> None:
    with quietly():
        inner = AutoModel.from_pretrained(tiny.encoder("bert"))
    assert inner.config._attn_implementation == "sdpa"

    use_plain_attention(torch.nn.Sequential(torch.nn.ModuleDict({"own": inner})))

    assert inner.config._attn_implementation == "eager"
