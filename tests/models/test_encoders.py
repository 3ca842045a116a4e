"""Encoders: local files first, nothing opened that is not safe, and a clear word where one cannot be had."""

import json
import shutil
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModel, ByT5Tokenizer

from linnet.errors import BadFile, BadSetting
from linnet.labels.label_set import LabelSet
from linnet.models.aliases import ALIASES
from linnet.models.encoders import find_encoder, most_positions, open_network, open_token_classifier
from tests import tiny

TAGS = LabelSet.of_tags(["Disease"], "iob2")


def copied(folder: Path, family: str = "bert") -> Path:
    return Path(shutil.copytree(tiny.encoder(family), folder))


def set_in_config(folder: Path, **values: object) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | values), encoding="utf-8")


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_each_family_gets_a_head_with_the_names_of_the_tags(family: str) -> None:
    model = open_token_classifier(find_encoder(str(tiny.encoder(family))), TAGS)

    assert model.config.id2label == {0: "O", 1: "B-Disease", 2: "I-Disease"}
    assert model.config.label2id == TAGS.id_by_name
    assert {parameter.dtype for parameter in model.parameters()} == {torch.float32}


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_the_dropout_of_each_family_can_be_overridden(family: str) -> None:
    model = open_token_classifier(find_encoder(str(tiny.encoder(family))), TAGS, dropout=0.37, attention_dropout=0.37)

    rates = {module.p for module in model.modules() if isinstance(module, torch.nn.Dropout)}
    assert rates == {0.37}


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_the_longest_input_is_known(family: str) -> None:
    assert most_positions(find_encoder(str(tiny.encoder(family))).config) == tiny.POSITIONS


@pytest.mark.parametrize(("family", "expected"), [("bert", 514), ("camembert", 512), ("xlm-roberta", 512)])
def test_families_that_count_positions_from_padding_have_fewer(family: str, expected: int) -> None:
    config = AutoConfig.for_model(family, max_position_embeddings=514, pad_token_id=1)

    assert most_positions(config) == expected


@pytest.mark.parametrize("family", ["roberta", "modernbert"])
def test_byte_level_tokenizers_read_a_word_as_inside_a_text(family: str) -> None:
    tokenizer = find_encoder(str(tiny.encoder(family))).tokenizer

    pieces = tokenizer.convert_ids_to_tokens(tokenizer(["was"], is_split_into_words=True)["input_ids"])

    assert pieces[1].startswith("Ġ")


def test_a_head_for_other_labels_is_replaced() -> None:
    model = open_token_classifier(find_encoder(str(tiny.trained())), TAGS)

    assert model.config.num_labels == 3
    kept = load_file(tiny.trained() / "model.safetensors")
    name = "bert.embeddings.word_embeddings.weight"
    assert torch.equal(model.state_dict()[name], kept[name])


@pytest.mark.parametrize("name", ["biobert", "somebody/some-encoder", "no-such-alias"])
def test_a_name_that_cannot_be_fetched_is_refused_at_once_with_what_to_do(name: str) -> None:
    started = time.monotonic()

    with pytest.raises(BadSetting) as refused:
        find_encoder(name)

    source = ALIASES[name].hub_name if name in ALIASES else name
    assert name in refused.value.problem
    assert f"hf download {source}" in refused.value.remedy
    assert "`minilm`, which needs no network" in refused.value.remedy
    assert time.monotonic() - started < 15  # the hub's client alone would try for half a minute and more


def test_an_encoder_that_comes_as_an_archive_says_where_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(BadSetting) as refused:
        find_encoder("biomed-roberta-large")

    assert "RoBERTa-large-PM-M3-Voc-hf.tar.gz" in refused.value.remedy
    assert "hf download" not in refused.value.remedy


def test_a_local_folder_asks_for_no_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("no connection is needed")

    monkeypatch.setattr(socket, "create_connection", refuse)

    assert find_encoder(str(copied(tmp_path / "encoder"))).config.model_type == "bert"


def test_a_slow_tokenizer_is_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path / "encoder")
    (folder / "tokenizer.json").unlink()
    ByT5Tokenizer().save_pretrained(folder)

    with pytest.raises(BadSetting, match=r"no fast tokenizer \(ByT5Tokenizer\)"):
        find_encoder(str(folder))


def test_a_folder_that_is_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="is no model folder"):
        find_encoder(str(tmp_path))


@pytest.mark.parametrize("file", ["config.json", "tokenizer.json"])
def test_a_broken_file_is_refused(tmp_path: Path, file: str) -> None:
    folder = copied(tmp_path / "encoder")
    (folder / file).write_text("{", encoding="utf-8")

    with pytest.raises(BadFile, match="cannot be opened as an encoder"):
        find_encoder(str(folder))


