"""Named heads: training uses the chosen one, evaluation the target's."""

import pytest
import torch
from torch import nn

from linnet.errors import BadSetting
from linnet.models.families import TAG_HEAD
from linnet.models.named_heads import Heads, heads_of, use_head


def heads() -> Heads:
    torch.manual_seed(1)
    return Heads({"a.b": nn.Linear(2, 3), "other": nn.Linear(2, 5)}, target="a.b")  # a dot no module name may have


def network_with(head: nn.Module) -> nn.Module:
    network = nn.Module()
    setattr(network, TAG_HEAD, head)
    return network


def test_training_goes_through_the_head_in_use_and_evaluation_through_the_target() -> None:
    found = heads()
    found.use("other")

    assert found.train()(torch.ones(1, 2)).shape == (1, 5)
    assert found.eval()(torch.ones(1, 2)).shape == (1, 3)


def test_an_unknown_head_is_refused() -> None:
    with pytest.raises(BadSetting, match="there is no head 'c'"):
        heads().use("c")


def test_a_head_of_a_network_is_chosen_by_name() -> None:
    network = network_with(heads())

    use_head(network, "other")

    assert heads_of(network).in_use == "other"


def test_heads_are_found_where_adapters_have_wrapped_them() -> None:
    wrapped = nn.Module()
    wrapped.modules_to_save = nn.ModuleDict({"default": heads()})

    assert heads_of(network_with(wrapped)).names == ("a.b", "other")


def test_a_network_without_heads_has_no_choice() -> None:
    use_head(nn.Module(), "other")
