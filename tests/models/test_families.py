"""Families of encoders: what is known of each is true of its networks."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors import safe_open
from transformers import AutoConfig, AutoModelForTokenClassification

from linnet.models.encoders import most_positions
from linnet.models.families import AFTER_PADDING, family_from_weights
from linnet.models.model_folder import _max_length
from linnet.models.quiet import quietly
from linnet.models.unpadded import _places
from tests import tiny

SIZES: dict[str, Any] = {**tiny.SIZES, "vocab_size": 12, "max_position_embeddings": 20, "pad_token_id": 1}
OWN_SIZES: dict[str, dict[str, Any]] = {
    "distilbert": {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 24},
    "longformer": {"attention_window": [4, 4]},
    "xmod": {"default_language": "en_XX", "languages": ["en_XX"]},
}


def small_config(family: str, **more: Any) -> Any:
    return AutoConfig.for_model(family, **{**SIZES, **OWN_SIZES.get(family, {}), **more})


def small_network(config: Any) -> Any:
    with quietly(), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # DeBERTa's code wants torch.jit.script when it is imported
        network: torch.nn.Module = AutoModelForTokenClassification.from_config(config)  # type: ignore[no-untyped-call]
    return network.eval()


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
@pytest.mark.parametrize("has_prefix", [True, False])
def test_every_family_is_told_from_its_weights(family: str, has_prefix: bool) -> None:
    config = AutoConfig.from_pretrained(tiny.encoder(family))
    prefix = {"deberta-v2": "deberta.", "modernbert": "model."}.get(family, f"{family}.") if has_prefix else ""
    sizes = {"type_vocab_size": 1 if family == "roberta" else getattr(config, "type_vocab_size", None)}

    assert family_from_weights([f"{prefix}{name}" for name in names_of(tiny.encoder(family))], sizes) == family


def test_weights_of_no_family_are_not_guessed() -> None:
    assert family_from_weights(["conv1.weight", "fc.bias"], {}) is None


@pytest.mark.parametrize("family", sorted(AFTER_PADDING))
def test_all_modules_agree_with_the_network_on_how_many_positions_a_family_has(family: str) -> None:
    config = small_config(family)
    network = small_network(config)

    assert _max_length({"model_type": family, "max_position_embeddings": 20, "pad_token_id": 1}) == 18
    assert (
        _max_length({"model_type": family, "max_position_embeddings": 20}) == 18
    )  # padding is 1 where nothing is said
    assert most_positions(config) == 18
    assert _places(np.full(18, 5), config).tolist() == list(range(2, 20))
    assert can_read(network, 18)
    assert not can_read(network, 19)


@pytest.mark.parametrize("family", ["albert", "bert", "deberta-v2", "distilbert", "electra"])
def test_other_families_use_every_position(family: str) -> None:
    config = small_config(family)
    network = small_network(config)

    assert _max_length({"model_type": family, "max_position_embeddings": 20, "pad_token_id": 1}) == 20
    assert most_positions(config) == 20
    assert can_read(network, 20)
    assert not can_read(network, 21)


def test_mpnet_counts_from_one_whatever_its_padding_is() -> None:
    config = small_config("mpnet", pad_token_id=0)

    assert most_positions(config) == 18
    assert can_read(small_network(config), 18)
    assert not can_read(small_network(config), 19)