def test_code_that_comes_with_a_model_is_never_run(tmp_path: Path) -> None:
    folder = copied(tmp_path / "encoder")
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')", encoding="utf-8")
    set_in_config(folder, model_type="evil", auto_map={"AutoConfig": "evil.Config"})

    with pytest.raises(BadFile, match="cannot be opened as an encoder"):
        find_encoder(str(folder))
    assert not (tmp_path / "ran").exists()


def test_weights_that_are_cut_off_are_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path / "encoder")
    weights = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(weights[: len(weights) // 2])

    with pytest.raises(BadFile, match="cannot be read as weights"):
        open_token_classifier(find_encoder(str(folder)), TAGS)


def test_an_encoder_with_weights_missing_is_refused_instead_of_made_up(tmp_path: Path) -> None:
    folder = copied(tmp_path / "encoder")
    weights = load_file(folder / "model.safetensors")
    save_file({name: tensor for name, tensor in weights.items() if "layer.1" not in name}, folder / "model.safetensors")

    with pytest.raises(BadFile, match=r"config\.json: 'num_hidden_layers' is 2, but the weights have 1"):
        open_token_classifier(find_encoder(str(folder)), TAGS)


def test_an_encoder_with_weights_of_another_size_is_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path / "encoder")
    set_in_config(folder, vocab_size=999)

    with pytest.raises(BadFile, match=r"config\.json: 'vocab_size' is 999, but the weights have .* \(embeddings\.word"):
        open_token_classifier(find_encoder(str(folder)), TAGS)


def with_setting(**values: object) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        path = folder / "config.json"
        path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | values), encoding="utf-8")

    return change


def with_content(name: str, content: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        (folder / name).write_text(content, encoding="utf-8")

    return change


def with_numbers_that_are_none(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    weights["embeddings.word_embeddings.weight"] *= float("nan")
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def with_post_processor_that_is_none(folder: Path) -> None:
    path = folder / "tokenizer.json"
    values = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**values, "post_processor": {"type": "x"}}), encoding="utf-8")


def without_a_number_for_unknown_words(folder: Path) -> None:
    path = folder / "tokenizer.json"
    values = json.loads(path.read_text(encoding="utf-8"))
    del values["model"]["vocab"]["[UNK]"]
    path.write_text(json.dumps(values), encoding="utf-8")


def without_a_tokenizer(folder: Path) -> None:
    for path in folder.glob("*token*"):
        path.unlink()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        *((with_content(name, content), "cannot be opened as an encoder")
          for name in ("config.json", "tokenizer.json", "tokenizer_config.json")
          for content in ("3", "null", "[]", "{")),
        *((with_setting(**values), "cannot be opened as an encoder")
          for values in ({"hidden_size": "x"}, {"hidden_size": 0}, {"vocab_size": None}, {"dtype": "float99"},
                         {"num_attention_heads": 0}, {"pad_token_id": 9999}, {"hidden_act": "zz"},
                         {"num_hidden_layers": 10**9}, {"vocab_size": 10**9})),
        *((with_setting(**values), f"config.json: '{name}' is .*, but the weights have")
          for values in ({"num_hidden_layers": 1}, {"num_hidden_layers": 3}, {"vocab_size": 10**8}) for name in values),
        (with_post_processor_that_is_none, "cannot be opened as an encoder"),
        (without_a_number_for_unknown_words, "cannot be opened as an encoder"),
        (with_numbers_that_are_none, "not finite"),
        (without_a_tokenizer, "it has no tokenizer"),
    ],
)  # fmt: skip
def test_an_encoder_that_is_not_as_it_should_be_is_refused(
    tmp_path: Path, spoil: Callable[[Path], None], message: str
) -> None:
    folder = tmp_path / "encoder"
    shutil.copytree(tiny.encoder(), folder)
    spoil(folder)

    with pytest.raises(BadFile, match=message):
        open_network(find_encoder(str(folder)), AutoModel)


def test_groups_of_albert_that_the_configuration_does_not_have_are_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path / "encoder", "albert")
    weights = load_file(folder / "model.safetensors")
    second = {name.replace("layer_groups.0", "layer_groups.1"): tensor.clone() for name, tensor in weights.items()}
    save_file({**second, **weights}, folder / "model.safetensors", metadata={"format": "pt"})

    with pytest.raises(BadFile, match="'num_hidden_groups' is 1, but the weights have 2 of them"):
        open_network(find_encoder(str(folder)), AutoModel)


def test_an_embedded_model_is_no_encoder() -> None:
    with pytest.raises(BadSetting, match="'bio' is an embedded model: it was exported to annotate, and cannot be tr"):
        find_encoder("bio")


def test_a_misspelt_alias_is_answered_with_the_nearest() -> None:
    with pytest.raises(BadSetting, match="did you mean 'minilm'"):
        find_encoder("minlm")


def test_a_name_that_is_too_long_for_a_folder_is_refused() -> None:
    with pytest.raises(BadFile, match="cannot be accessed"):
        find_encoder("x" * 300)
