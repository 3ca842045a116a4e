"""Every registered weighting scheme and loss keeps its contract."""

import pytest
import torch

from linnet.contracts import losses, weighting_schemes
from linnet.labels.label_set import LabelSet

COUNTS = {"O": 90, "B-Disease": 7, "I-Disease": 3}
TAGS = LabelSet(tuple(COUNTS))
IGNORED = -100


@pytest.mark.parametrize("name", weighting_schemes.names())
def test_a_scheme_gives_every_tag_a_positive_class_weight(name: str) -> None:
    options = {"beta": 0.9} if name == "ens" else {}

    weights = weighting_schemes.get(name)(COUNTS, **options)

    assert list(weights) == list(COUNTS)
    assert all(weight > 0 for weight in weights.values())


@pytest.mark.parametrize("name", losses.names())
def test_a_loss_is_a_scalar_with_a_gradient_and_zero_where_no_token_counts(name: str) -> None:
    loss = losses.get(name)(TAGS, None)
    logits = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]], requires_grad=True)

    value = loss(logits, torch.tensor([[0, 2]]))
    value.backward()  # type: ignore[no-untyped-call]  # of torch
    nothing = loss(logits, torch.full((1, 2), IGNORED))

    assert value.shape == ()
    assert value > 0
    assert logits.grad is not None
    assert logits.grad.abs().sum() > 0
    assert nothing.item() == 0
