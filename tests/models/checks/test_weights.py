"""Weights: their sizes are those of the configuration, and all of them are finite numbers."""

import json
import shutil
import time
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import nn

from linnet.errors import BadFile
from linnet.models.checks.weights import check_finite, open_checked_config
from tests import tiny


def encoder(folder: Path, family: str, **changes: object) -> Path:
    shutil.copytree(tiny.encoder(family), folder)
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | changes), encoding="utf-8")
    return folder


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_a_whole_folder_of_each_family_passes(family: str) -> None:
    assert open_checked_config(tiny.encoder(family)).model_type == family


@pytest.mark.parametrize(
    ("family", "field", "value"),
    [
        ("bert", "hidden_size", 32),
        ("bert", "vocab_size", 10**9),
        ("bert", "max_position_embeddings", 10**9),
        ("bert", "type_vocab_size", 1),
        ("bert", "intermediate_size", 25),
        ("bert", "num_attention_heads", 3),
        ("bert", "hidden_act", "x"),
        ("electra", "embedding_size", 16),
        ("albert", "num_hidden_groups", 2),
        ("mpnet", "num_hidden_layers", 1),
        ("roberta", "num_hidden_layers", 10**9),
    ],
)
def test_another_size_than_that_of_the_weights_is_refused_at_once(
    tmp_path: Path, family: str, field: str, value: object
) -> None:
    folder = encoder(tmp_path / "m", family, **{field: value})
    started = time.monotonic()

    with pytest.raises(BadFile, match=rf"config\.json: '{field}' is"):
        open_checked_config(folder)

    assert time.monotonic() - started < 5


def test_a_size_that_is_not_there_is_not_guessed(tmp_path: Path) -> None:
    folder = encoder(tmp_path / "m", "bert")
    path = folder / "config.json"
    values = json.loads(path.read_text(encoding="utf-8"))
    del values["num_hidden_layers"]
    path.write_text(json.dumps(values), encoding="utf-8")

    with pytest.raises(BadFile, match="'num_hidden_layers' is 12, but the weights have 2"):
        open_checked_config(folder)


def test_a_value_of_another_type_is_refused_with_its_field(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"config\.json: cannot be used .*'hidden_size'"):
        open_checked_config(encoder(tmp_path / "m", "bert", hidden_size="x"))


def test_whole_numbers_are_no_weights(tmp_path: Path) -> None:
    folder = encoder(tmp_path / "m", "bert")
    weights = load_file(folder / "model.safetensors")
    name = "encoder.layer.0.output.dense.weight"
    save_file({**weights, name: weights[name].to(torch.int64)}, folder / "model.safetensors")

    with pytest.raises(BadFile, match=f"model.safetensors: {name} is of the type I64"):
        open_checked_config(folder)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_not_finite_are_refused(value: float) -> None:
    network = nn.Linear(3, 2)
    check_finite(network, Path("m"))
    with torch.no_grad():
        network.weight[1, 1] = value

    with pytest.raises(BadFile, match=r"m: 1 weights hold numbers that are not finite, e\.g\. weight"):
        check_finite(network, Path("m"))


def test_large_weights_are_finite() -> None:
    network = nn.Linear(2, 2, bias=False)
    nn.init.constant_(network.weight, 3e38)  # their sum is not

    check_finite(network, Path("m"))
