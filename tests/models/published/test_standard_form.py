import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from transformers import AutoConfig, AutoModel, AutoTokenizer

from linnet.errors import BadFile, LinnetError
from linnet.models.encoders import Encoder, find_encoder, open_network
from linnet.models.published.hub import Located
from linnet.models.published.standard_form import bring_into_standard_form
from linnet.models.quiet import quietly
from tests import tiny
from tests.models.published.look_alikes import LOOK_ALIKES, as_torch_file, drop, encoder_copy, look_alike, set_config
from tests.pretraining.tensorflow.test_tokenizer import write_model

IDS = torch.tensor([[2, 5, 6, 7, 3]])


def hidden_states(encoder: Encoder) -> Tensor:
    network: Any = open_network(encoder, AutoModel)
    network.eval()
    with torch.inference_mode():
        states: Tensor = network(input_ids=IDS).last_hidden_state
    return states


def published_states(folder: Path, family: str) -> Tensor:
    """Return the hidden states of the published weights, loaded without Linnet into a network of the family."""
    values = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    values.pop("model_type", None)
    with quietly():
        network: Any = AutoModel.from_config(AutoConfig.for_model(family, **values))  # type: ignore[no-untyped-call]
    weights: dict[str, Tensor] = {}
    for path in sorted(folder.glob("pytorch_model*.bin")):
        weights |= torch.load(path, weights_only=True)
    prefix = f"{network.base_model_prefix}."
    new = {"gamma": "weight", "beta": "bias"}
    named = {re.sub("(gamma|beta)$", lambda m: new[m[1]], k.removeprefix(prefix)): each for k, each in weights.items()}
    missing, _ = network.load_state_dict(named, strict=False)
    assert [name for name in missing if "pooler" not in name and "position_ids" not in name] == []
    with torch.inference_mode():
        states: Tensor = network.eval()(input_ids=IDS).last_hidden_state
    return states


FAMILY = {"biobert": "bert", "scibert-cased": "bert", "bluebert": "bert", "bioelectra": "electra", "bio-lm": "roberta"}


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_published_encoders_open_with_the_same_hidden_states_to_the_last_bit(tmp_path: Path, name: str) -> None:
    folder = look_alike(tmp_path / name, name)
    family = FAMILY.get(name, name)

    found = find_encoder(str(folder))

    assert found.config.model_type == family
    assert torch.equal(hidden_states(found), published_states(folder, family))
    assert found.source != str(folder)
    assert any("restricted loader" in note for note in found.notes)


@pytest.mark.parametrize(("name", "pieces"), [("biobert", ["Ataxia", "was"]), ("bluebert", ["ataxia", "was"])])
def test_case_is_told_from_the_vocabulary_where_no_file_says_it(tmp_path: Path, name: str, pieces: list[str]) -> None:
    found = find_encoder(str(look_alike(tmp_path / name, name)))

    assert found.tokenizer.tokenize("Ataxia was") == pieces
    assert found.lower_case is (name == "bluebert")
    assert any(note.endswith("by vocab.txt") for note in found.notes)


def test_a_family_that_the_config_does_not_name_is_said_in_a_note(tmp_path: Path) -> None:
    found = find_encoder(str(look_alike(tmp_path / "encoder", "biobert")))

    assert any("model_type" in note and "bert" in note for note in found.notes)


@pytest.mark.parametrize(("family", "file"), [("albert", "spiece.model"), ("deberta-v2", "spm.model")])
def test_a_sentencepiece_model_alone_is_a_tokenizer(tmp_path: Path, family: str, file: str) -> None:
    folder = encoder_copy(tmp_path / "encoder", family)
    drop(folder, "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")
    write_model(tmp_path).rename(folder / file)

    found = find_encoder(str(as_torch_file(folder)))

    assert "ataxia" in found.tokenizer.tokenize("ataxia")
    assert any(note.endswith(f"by {file}") for note in found.notes)


def test_a_family_that_nothing_tells_is_refused(tmp_path: Path) -> None:
    folder = as_torch_file(encoder_copy(tmp_path / "odd"), change=lambda weights: {"w": next(iter(weights.values()))})
    set_config(folder, model_type=None)

    with pytest.raises(BadFile, match="does not say its family"):
        find_encoder(str(folder))


def test_a_folder_in_the_standard_form_is_used_as_it_is() -> None:
    found = find_encoder(str(tiny.encoder()))

    assert found.source == str(tiny.encoder())
    assert found.notes == ()


def test_safetensors_without_a_family_open_as_well(tmp_path: Path) -> None:
    folder = encoder_copy(tmp_path / "encoder")
    set_config(folder, model_type=None)

    found = find_encoder(str(folder))

    assert found.config.model_type == "bert"
    assert load_file(Path(found.source) / "model.safetensors").keys() == load_file(folder / "model.safetensors").keys()


