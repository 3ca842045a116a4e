"""Token-classification heads: linear and two-layer, in folders and networks."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file
from torch import nn
from transformers import AutoConfig, AutoModelForTokenClassification, BertConfig

from linnet.models.families import FAMILIES, TAG_HEAD
from linnet.models.heads import (
    TWO_LAYER_TYPE,
    has_two_layers,
    is_tagger,
    mark_two_layer,
    open_config,
    open_two_layer_head,
    read_model_type,
    saved_head,
    two_layer_head,
    unused_heads,
)
from tests import tiny


def small_tagger() -> Any:
    config = AutoConfig.for_model("bert", **tiny.SIZES, vocab_size=12, num_labels=3)
    return AutoModelForTokenClassification.from_config(config)  # type: ignore[no-untyped-call]


def write_two_layer(folder: Path) -> nn.Module:
    """Write the weights of a two-layer head as a model has them, and return the head."""
    head = two_layer_head(nn.Linear(16, 16), nn.Linear(16, 3))
    save_file({f"{TAG_HEAD}.{name}": each for name, each in head.state_dict().items()}, folder / "model.safetensors")
    return head


def test_a_two_layer_head_comes_back_from_its_folder(tmp_path: Path) -> None:
    head, network = write_two_layer(tmp_path), small_tagger()

    open_two_layer_head(network, tmp_path)

    hidden = torch.randn(2, 16)
    assert torch.equal(getattr(network, TAG_HEAD)(hidden), head(hidden))
    assert has_two_layers(tmp_path)


def test_a_linear_head_has_no_hidden_layer() -> None:
    assert saved_head(tiny.trained()).keys() == {"weight", "bias"}
    assert not has_two_layers(tiny.trained())


def test_the_configuration_of_a_two_layer_model_is_that_of_its_encoder(tmp_path: Path) -> None:
    BertConfig(hidden_size=24, num_attention_heads=2).save_pretrained(tmp_path)

    mark_two_layer(tmp_path)

    assert read_model_type(tmp_path) == TWO_LAYER_TYPE
    opened = open_config(tmp_path, num_labels=7)
    assert (opened.model_type, opened.hidden_size, opened.num_labels) == ("bert", 24, 7)


def test_a_configuration_may_name_no_family(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"hidden_size": 8}), encoding="utf-8")

    assert read_model_type(tmp_path) is None


@pytest.mark.parametrize(("architecture", "expected"), [("BertForTokenClassification", True), ("BertModel", False)])
def test_taggers_are_known_by_their_architecture(architecture: str, expected: bool) -> None:
    assert is_tagger(BertConfig(architectures=[architecture])) is expected
    assert not is_tagger(BertConfig())


def test_heads_of_pretraining_are_not_missed_in_a_tagger() -> None:
    names = [f"{head}.weight" for family in FAMILIES for head in (*family.word_heads, *family.other_heads)]

    assert names != []
    assert unused_heads([*names, "cls.seq_relationship.bias", "bert.pooler.dense.bias"], "bert.") == []


def test_a_head_of_its_own_kind_is_named() -> None:
    assert unused_heads(["crf.start", "my_head.weight", "bert.extra", "roberta.pooler.bias"], "bert.") == [
        "crf.start",
        "my_head.weight",
    ]
