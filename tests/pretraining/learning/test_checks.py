"""Checks of encoder, vocabulary and budget before text is read."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file, save_file
from transformers import AutoModel

from linnet.errors import BadFile, BadSetting
from linnet.models.encoders import quietly
from linnet.pretraining.learning.checks import check_start
from tests import tiny
from tests.pretraining import tiny_text


def without_mask(folder: Path) -> Path:
    """Return an encoder whose tokenizer knows no mask."""
    tiny.write_encoder(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        text = (folder / name).read_text(encoding="utf-8").replace("[MASK]", "maskless")
        content = json.loads(text)
        content.pop("mask_token", None)
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    return folder


@pytest.mark.parametrize("given", [{}, {"vocabulary": {"train": 200}}, {"vocabulary": {"extend": 5}}])
def test_a_tokenizer_without_a_mask_is_refused_before_text_is_read(tmp_path: Path, given: dict[str, object]) -> None:
    folder = without_mask(tmp_path / "encoder")

    with pytest.raises(BadFile, match=re.escape(f"{folder}: the tokenizer has no [MASK] or <mask>")):
        check_start(tiny_text.settings(tmp_path / "run", encoder=str(folder), **given))


def cut_in_two(weights: Path) -> None:
    weights.write_bytes(weights.read_bytes()[: weights.stat().st_size // 2])


def of_another_size(weights: Path) -> None:
    save_file({name: tensor[:1].contiguous() for name, tensor in load_file(weights).items()}, weights)


@pytest.mark.parametrize("spoil", [Path.unlink, cut_in_two, of_another_size])
def test_weights_that_cannot_be_used_are_refused_before_text_is_read(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    folder = tiny.write_encoder(tmp_path / "encoder")
    spoil(folder / "model.safetensors")

    with pytest.raises(BadFile, match=re.escape(str(folder))):
        check_start(tiny_text.settings(tmp_path / "run", encoder=str(folder)))


def test_a_head_that_is_not_the_familys_usual_one_is_refused(tmp_path: Path) -> None:
    folder = tiny.write_encoder(tmp_path / "encoder", "deberta-v2")
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps({**config, "legacy": False}), encoding="utf-8")

    with pytest.raises(BadFile, match="a head for masked words of its own kind"):
        check_start(tiny_text.settings(tmp_path / "run", encoder=str(folder)))


@pytest.mark.parametrize(("n_rows", "is_refused"), [(600, False), (5000, True)])
def test_a_tokenizer_with_far_fewer_sub_words_than_rows_is_another_encoders(
    tmp_path: Path, n_rows: int, is_refused: bool
) -> None:
    folder = tiny.write_encoder(tmp_path / "encoder")
    with quietly():
        network = AutoModel.from_pretrained(folder)
        network.resize_token_embeddings(n_rows)
        network.save_pretrained(folder)
    chosen = tiny_text.settings(tmp_path / "run", encoder=str(folder))

    if is_refused:
        with pytest.raises(BadFile, match=r"the tokenizer has only \d+ sub-words, the encoder 5,000 rows"):
            check_start(chosen)
    else:
        check_start(chosen)


def test_the_head_of_a_fresh_encoder_does_not_learn_alone(tmp_path: Path) -> None:
    given: dict[str, Any] = {"fresh": True, "encoder": "bert-tiny", "vocabulary": {"train": 200}}
    with pytest.raises(
        BadSetting, match=r"optimiser\.head_first is 0\.2, but all of a fresh encoder has to be trained"
    ):
        check_start(tiny_text.settings(tmp_path / "run", optimiser={"head_first": 0.2}, **given))


def test_a_budget_has_to_hold_the_head_alone_and_the_warm_up(tmp_path: Path) -> None:
    optimiser = {"head_first": 0.5, "warmup": 0.4}
    with pytest.raises(BadSetting, match=r"warm-up of 1 .* after 1 for the head alone") as refused:
        check_start(tiny_text.settings(tmp_path / "run", budget={"steps": 2}, optimiser=optimiser))
    assert "less for the head alone" in refused.value.remedy
    with pytest.raises(BadSetting, match="`head_first` and `warmup` together must be below 1"):
        tiny_text.settings(tmp_path / "run", optimiser=optimiser | {"warmup": 0.5})
