"""The PyTorch engine: scores of a batch from a saved model, or a clear word why it cannot be opened."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors.torch import load_file, save_file

from linnet.batches.encoding import WordEncoder, collate
from linnet.errors import BadFile
from linnet.models.torch_engine import open_engine, open_tokenizer
from tests import tiny


def copied(folder: Path) -> Path:
    return Path(shutil.copytree(tiny.trained(), folder))


def test_scores_do_not_depend_on_the_padding_beside_them() -> None:
    encoder = WordEncoder(open_tokenizer(tiny.trained()), max_length=32)
    short, long = encoder.encode([["no", "ataxia"], ["no"] * 9])
    engine = open_engine(tiny.trained())

    alone = engine.logits(collate([short], encoder.pad_id))[0]
    beside = engine.logits(collate([short, long], encoder.pad_id))[0]

    assert alone.shape == (len(short.ids), 5)
    np.testing.assert_allclose(beside[: len(alone)], alone, atol=1e-5)


def test_bfloat16_changes_scores_little_and_tags_not() -> None:
    encoder = WordEncoder(open_tokenizer(tiny.trained()), max_length=32)
    batch = collate(list(encoder.encode([["no", "ataxia"], ["ataxia"] * 5, ["no"] * 9])), encoder.pad_id)
    exact, mixed = (open_engine(tiny.trained(), precision=each) for each in ("float32", "bfloat16"))

    expected, found = exact.logits(batch), mixed.logits(batch)

    assert found.dtype == np.float32
    assert not np.array_equal(found, expected)
    np.testing.assert_allclose(found, expected, atol=0.1)
    is_word = batch.mask.astype(bool)
    np.testing.assert_array_equal(found.argmax(-1)[is_word], expected.argmax(-1)[is_word])


def test_a_small_network_chooses_float32() -> None:
    assert open_engine(tiny.trained(), precision="auto").precision == "float32"


def test_a_network_in_training_stays_in_training() -> None:
    encoder = WordEncoder(open_tokenizer(tiny.trained()), max_length=32)
    engine = open_engine(tiny.trained())
    engine.network.train()

    first, second = [engine.logits(collate(list(encoder.encode([["ataxia"]])), encoder.pad_id)) for _ in range(2)]

    assert engine.network.training
    np.testing.assert_array_equal(first, second)  # without dropout all the same


@pytest.mark.parametrize("change", ["cut off", "without a head", "removed"])
def test_weights_that_are_not_whole_are_refused(tmp_path: Path, change: str) -> None:
    folder = copied(tmp_path / "model")
    path = folder / "model.safetensors"
    if change == "cut off":
        path.write_bytes(path.read_bytes()[:1000])
    elif change == "removed":
        path.unlink()
    else:
        save_file({name: each for name, each in load_file(path).items() if "classifier" not in name}, path)

    with pytest.raises(BadFile, match=r"cannot be opened|lacks classifier\.bias, classifier\.weight"):
        open_engine(folder)
