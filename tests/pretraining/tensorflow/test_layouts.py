"""Layouts of TensorFlow checkpoints fit the networks of transformers that they become."""

import dataclasses
from typing import Any

import pytest
from transformers import CONFIG_MAPPING, AutoConfig

from linnet.pretraining.tensorflow.config import compute_shapes
from linnet.pretraining.tensorflow.layouts import LAYOUTS, PROJECTION, layout_of, layout_of_settings
from tests.pretraining.tensorflow.tf_reference import ALBERT, BERT

SETTINGS = {"bert": BERT, "albert": ALBERT}
each_family = pytest.mark.parametrize("family", LAYOUTS)


def config_of(family: str) -> Any:
    return AutoConfig.for_model(family, **SETTINGS[family])


@each_family
def test_the_settings_of_a_file_tell_its_layout_as_its_configuration_does(family: str) -> None:
    assert layout_of_settings(SETTINGS[family].keys()) is layout_of(config_of(family)) is LAYOUTS[family]


def test_a_file_with_any_setting_of_albert_is_albert() -> None:
    for name in LAYOUTS["albert"].own_settings:
        assert layout_of_settings({"hidden_size", name}).family == "albert"
    assert layout_of_settings(set()).family == "bert"


def test_own_settings_are_those_that_the_other_family_does_not_have() -> None:
    albert, bert = ({field.name for field in dataclasses.fields(CONFIG_MAPPING[name])} for name in ("albert", "bert"))

    assert LAYOUTS["albert"].own_settings <= albert - bert


@each_family
def test_every_layer_of_the_network_with_weights_of_its_own_is_listed(family: str) -> None:
    config = config_of(family)
    layers = layout_of(config).list_layers(config)

    modules = {module.format(**layer) for _, module, _ in layout_of(config).rows["layers"] for layer in layers}

    assert len(modules) == len(layers) * len(layout_of(config).rows["layers"])
    assert all(f"{module}.weight" in compute_shapes(config) for module in modules)


@each_family
def test_special_ids_are_settings_of_the_configuration(family: str) -> None:
    fresh = AutoConfig.for_model(family)

    has_ids = {name for name in ("bos_token_id", "eos_token_id") if getattr(fresh, name) is not None}
    assert LAYOUTS[family].special_ids.keys() == has_ids


def test_only_albert_projects_its_embeddings() -> None:
    assert [family for family, layout in LAYOUTS.items() if PROJECTION in layout.rows] == ["albert"]
