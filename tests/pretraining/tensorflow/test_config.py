"""Configurations of TensorFlow checkpoints become those of transformers."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.pretraining.tensorflow.config import compute_shapes, open_config
from tests.pretraining.tensorflow.tf_reference import ALBERT, BERT


def write_config(folder: Path, values: Mapping[str, object]) -> Path:
    path = folder / "bert_config.json"
    path.write_text(json.dumps(dict(values)), encoding="utf-8")
    return path


@pytest.mark.parametrize(("family", "values"), [("bert", BERT), ("albert", ALBERT)])
def test_the_family_is_found_by_the_settings_that_only_albert_has(
    tmp_path: Path, family: str, values: dict[str, object]
) -> None:
    config, _ = open_config(write_config(tmp_path, values))

    assert config.model_type == family
    assert all(getattr(config, name) == values[name] for name in ("hidden_size", "num_hidden_layers", "vocab_size"))


def test_settings_that_transformers_does_not_have_are_named(tmp_path: Path) -> None:
    _, unused = open_config(write_config(tmp_path, {**BERT, "net_structure_type": 0, "down_scale_factor": 1}))

    assert unused == ("down_scale_factor", "net_structure_type")


@pytest.mark.parametrize(("values", "activation"), [(BERT, "gelu"), (ALBERT, "gelu_new")])
def test_gelu_is_an_approximation_in_albert_only(tmp_path: Path, values: dict[str, object], activation: str) -> None:
    config, _ = open_config(write_config(tmp_path, {**values, "hidden_act": "gelu"}))

    assert config.hidden_act == activation


def test_shapes_are_those_of_a_network_with_both_heads(tmp_path: Path) -> None:
    config, _ = open_config(write_config(tmp_path, BERT))

    shapes = compute_shapes(config)

    assert shapes["bert.embeddings.word_embeddings.weight"] == (12, 8)
    assert shapes["bert.encoder.layer.1.intermediate.dense.weight"] == (10, 8)
    assert shapes["cls.seq_relationship.weight"] == (2, 8)
    assert shapes["cls.predictions.bias"] == (12,)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"num_attention_heads": 5}, "hidden_size is 8, which is not divisible by 5 attention heads"),
        ({"num_attention_heads": 0}, "num_attention_heads is 0, expected a whole number from 1 on"),
        ({"hidden_act": "glu9"}, "hidden_act is 'glu9', expected a function that transformers knows"),
        ({"hidden_act": None, "num_hidden_layers": -1}, "num_hidden_layers is -1.*; hidden_act is None"),
        ({"hidden_size": "16"}, "hidden_size is '16', expected a whole number"),
        ({"hidden_size": None}, "hidden_size is None, expected a whole number"),
        ({"vocab_size": [1]}, r"vocab_size is \[1\], expected a whole number"),
        ({"hidden_dropout_prob": "much"}, "no configuration of BERT .*hidden_dropout_prob"),
        ({"hidden_dropout_prob": 2.0}, "no configuration of BERT .*probability"),
    ],
)
def test_a_configuration_without_a_valid_network_is_refused_with_what_is_wrong(
    tmp_path: Path, change: dict[str, object], problem: str
) -> None:
    with pytest.raises(BadFile, match=rf"bert_config\.json: .*{problem}"):
        open_config(write_config(tmp_path, {**BERT, **change}))
