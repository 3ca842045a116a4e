"""The running average of the weights: what it is, when the network has it, and what a checkpoint holds."""

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from linnet.errors import BadFile
from linnet.training.trainer import fit
from linnet.training.updates.averaging import RunningAverage
from tests.training.test_trainer import job


def layer(*weights: float) -> nn.Linear:
    made = nn.Linear(len(weights), 1, bias=False)
    made.weight.data = torch.tensor([weights])
    return made


def test_it_moves_towards_the_weights_by_the_decay() -> None:
    network = layer(0.0, 8.0)
    average = RunningAverage(network, 0.75)

    network.weight.data = torch.tensor([[4.0, 0.0]])
    average.update(step=1000)

    assert average.averages["weight"].tolist() == [[1.0, 6.0]]


def test_in_the_first_updates_it_moves_faster() -> None:
    network = layer(0.0)
    average = RunningAverage(network, 0.999)

    network.weight.data = torch.tensor([[11.0]])
    average.update(step=1)

    assert average.averages["weight"].item() == pytest.approx(9.0)  # decay of 2 / 11


def test_the_network_has_it_for_a_while_also_where_that_fails() -> None:
    network = layer(1.0)
    average = RunningAverage(network, 0.5)
    network.weight.data = torch.tensor([[3.0]])
    held: list[float] = []

    def fail() -> None:
        with average.in_place():
            held.append(network.weight.item())
            raise KeyError

    with pytest.raises(KeyError):
        fail()

    assert [*held, network.weight.item(), average.averages["weight"].item()] == [1.0, 3.0, 1.0]


def test_parameters_that_are_not_trained_have_none() -> None:
    network = nn.Sequential(layer(1.0), layer(2.0))
    network[0].requires_grad_(False)

    assert list(RunningAverage(network, 0.5).averages) == ["1.weight"]


def test_that_of_another_network_is_refused() -> None:
    with pytest.raises(BadFile, match="another network's average"):
        RunningAverage(layer(1.0), 0.5).read({"bias": torch.zeros(1)})


def test_a_training_keeps_the_average_of_its_best_epoch(tmp_path: Path) -> None:
    plain = job(tmp_path / "plain")
    settings: dict[str, Any] = {"optimiser.average": 0.9}
    averaged = job(tmp_path / "averaged", **settings)
    start = {name: each.clone() for name, each in plain.model.state_dict().items()}
    fit(plain)
    fit(averaged)

    name = next(name for name in start if name.endswith("intermediate.dense.weight"))
    moved, less = (found.model.state_dict()[name] - start[name] for found in (plain, averaged))

    assert 0 < less.norm() < moved.norm()  # an average of the way lies between its ends
