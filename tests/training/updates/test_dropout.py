"""Dropout from random bits drops the stated share, and nothing in evaluation."""

import pytest
import torch
from torch import nn

from linnet.training.updates.dropout import BitDropout, draw_dropout_from_bits, keep_mask


@pytest.mark.parametrize("rate", [0.05, 0.1, 0.37, 0.9])
def test_the_stated_share_is_dropped_and_the_mean_is_kept(rate: float) -> None:
    torch.manual_seed(1)
    n_values = 400_000

    mask = keep_mask(torch.Size([n_values]), rate)

    five_deviations = 5 * (rate * (1 - rate) / n_values) ** 0.5
    assert float((mask == 0).float().mean()) == pytest.approx(rate, abs=five_deviations)
    assert sorted(set(mask.tolist())) == pytest.approx([0, 1 / (1 - rate)], rel=1e-3)


def test_values_that_share_a_draw_are_dropped_independently() -> None:
    torch.manual_seed(1)

    dropped = (keep_mask(torch.Size([100_000, 4]), 0.5) == 0).float()

    assert dropped.mean(dim=0).tolist() == pytest.approx([0.5] * 4, abs=0.01)
    together = torch.corrcoef(dropped.T) - torch.eye(4)
    assert float(together.abs().max()) < 0.02  # 1 / sqrt(100,000) is 0.003


def test_any_shape_gets_a_mask_of_its_own() -> None:
    torch.manual_seed(1)

    first, second = keep_mask(torch.Size([3, 5, 7]), 0.5), keep_mask(torch.Size([3, 5, 7]), 0.5)

    assert first.shape == (3, 5, 7)
    assert not torch.equal(first, second)
    assert keep_mask(torch.Size([0, 4]), 0.5).shape == (0, 4)


def test_the_same_seed_drops_the_same_values_and_gradients_follow() -> None:
    dropout = BitDropout(0.5)
    values = torch.ones(50, requires_grad=True)

    torch.manual_seed(7)
    first = dropout(values)
    torch.manual_seed(7)
    second = dropout(values)
    first.sum().backward()

    assert torch.equal(first, second)
    assert values.grad is not None
    assert torch.equal(values.grad, first.detach())


def test_nothing_is_dropped_outside_of_training() -> None:
    values = torch.randn(20)

    assert torch.equal(BitDropout(0.5).eval()(values), values)
    assert torch.equal(BitDropout(0.0)(values), values)


def test_every_dropout_of_a_network_is_replaced_with_its_own_rate() -> None:
    network = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.1), nn.Sequential(nn.Dropout(0.2), nn.Dropout1d(0.3)))

    draw_dropout_from_bits(network)

    found = {type(module).__name__: module.p for module in network.modules() if hasattr(module, "p")}
    rates = [module.p for module in network.modules() if isinstance(module, BitDropout)]
    assert rates == [0.1, 0.2]
    assert found["Dropout1d"] == 0.3  # drops whole channels: not ours
