"""Encoder families: what the record of each says is true of its networks."""

import ast
import inspect
import warnings
from functools import cache
from operator import attrgetter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from safetensors import safe_open
from torch import nn
from transformers import (
    AutoConfig,
    AutoModelForMaskedLM,
    AutoModelForPreTraining,
    AutoModelForTokenClassification,
)

import linnet
from linnet.models.encoders import dropouts_of, most_positions
from linnet.models.families import (
    BY_TYPE,
    FAMILIES,
    OTHER,
    TAG_HEAD,
    encoder_type,
    family_from_weights,
    family_of,
    head_dropout,
    reads_token_types,
)
from linnet.models.model_folder import _max_length
from linnet.models.quiet import quietly
from linnet.models.unpadded import _positions
from tests import tiny

SIZES: dict[str, Any] = {**tiny.SIZES, "vocab_size": 12, "max_position_embeddings": 20, "pad_token_id": 1}
OWN_SIZES: dict[str, dict[str, Any]] = {
    "distilbert": {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 24},
    "longformer": {"attention_window": [4, 4]},
    "modernbert": {"bos_token_id": 2, "eos_token_id": 3, "cls_token_id": 2, "sep_token_id": 3},
    "xmod": {"default_language": "en_XX", "languages": ["en_XX"]},
}
FROM_PADDING = sorted(name for name, family in BY_TYPE.items() if family.counts_from_padding)
HOME = Path(linnet.__file__).parent
# modules that still have to ask for the record of a family
YET_TO_ASK = {"pretraining"}


def small_config(model_type: str, **more: Any) -> Any:
    return AutoConfig.for_model(model_type, **{**SIZES, **OWN_SIZES.get(model_type, {}), **more})


def small_network(config: Any, kind: Any = AutoModelForTokenClassification) -> Any:
    with quietly(), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # DeBERTa's code wants torch.jit.script when it is imported
        network: nn.Module = kind.from_config(config)
    return network.eval()


@cache
def tagger(model_type: str) -> Any:
    return small_network(small_config(model_type))


def can_read(network: Any, n_subwords: int) -> bool:
    try:
        with quietly(), torch.inference_mode():
            network(input_ids=torch.full((1, n_subwords), 5))
    except (IndexError, RuntimeError):
        return False
    return True


def names_of(folder: Path) -> list[str]:
    with safe_open(folder / "model.safetensors", framework="pt") as file:
        return list(file.keys())


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_every_family_that_is_tested_has_a_record(family: str) -> None:
    assert family_of(family).name == family


def test_a_model_type_belongs_to_one_family() -> None:
    assert len(BY_TYPE) == sum(1 + len(family.kin) for family in FAMILIES)


def test_a_family_without_a_record_has_what_is_usual() -> None:
    assert family_of("big_bird") is OTHER
    assert OTHER.layer_of("bert.encoder.layer.11.output.dense.weight") == 11


@pytest.mark.parametrize("model_type", BY_TYPE)
def test_dropout_has_the_names_of_the_record(model_type: str) -> None:
    family, config = family_of(model_type), small_config(model_type)

    config.update(dropouts_of(config, dropout=0.37, attention_dropout=0.21))

    assert all(getattr(config, name) == 0.37 for name in family.dropouts)
    assert all(getattr(config, name) == 0.21 for name in family.attention_dropouts)
    rates = {module.p for module in small_network(config).modules() if isinstance(module, nn.Dropout)}
    assert 0.37 in rates <= {0.37, 0.21}


@pytest.mark.parametrize("model_type", BY_TYPE)
def test_the_names_of_weights_tell_their_layer(model_type: str) -> None:
    family = family_of(model_type)

    names = list(tagger(model_type).state_dict())

    n_layers = tagger(model_type).config.num_hidden_layers if model_type != "albert" else 1  # ALBERT's share one
    assert {family.layer_of(name) for name in names} == {None, *range(n_layers)}
    assert all(family.layer_of(name) == OTHER.layer_of(name) for name in names)
    lowest = [name for name in names if family.is_below_layers(name)]
    assert any("tok_embeddings" in name or "word_embeddings" in name for name in lowest)
    assert all(family.layer_of(name) is None for name in lowest)


@pytest.mark.parametrize("model_type", BY_TYPE)
def test_tags_are_scored_by_the_module_of_this_name(model_type: str) -> None:
    assert isinstance(getattr(tagger(model_type), TAG_HEAD), nn.Linear)


@pytest.mark.parametrize("model_type", [name for name, family in BY_TYPE.items() if family.word_heads])
def test_masked_words_are_guessed_by_the_modules_of_the_record(model_type: str) -> None:
    network = small_network(small_config(model_type), AutoModelForMaskedLM)

    found = torch.zeros(1, network.config.hidden_size)
    for name in family_of(model_type).word_heads:
        found = attrgetter(name)(network)(found)

    assert found.shape == (1, network.config.vocab_size)


