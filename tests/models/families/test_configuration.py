"""Configurations: positions, token types and dropout are those of the networks."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoConfig

from linnet.models.encoders import most_positions
from linnet.models.families import (
    BY_TYPE,
    dropout_settings,
    head_dropout,
    positions_for,
    reads_token_types,
    usable_positions,
)
from linnet.models.model_folder import _max_length
from linnet.models.quiet import quietly
from linnet.models.unpadded import _positions
from tests.models.families.small_networks import small_config, small_network, tagger

FROM_PADDING = sorted(name for name, family in BY_TYPE.items() if family.counts_from_padding)


def can_read(network: Any, n_subwords: int) -> bool:
    try:
        with quietly(), torch.inference_mode():
            network(input_ids=torch.full((1, n_subwords), 5))
    except (IndexError, RuntimeError):
        return False
    return True


@pytest.mark.parametrize(
    ("model_type", "n_types", "expected"),
    [("bert", 2, True), ("roberta", 1, False), ("deberta-v2", 0, False), ("mpnet", 2, False), ("big_bird", 2, True)],
)
def test_token_types_are_read_where_there_are_several(model_type: str, n_types: int, expected: bool) -> None:
    config = SimpleNamespace(model_type=model_type, type_vocab_size=n_types)

    assert reads_token_types(config) is expected


def test_a_head_of_ours_has_the_dropout_of_the_hidden_layers() -> None:
    assert head_dropout(small_config("bert", hidden_dropout_prob=0.3)) == 0.3
    assert head_dropout(small_config("distilbert", dropout=0.3)) == 0.3
    assert head_dropout(small_config("modernbert")) == 0.1


def test_the_dropout_settings_are_those_that_a_configuration_has() -> None:
    own = {"hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1, "pooler_dropout": 0.0}

    assert dropout_settings(small_config("deberta")) == {**own, "cls_dropout": 0.1}
    assert dropout_settings(AutoConfig.for_model("deberta")) == own


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


@pytest.mark.parametrize("model_type", [*BY_TYPE, "big_bird"])
@pytest.mark.parametrize("padding", [0, 1, None])
def test_a_configuration_has_the_positions_that_a_sequence_needs(model_type: str, padding: int | None) -> None:
    positions = positions_for(model_type, n_subwords=512, padding=padding)

    assert usable_positions(model_type, positions=positions, padding=padding) == 512


def test_mpnet_counts_from_one_whatever_its_padding_is() -> None:
    config = small_config("mpnet", pad_token_id=0)

    assert most_positions(config) == 18
    assert can_read(small_network(config), 18)
    assert not can_read(small_network(config), 19)
