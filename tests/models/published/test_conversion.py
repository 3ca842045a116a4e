"""Conversion of published files: other names, the same numbers, and a note for each change."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from linnet.errors import BadFile
from linnet.models.heads import GERBERA_HEADS
from linnet.models.published.conversion import complete_config, convert, has_old_names, open_published_tokenizer
from linnet.models.published.relabelling import Relabelling
from tests import tiny
from tests.models.published.look_alikes import drop, encoder_copy, tagger, write_vocab


def read_json(path: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    return found


def converted(folder: Path, target: Path, relabelling: Relabelling | None = None) -> list[str]:
    target.mkdir()
    return convert(folder, target, config=read_json(folder / "config.json"), relabelling=relabelling)


def test_old_names_of_weights_get_their_new_ones_and_a_note(tmp_path: Path) -> None:
    folder = encoder_copy(tmp_path / "encoder")
    weights = load_file(folder / "model.safetensors")
    old = {
        f"module.{name}".replace("LayerNorm.weight", "LayerNorm.gamma").replace(
            "LayerNorm.bias", "LayerNorm.beta"
        ): each
        for name, each in weights.items()
    }
    save_file(old, folder / "model.safetensors", metadata={"format": "pt"})

    notes = converted(folder, tmp_path / "target")

    found = load_file(tmp_path / "target" / "model.safetensors")
    assert found.keys() == weights.keys()
    assert all(torch.equal(found[name], weights[name]) for name in weights)
    assert "several GPUs" in notes[0]
    assert "gamma and beta" in notes[1]
    assert has_old_names(old)
    assert not has_old_names(weights)


def test_gerberas_heads_become_one_and_the_outputs_get_their_names(tmp_path: Path) -> None:
    folder = tagger(tmp_path / "tagger", "B", "I", "O")
    weights = load_file(folder / "model.safetensors")
    weights |= {name: torch.ones((3, 16) if "_2" not in name else (16, 16)) for name in GERBERA_HEADS}
    weights |= {
        name: each[:, 0].contiguous() for name, each in weights.items() if name in GERBERA_HEADS and "bias" in name
    }
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})

    notes = converted(folder, tmp_path / "target", Relabelling(label="Disease"))

    assert any("GERBERA" in note for note in notes)
    config = read_json(tmp_path / "target" / "config.json")
    assert config["id2label"] == {"0": "B-Disease", "1": "I-Disease", "2": "O"}
    assert config["architectures"] == ["LinnetTwoLayerForTokenClassification"]
    assert not load_file(tmp_path / "target" / "model.safetensors").keys() & GERBERA_HEADS


def test_licence_and_card_come_along(tmp_path: Path) -> None:
    folder = encoder_copy(tmp_path / "encoder")
    (folder / "LICENSE").write_text("terms", encoding="utf-8")

    converted(folder, tmp_path / "target")

    assert (tmp_path / "target" / "LICENSE").read_text(encoding="utf-8") == "terms"


def test_a_family_is_added_only_where_none_is_named(tmp_path: Path) -> None:
    names: dict[str, Tensor] = {"electra.embeddings_project.weight": torch.zeros(1)}

    assert complete_config(tmp_path, {"model_type": "bert"}, names) == ({"model_type": "bert"}, [])
    config, notes = complete_config(tmp_path, {"hidden_size": 8}, names)
    assert config == {"hidden_size": 8, "model_type": "electra"}
    assert len(notes) == 1
    with pytest.raises(BadFile, match="does not say its family"):
        complete_config(tmp_path, {}, {"conv1.weight": torch.zeros(1)})


def test_a_tokenizer_keeps_the_capitals_of_its_vocabulary(tmp_path: Path) -> None:
    folder = encoder_copy(tmp_path / "encoder")
    write_vocab(folder, "Ataxia", "Was", "ataxia")

    tokenizer, notes = open_published_tokenizer(folder, read_json(folder / "config.json"))

    assert tokenizer.tokenize("Ataxia ataxia") == ["Ataxia", "ataxia"]
    assert notes == ["tokenizer_config.json does not say whether text is lower-cased: cased, by vocab.txt"]


def test_a_tokenizer_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    folder = encoder_copy(tmp_path / "encoder")
    drop(folder, "tokenizer.json", "tokenizer_config.json")
    (folder / "tokenizer.json").write_text("{", encoding="utf-8")

    with pytest.raises(BadFile, match="its tokenizer cannot be made"):
        open_published_tokenizer(folder, read_json(tiny.encoder() / "config.json"))
