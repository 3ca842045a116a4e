"""Published weights: one file or shards, read without running code."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from torch import Tensor

from linnet.errors import BadFile
from linnet.models.published.weight_files import read_weights, weight_files, weight_names, weights_form

WEIGHTS = {"a": torch.arange(3.0), "b": torch.ones(2, 2)}


def write_torch(folder: Path, state: object) -> Path:
    torch.save(state, folder / "pytorch_model.bin")
    return folder


def write_shards(folder: Path) -> Path:
    place = {}
    for number, (name, tensor) in enumerate(WEIGHTS.items(), start=1):
        place[name] = f"model-0000{number}-of-00002.safetensors"
        save_file({name: tensor}, folder / place[name])
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": place}), encoding="utf-8")
    return folder


def are_equal(found: dict[str, Tensor]) -> bool:
    return found.keys() == WEIGHTS.keys() and all(torch.equal(found[name], WEIGHTS[name]) for name in WEIGHTS)


def test_safetensors_come_before_torchs_own_file(tmp_path: Path) -> None:
    assert weights_form(tmp_path) is None
    assert weight_files(tmp_path) == []

    write_torch(tmp_path, {"other": torch.zeros(1)})
    assert weights_form(tmp_path) == "torch"

    save_file(WEIGHTS, tmp_path / "model.safetensors")
    assert weights_form(tmp_path) == "safetensors"
    assert are_equal(read_weights(tmp_path))


def test_shards_are_read_as_one(tmp_path: Path) -> None:
    write_shards(tmp_path)

    assert [path.name[:11] for path in weight_files(tmp_path)] == ["model-00001", "model-00002"]
    assert weight_names(tmp_path) == ["a", "b"]
    assert are_equal(read_weights(tmp_path))


@pytest.mark.parametrize("wrapper", ["state_dict", "model_state_dict", "model"])
def test_what_a_training_script_wrapped_is_unwrapped(tmp_path: Path, wrapper: str) -> None:
    write_torch(tmp_path, {wrapper: WEIGHTS, "epoch": 3})

    assert are_equal(read_weights(tmp_path))
    assert weight_names(tmp_path) == ["a", "b"]


def test_tied_weights_get_memory_of_their_own(tmp_path: Path) -> None:
    tied = torch.ones(4)
    write_torch(tmp_path, {"a": tied, "b": tied, "c": torch.arange(6.0).view(2, 3).t()})

    found = read_weights(tmp_path)

    assert found["a"].data_ptr() != found["b"].data_ptr()
    assert found["c"].is_contiguous()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "a pointer of Git LFS"),
        (b"neither a pickle nor an archive", "pytorch_model.bin: "),
    ],
)
def test_a_file_without_weights_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "pytorch_model.bin").write_bytes(content)

    with pytest.raises(BadFile, match=message):
        read_weights(tmp_path)


def test_no_weights_at_all_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="there are no weights"):
        read_weights(tmp_path)


@pytest.mark.parametrize("content", ["{", "[]", '{"weight_map": 3}', "{}"])
def test_a_broken_index_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "model.safetensors.index.json").write_text(content, encoding="utf-8")

    with pytest.raises(BadFile, match="names no files of weights"):
        weight_files(tmp_path)


def test_broken_safetensors_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"\0" * 20)

    for read in (read_weights, weight_names):
        with pytest.raises(BadFile, match=r"model\.safetensors: cannot be read as weights"):
            read(tmp_path)
