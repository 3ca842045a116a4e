from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from linnet.errors import BadSetting
from linnet.training.trainer import fit
from linnet.training.updates.adversary import Adversary
from tests.training.test_trainer import job


class Network(nn.Module):
    """A table of two words in one dimension, with a gradient."""

    def __init__(self, *, is_trained: bool = True) -> None:
        super().__init__()
        self.table = nn.Embedding(2, 1, _weight=torch.tensor([[1.0], [2.0]]))
        self.table.weight.requires_grad_(is_trained)

    def get_input_embeddings(self) -> nn.Embedding:
        return self.table


def moved(gradient: Tensor | None) -> list[list[float]]:
    network = Network()
    network.table.weight.grad = gradient
    with Adversary(network, 0.5).in_place():
        found: list[list[float]] = network.table.weight.tolist()
    assert network.table.weight.tolist() == [[1.0], [2.0]]
    return found


def test_the_table_is_moved_by_a_length_along_its_gradient_and_comes_back() -> None:
    assert moved(torch.tensor([[3.0], [-4.0]])) == [[pytest.approx(1.3)], [pytest.approx(1.6)]]


@pytest.mark.parametrize("gradient", [None, torch.zeros(2, 1), torch.tensor([[float("inf")], [0.0]])])
def test_without_a_direction_it_stays(gradient: Tensor | None) -> None:
    assert moved(gradient) == [[1.0], [2.0]]


def test_it_comes_back_where_the_second_pass_fails() -> None:
    network = Network()
    network.table.weight.grad = torch.ones(2, 1)

    with pytest.raises(ValueError, match="no"), Adversary(network, 0.5).in_place():
        raise ValueError("no")

    assert network.table.weight.tolist() == [[1.0], [2.0]]


def test_embeddings_that_are_not_trained_are_refused() -> None:
    with pytest.raises(BadSetting, match="which are not trained here"):
        Adversary(Network(is_trained=False), 0.5)
    with pytest.raises(BadSetting, match="needs a network with word embeddings"):
        Adversary(nn.Linear(1, 1), 0.5)


def test_a_training_with_it_differs_and_counts_the_sub_words_of_a_batch_once(tmp_path: Path) -> None:
    plain = job(tmp_path / "plain")
    settings: dict[str, Any] = {"optimiser.adversarial": 0.5}
    other = job(tmp_path / "other", **settings)
    without, with_it = fit(plain), fit(other)

    assert with_it.n_tokens == without.n_tokens
    assert with_it.epochs[0].loss != without.epochs[0].loss
    assert any(
        not torch.equal(ours, theirs)
        for ours, theirs in zip(plain.model.state_dict().values(), other.model.state_dict().values(), strict=True)
    )
