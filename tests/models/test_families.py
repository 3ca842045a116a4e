from pathlib import Path

import pytest
from safetensors import safe_open
from transformers import AutoConfig

from linnet.models.encoders import most_positions
from linnet.models.families import AFTER_PADDING, family_from_weights
from linnet.models.model_folder import _max_length
from tests import tiny


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
def test_windows_and_encoders_agree_on_how_many_positions_a_family_has(family: str) -> None:
    config = AutoConfig.for_model(family, max_position_embeddings=130, pad_token_id=1)

    assert _max_length({"model_type": family, "max_position_embeddings": 130, "pad_token_id": 1}) == 128
    assert most_positions(config) == 128
