"""The family of an encoder, by its configuration or its weights."""

from pathlib import Path

import pytest
from safetensors import safe_open
from transformers import AutoConfig

from linnet.models.families import OTHER, encoder_type, family_from_weights, family_of
from tests import tiny
from tests.models.families.small_networks import tagger


def names_of(folder: Path) -> list[str]:
    with safe_open(folder / "model.safetensors", framework="pt") as file:
        return list(file.keys())


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_every_family_that_is_tested_has_a_record(family: str) -> None:
    assert family_of(family).name == family


def test_a_family_without_a_record_has_what_is_usual() -> None:
    assert family_of("big_bird") is OTHER
    assert OTHER.layer_of("bert.encoder.layer.11.output.dense.weight") == 11


@pytest.mark.parametrize("family", tiny.FAMILIES)
@pytest.mark.parametrize("has_prefix", [True, False])
def test_every_family_is_told_from_its_weights(family: str, has_prefix: bool) -> None:
    config = AutoConfig.from_pretrained(tiny.encoder(family))
    prefix = f"{tagger(family).base_model_prefix}." if has_prefix else ""
    sizes = {"type_vocab_size": 1 if family == "roberta" else getattr(config, "type_vocab_size", None)}

    assert family_from_weights([f"{prefix}{name}" for name in names_of(tiny.encoder(family))], sizes) == family


def test_weights_of_no_family_are_not_guessed() -> None:
    assert family_from_weights(["conv1.weight", "fc.bias"], {}) is None
    assert family_from_weights(["bert.conv1.weight"], {}) is None


def test_a_configuration_with_a_two_layer_head_names_its_encoder_apart() -> None:
    assert encoder_type({"model_type": "roberta"}) == "roberta"
    assert encoder_type({"model_type": "linnet-two-layer-tagger", "encoder_model_type": "roberta"}) == "roberta"
