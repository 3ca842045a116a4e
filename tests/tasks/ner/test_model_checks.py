"""A broken tagger is refused when it is opened, issue 27: it would find nothing, and nobody would know why."""

import json
import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from linnet.errors import BadFile
from linnet.tasks.ner.predictor import load
from tests import tiny
from tests.export.exported import change_facts, with_transitions


def copied(folder: Path) -> Path:
    return Path(shutil.copytree(tiny.trained(), folder))


def change_weights(path: Path, name: str, value: float) -> None:
    weights = load_file(path)
    weights[name].flat[0] = value
    save_file(weights, path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"max_length": -1}, "'max_length' is -1"),
        ({"max_length": 2}, "adds 2 special tokens"),
        ({"max_length": 97}, "reads at most 96"),
        ({"tagging": "x"}, "'tagging' is 'x', expected one of io, iob1"),
        ({"tagging": "io"}, "'tagging' is 'io', which has no tag 'B-Chemical'"),
        ({"tags": []}, "outputs have no names"),
        ({"decoding": ""}, "'decoding' is ''"),
        ({"decoding": "crf"}, r"'decoding' is 'crf', but crf\.safetensors is not there"),
        ({"overlap": 40}, "'overlap' is 40"),
    ],
)
def test_facts_that_no_tagger_has_are_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    change_facts(copied(tmp_path / "m"), change)

    with pytest.raises(BadFile, match=message):
        load(tmp_path / "m")


WEIGHTS = (
    "bert.embeddings.word_embeddings.weight",
    "bert.encoder.layer.0.attention.self.query.bias",
    "bert.encoder.layer.1.intermediate.dense.bias",
    "classifier.bias",
)


@pytest.mark.parametrize("value", [math.nan, -math.inf])
@pytest.mark.parametrize("name", WEIGHTS)
def test_weights_that_are_not_finite_are_refused(tmp_path: Path, name: str, value: float) -> None:
    change_weights(copied(tmp_path / "m") / "model.safetensors", name, value)

    with pytest.raises(BadFile, match="not finite"):
        load(tmp_path / "m")


def test_weights_whose_scores_overflow_are_refused(tmp_path: Path) -> None:
    path = copied(tmp_path / "m") / "model.safetensors"
    for name in ("classifier.weight", "bert.encoder.layer.1.output.LayerNorm.weight"):
        weights = load_file(path)
        weights[name][:] = 3e38
        save_file(weights, path)

    with pytest.raises(BadFile, match="scores of the network are not finite"):
        load(tmp_path / "m")


def test_a_layer_less_than_the_weights_have_is_refused(tmp_path: Path) -> None:
    path = copied(tmp_path / "m") / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | {"num_hidden_layers": 1}))

    with pytest.raises(BadFile, match=r"config\.json: 'num_hidden_layers' is 1, but the weights have 2"):
        load(tmp_path / "m")


def test_a_tokenizer_that_fails_at_unknown_words_is_refused(tmp_path: Path) -> None:
    path = copied(tmp_path / "m") / "tokenizer.json"
    change_facts(tmp_path / "m", {"tokenizer": ""})  # as older versions wrote it
    values = json.loads(path.read_text(encoding="utf-8"))
    values["model"]["unk_token"] = "[NONE]"
    path.write_text(json.dumps(values), encoding="utf-8")

    with pytest.raises(BadFile, match="cannot be used"):
        load(tmp_path / "m")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"end": None}, "'end' is missing"),
        ({"start": np.zeros(4, np.float32)}, "'start' is missing, or no 5 numbers"),
        ({"transitions": np.zeros((5, 4), np.float32)}, "no 5 x 5 numbers"),
        ({"start": np.zeros(5, np.int64)}, "'start'"),
        ({"transitions": np.full((5, 5), np.nan, np.float32)}, "'transitions' holds numbers that are not finite"),
    ],
)
def test_a_broken_crf_is_refused(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    path = with_transitions(tmp_path / "m") / "crf.safetensors"
    tensors = load_file(path) | changes
    save_file({name: each for name, each in tensors.items() if each is not None}, path)

    with pytest.raises(BadFile, match=rf"crf\.safetensors: .*{message}"):
        load(tmp_path / "m")


def test_a_crf_that_linnet_json_does_not_mention_is_refused(tmp_path: Path) -> None:
    change_facts(with_transitions(tmp_path / "m"), {"decoding": "valid"})

    with pytest.raises(BadFile, match=r"'decoding' is 'valid', but crf\.safetensors is there"):
        load(tmp_path / "m")
