"""LAMB against steps computed by hand."""

import pytest
import torch

from linnet.pretraining.learning.lamb import Lamb


def test_a_step_is_the_one_computed_by_hand() -> None:
    # w = (3, 4) with norm 5, g = (1, -2). At the first step both moments are corrected to g and g^2, so Adam's step is
    # (1, -1) but for epsilon; with decay 0.1 it is (1.3, -0.6), norm sqrt(2.05); the change is 0.01 * 5 / sqrt(2.05)
    # times that: (0.0453980, -0.0209529)
    weight = torch.nn.Parameter(torch.tensor([[3.0, 4.0]], dtype=torch.float64))
    weight.grad = torch.tensor([[1.0, -2.0]], dtype=torch.float64)

    Lamb([weight], 0.01, weight_decay=0.1, eps=1e-12).step()

    assert weight.detach().tolist()[0] == pytest.approx([3 - 0.0453980, 4 + 0.0209529], abs=1e-7)


def test_a_second_step_remembers_the_first() -> None:
    # g1 = 1, g2 = 3: m = 0.9 * 0.1 + 0.1 * 3 = 0.39, over 1 - 0.81 = 2.0526; v = 0.999 * 0.001 + 0.001 * 9 = 0.009999,
    # over 1 - 0.998001 = 5.0020; step 2.0526 / 2.23651 = 0.91778. A bias is not scaled: 0.1 * (1 + 0.91778)
    bias = torch.nn.Parameter(torch.tensor([0.0], dtype=torch.float64))
    optimiser = Lamb([bias], 0.1, weight_decay=0.0, eps=1e-12)

    for gradient in (1.0, 3.0):
        bias.grad = torch.tensor([gradient], dtype=torch.float64)
        optimiser.step()

    assert bias.item() == pytest.approx(-0.191778, abs=1e-6)


def test_each_tensor_moves_by_its_own_norm() -> None:
    small, large = (torch.nn.Parameter(torch.full((2, 2), value)) for value in (1.0, 100.0))
    for weight in (small, large):
        weight.grad = torch.ones(2, 2)

    Lamb([small, large], 0.01, weight_decay=0.0).step()

    assert (1.0 - small).mean().item() == pytest.approx(0.01, rel=1e-4)
    assert (100.0 - large).mean().item() == pytest.approx(1.0, rel=1e-4)


def test_a_zero_tensor_moves_as_with_adam() -> None:
    weight = torch.nn.Parameter(torch.zeros(2, 2))
    weight.grad = torch.ones(2, 2)

    Lamb([weight], 0.01).step()

    assert weight.detach().flatten().tolist() == pytest.approx([-0.01] * 4, rel=1e-4)


def test_saved_state_continues_exactly() -> None:
    def trained(n_steps: int, weight: torch.nn.Parameter, optimiser: Lamb) -> None:
        for _ in range(n_steps):
            weight.grad = weight.detach() * 0.5 + 1
            optimiser.step()

    whole, first = (torch.nn.Parameter(torch.ones(3, 2)) for _ in range(2))
    trained(5, whole, Lamb([whole], 0.1))
    before = Lamb([first], 0.1)
    trained(2, first, before)

    second = torch.nn.Parameter(first.detach().clone())
    after = Lamb([second], 0.1)
    after.load_state_dict(before.state_dict())
    trained(3, second, after)

    assert torch.equal(second, whole)