@pytest.mark.parametrize("model_type", [name for name, family in BY_TYPE.items() if family.order_head])
def test_the_order_of_texts_is_guessed_by_the_module_of_the_record(model_type: str) -> None:
    network = small_network(small_config(model_type), AutoModelForPreTraining)

    scores = attrgetter(str(family_of(model_type).order_head))(network)(torch.zeros(1, network.config.hidden_size))

    assert scores.shape == (1, 2)


@pytest.mark.parametrize("model_type", BY_TYPE)
def test_token_types_are_an_input_where_the_record_says_so(model_type: str) -> None:
    inputs = inspect.signature(tagger(model_type).base_model.forward).parameters

    assert ("token_type_ids" in inputs) == family_of(model_type).has_token_types


@pytest.mark.parametrize(
    ("model_type", "n_types", "expected"),
    [("bert", 2, True), ("roberta", 1, False), ("deberta-v2", 0, False), ("mpnet", 2, False), ("big_bird", 2, True)],
)
def test_token_types_are_read_where_there_are_several(model_type: str, n_types: int, expected: bool) -> None:
    config = SimpleNamespace(model_type=model_type, type_vocab_size=n_types)

    assert reads_token_types(config) is expected


def test_a_head_of_ours_has_the_dropout_of_the_hidden_layers() -> None:
    assert head_dropout(small_config("bert", hidden_dropout_prob=0.3)) == 0.3
    assert head_dropout(small_config("modernbert")) == 0.1


@pytest.mark.parametrize("family", tiny.FAMILIES)
@pytest.mark.parametrize("has_prefix", [True, False])
def test_every_family_is_told_from_its_weights(family: str, has_prefix: bool) -> None:
    config = AutoConfig.from_pretrained(tiny.encoder(family))
    prefix = f"{tagger(family).base_model_prefix}." if has_prefix else ""
    sizes = {"type_vocab_size": 1 if family == "roberta" else getattr(config, "type_vocab_size", None)}

    assert family_from_weights([f"{prefix}{name}" for name in names_of(tiny.encoder(family))], sizes) == family


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_signs_and_prefixes_are_those_of_one_family(family: Any) -> None:
    names = tagger(family.name).state_dict()
    strangers = [name for other in FAMILIES if other is not family for name in tagger(other.name).state_dict()]

    assert not family.signs or any(sign in name for sign in family.signs for name in names)
    assert not any(sign in name for sign in family.signs for name in strangers)
    assert family.prefix in ("", f"{tagger(family.name).base_model_prefix}.")


def test_weights_of_no_family_are_not_guessed() -> None:
    assert family_from_weights(["conv1.weight", "fc.bias"], {}) is None
    assert family_from_weights(["bert.conv1.weight"], {}) is None


def test_a_configuration_with_a_two_layer_head_names_its_encoder_apart() -> None:
    assert encoder_type({"model_type": "roberta"}) == "roberta"
    assert encoder_type({"model_type": "linnet-two-layer-tagger", "encoder_model_type": "roberta"}) == "roberta"


@pytest.mark.parametrize("model_type", FROM_PADDING)
def test_all_modules_agree_with_the_network_on_how_many_positions_a_family_has(model_type: str) -> None:
    config = small_config(model_type)
    unpadded = {"model_type": model_type, "max_position_embeddings": 20}  # padding is 1 where nothing is said

    assert _max_length(unpadded) == _max_length({**unpadded, "pad_token_id": 1}) == 18
    assert most_positions(config) == 18
    assert _positions(np.full(18, 5), config).tolist() == list(range(2, 20))
    assert can_read(tagger(model_type), 18)
    assert not can_read(tagger(model_type), 19)


@pytest.mark.parametrize("model_type", sorted(BY_TYPE.keys() - {*FROM_PADDING, "modernbert"}))
def test_other_families_use_every_position(model_type: str) -> None:
    config = small_config(model_type)

    assert _max_length({"model_type": model_type, "max_position_embeddings": 20, "pad_token_id": 1}) == 20
    assert most_positions(config) == 20
    assert can_read(tagger(model_type), 20)
    assert not can_read(tagger(model_type), 21)


def test_mpnet_counts_from_one_whatever_its_padding_is() -> None:
    config = small_config("mpnet", pad_token_id=0)

    assert most_positions(config) == 18
    assert can_read(small_network(config), 18)
    assert not can_read(small_network(config), 19)


def test_no_other_module_compares_names_of_families() -> None:
    asked = [
        f"{path.relative_to(HOME)}:{node.lineno}"
        for path in HOME.rglob("*.py")
        if path.name != "families.py" and path.relative_to(HOME).parts[0] not in YET_TO_ASK
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Compare | ast.Set | ast.MatchValue)
        and any(isinstance(each, ast.Constant) and each.value in BY_TYPE for each in ast.walk(node))
    ]

    assert asked == []
