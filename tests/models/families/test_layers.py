"""Some layers of an encoder can be kept, where each layer is a layer of its own."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from transformers import AutoConfig, AutoModelForTokenClassification

import linnet
from linnet.errors import BadSetting
from linnet.models.families.layers import check_kept_layers, keep_layers
from tests import tiny

SIZED = [family for family in tiny.FAMILIES if family not in ("albert", "modernbert")]


@pytest.mark.parametrize("family", SIZED)
def test_the_layers_that_are_kept_keep_their_weights(family: str) -> None:
    whole, shallow = (AutoModelForTokenClassification.from_pretrained(tiny.encoder(family)) for _ in range(2))

    keep_layers(shallow, [2])

    assert shallow.config.num_hidden_layers == 1
    second = {name.replace("layer.1.", "layer.0."): each for name, each in whole.named_parameters() if "r.1." in name}
    kept = {name: each for name, each in shallow.named_parameters() if "layer.0." in name}
    assert kept
    assert all(torch.equal(each, second[name]) for name, each in kept.items())
    assert torch.isfinite(shallow(input_ids=torch.tensor([[5, 6, 7]])).logits).all()


def test_without_numbers_nothing_changes() -> None:
    network = AutoModelForTokenClassification.from_pretrained(tiny.encoder())

    keep_layers(network, ())

    assert network.config.num_hidden_layers == 2


@pytest.mark.parametrize("numbers", [[0], [3], [2, 1], [1, 1]])
def test_layers_that_there_are_not_are_refused(numbers: Sequence[int]) -> None:
    with pytest.raises(BadSetting, match="has the layers 1 to 2"):
        check_kept_layers(AutoConfig.from_pretrained(tiny.encoder()), numbers, encoder="tiny")


@pytest.mark.parametrize("family", ["albert", "modernbert"])
def test_layers_that_share_weights_or_alternate_cannot_be_left_out(family: str) -> None:
    with pytest.raises(BadSetting, match="share weights or alternate"):
        check_kept_layers(AutoConfig.from_pretrained(tiny.encoder(family)), [1], encoder=family)


def test_a_tagger_is_trained_with_fewer_layers_and_loads_without_us(tmp_path: Path) -> None:
    run = tiny.train(tmp_path / "run", keep_layers=[2])

    assert AutoModelForTokenClassification.from_pretrained(run.folder).config.num_hidden_layers == 1
    assert len(list(linnet.load(run.folder).annotate(["no ataxia ."]))) == 1


def test_a_recipe_that_keeps_too_many_layers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"keep_layers is \[1, 2, 3\]"):
        tiny.train(tmp_path / "run", keep_layers=[1, 2, 3])