def test_safetensors_that_were_saved_from_several_gpus_open_as_well(tmp_path: Path) -> None:
    folder = encoder_copy(tmp_path / "encoder")
    weights = {f"module.{name}": each for name, each in load_file(folder / "model.safetensors").items()}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})

    found = find_encoder(str(folder))

    assert torch.equal(hidden_states(found), hidden_states(find_encoder(str(tiny.encoder()))))


def test_the_copy_says_what_it_was_made_from(tmp_path: Path) -> None:
    folder = look_alike(tmp_path / "encoder", "scibert-cased")

    source = json.loads((Path(find_encoder(str(folder)).source) / "source.json").read_text(encoding="utf-8"))

    assert source["name"] == "encoder"
    assert source["files"].keys() == {"config.json", "vocab.txt", "pytorch_model.bin"}


def test_other_weights_give_another_copy(tmp_path: Path) -> None:
    first = as_torch_file(encoder_copy(tmp_path / "a" / "same-name"))
    second = as_torch_file(
        encoder_copy(tmp_path / "b" / "same-name"),
        change=lambda weights: {key: 2 * each for key, each in weights.items()},
    )

    places = {bring_into_standard_form(Located(folder)).folder for folder in (first, second)}

    assert len(places) == 2


def test_the_tokenizer_of_the_copy_opens_without_linnet(tmp_path: Path) -> None:
    source = find_encoder(str(look_alike(tmp_path / "encoder", "biobert"))).source

    with quietly():
        assert AutoTokenizer.from_pretrained(source).tokenize("Ataxia") == ["Ataxia"]


class Code:
    """Unpickled by an ordinary loader, it would run a command."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return os.system, (f"touch {self.marker}",)


@pytest.mark.parametrize("is_zipped", [True, False])
def test_a_pickle_that_would_run_code_leaves_no_trace(tmp_path: Path, is_zipped: bool) -> None:
    folder = encoder_copy(tmp_path / "evil")
    drop(folder, "model.safetensors")
    evil = {"embeddings.word_embeddings.weight": Code(tmp_path / "ran")}
    torch.save(evil, folder / "pytorch_model.bin", _use_new_zipfile_serialization=is_zipped)

    with pytest.raises(BadFile, match="something else than tensors"):
        find_encoder(str(folder))

    assert not (tmp_path / "ran").exists()


def cut_off(folder: Path) -> None:
    path = as_torch_file(folder) / "pytorch_model.bin"
    path.write_bytes(path.read_bytes()[:5000])


def no_state_dict(folder: Path) -> None:
    drop(folder, "model.safetensors")
    torch.save([torch.zeros(2)], folder / "pytorch_model.bin")


def other_things(folder: Path) -> None:
    as_torch_file(folder, change=lambda weights: {**weights, "epoch": 3})


def text(folder: Path) -> None:
    drop(folder, "model.safetensors")
    (folder / "pytorch_model.bin").write_text("version https://git-lfs", encoding="utf-8")


def other_size(folder: Path) -> None:
    as_torch_file(folder)
    set_config(folder, hidden_size=32)


def no_tokenizer(folder: Path) -> None:
    drop(as_torch_file(folder), "tokenizer.json", "tokenizer_config.json")


def missing_shard(folder: Path) -> None:
    (as_torch_file(folder, shards=2) / "pytorch_model-00002-of-00002.bin").unlink()


def shard_outside(folder: Path) -> None:
    path = as_torch_file(folder, shards=2) / "pytorch_model.bin.index.json"
    path.write_text(json.dumps({"weight_map": {"w": "../outside.bin"}}), encoding="utf-8")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (cut_off, "cannot be read as weights"),
        (no_state_dict, "expected a state dict"),
        (other_things, r"holds other things than tensors: epoch \(int\)"),
        (text, r"pytorch_model\.bin: "),
        (other_size, "'hidden_size' is 32, but the weights have"),
        (no_tokenizer, "no tokenizer"),
        (missing_shard, "which is not there"),
        (shard_outside, "outside its folder"),
    ],
)
def test_files_that_are_not_as_they_should_be_are_refused_before_a_training(
    tmp_path: Path, spoil: Any, message: str
) -> None:
    folder = encoder_copy(tmp_path / "encoder")
    spoil(folder)

    with pytest.raises(LinnetError, match=message):
        hidden_states(find_encoder(str(folder)))


def test_a_cache_that_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = as_torch_file(encoder_copy(tmp_path / "encoder"))
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("LINNET_CACHE", str(tmp_path / "file"))

    with pytest.raises(BadFile) as refused:
        find_encoder(str(folder))

    assert "LINNET_CACHE" in refused.value.remedy


def test_a_folder_around_the_model_names_the_one_inside(tmp_path: Path) -> None:
    shutil.copytree(tiny.encoder(), tmp_path / "outer" / "RoBERTa-hf")

    with pytest.raises(BadFile) as refused:
        find_encoder(str(tmp_path / "outer"))

    assert "RoBERTa-hf" in refused.value.remedy
