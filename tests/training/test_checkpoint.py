"""Checkpoints: whole or not at all, read back to the last bit, and never a pickle."""

from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import nn

from linnet.errors import BadFile
from linnet.training import checkpoint
from linnet.training.checkpoint import (
    as_it_was_written,
    last_checkpoint,
    read_network,
    read_optimiser,
    read_state,
    write_checkpoint,
    write_network,
)


def trained(seed: int = 1) -> tuple[nn.Module, torch.optim.Optimizer]:
    torch.manual_seed(seed)
    network = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2))
    optimiser = torch.optim.AdamW(network.parameters(), lr=0.1, fused=True)
    for _ in range(3):
        network(torch.randn(5, 3)).sum().backward()
        optimiser.step()
        optimiser.zero_grad()
    return network, optimiser


def write(folder: Path, step: int, seed: int = 1) -> Path:
    return write_checkpoint(folder, step, *trained(seed), {"history": step}, also={"more.json": "{}"})


def test_network_and_optimiser_are_read_back_to_the_last_bit(tmp_path: Path) -> None:
    network, optimiser = trained()
    place = write_checkpoint(tmp_path, 3, network, optimiser, {"history": [1.5]}, also={})
    other, other_optimiser = trained(seed=2)

    read_network(place, other)
    read_optimiser(place, other_optimiser)

    for (name, tensor), found in zip(network.state_dict().items(), other.state_dict().values(), strict=True):
        assert torch.equal(tensor, found), name
    for number, state in optimiser.state_dict()["state"].items():
        for name, tensor in state.items():
            assert torch.equal(tensor, other_optimiser.state_dict()["state"][number][name]), name
    assert read_state(place)["history"] == [1.5]


def test_a_checkpoint_holds_no_pickle(tmp_path: Path) -> None:
    names = sorted(path.name for path in write(tmp_path, 3).iterdir())

    assert names == ["more.json", "network.safetensors", "optimiser.safetensors", "state.json"]


def test_the_newest_checkpoint_is_that_of_the_latest_step(tmp_path: Path) -> None:
    for name in ("step-9", "step-10", ".step-11.abc.part", "step-x", "best"):
        (tmp_path / name).mkdir()

    assert last_checkpoint(tmp_path) == tmp_path / "step-10"
    assert last_checkpoint(tmp_path / "none") is None


def test_older_checkpoints_are_removed_when_the_new_one_is_there(tmp_path: Path) -> None:
    write(tmp_path, 9)
    write(tmp_path, 10)

    assert [path.name for path in tmp_path.iterdir()] == ["step-10"]


FULL = [OSError(28, "No space left on device"), SafetensorError("Error while serializing: No space left on device")]


@pytest.mark.parametrize("error", FULL, ids=["OSError", "SafetensorError"])
@pytest.mark.parametrize("n_good", [0, 1])
def test_a_full_disk_is_a_clear_error_and_leaves_the_last_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, n_good: int
) -> None:
    good = write(tmp_path, 9)
    calls = iter(range(9))

    def full(tensors: Any, path: Path) -> None:
        if next(calls) >= n_good:
            path.write_bytes(b"half of it")
            raise error
        save_file(tensors, path)

    monkeypatch.setattr(checkpoint, "save_file", full)
    with pytest.raises(BadFile, match=r"step-10: cannot be written \(.*No space left on device") as refused:
        write(tmp_path, 10)

    assert "space left" in refused.value.remedy
    assert [path.name for path in tmp_path.iterdir()] == ["step-9"]
    read_network(good, trained(2)[0])


@pytest.mark.parametrize("error", FULL, ids=["OSError", "SafetensorError"])
def test_weights_that_cannot_be_written_leave_the_old_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    path = tmp_path / "best.safetensors"
    network = trained()[0]
    write_network(path, network)
    before = path.read_bytes()

    def full(tensors: Any, part: Path) -> None:
        part.write_bytes(b"half of it")
        raise error

    monkeypatch.setattr(checkpoint, "save_file", full)
    with pytest.raises(BadFile, match=r"best\.safetensors: cannot be written"):
        write_network(path, trained(2)[0])

    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["best.safetensors"]


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    with pytest.raises(BadFile, match="cannot be written"):
        write(tmp_path / "file" / "checkpoints", 1)
    with pytest.raises(BadFile, match="cannot be written"):
        write_network(tmp_path / "file" / "best.safetensors", trained()[0])


def test_another_networks_weights_are_refused(tmp_path: Path) -> None:
    place = write(tmp_path, 1)

    with pytest.raises(BadFile, match="another network's weights"):
        read_network(place, nn.Linear(3, 4))


@pytest.mark.parametrize("file", ["network.safetensors", "optimiser.safetensors", "state.json"])
@pytest.mark.parametrize("is_removed", [True, False])
def test_a_broken_checkpoint_is_refused_by_name(tmp_path: Path, file: str, is_removed: bool) -> None:
    place = write(tmp_path, 1)
    network, optimiser = trained()
    (place / file).write_bytes(b"{")
    if is_removed:
        (place / file).unlink()

    def read() -> None:
        read_network(place, network)
        read_optimiser(place, optimiser)

    with pytest.raises(BadFile, match=f"{file}: cannot be read"):
        read()


@pytest.mark.parametrize(
    ("file", "content"), [("state.json", "[]"), ("state.json", "{}"), ("state.json", '{"groups": [{}]}')]
)
def test_a_checkpoint_that_was_changed_is_refused(tmp_path: Path, file: str, content: str) -> None:
    place = write(tmp_path, 1)
    (place / file).write_text(content, encoding="utf-8")

    with pytest.raises(BadFile, match="is not as it was written"):
        read_optimiser(place, trained()[1])


def test_a_state_that_is_nested_too_deeply_is_refused(tmp_path: Path) -> None:
    place = write(tmp_path, 1)
    (place / "state.json").write_text("[" * 100_000, encoding="utf-8")

    with pytest.raises(BadFile, match=r"state\.json: cannot be read"):
        read_optimiser(place, trained()[1])


def test_a_file_of_a_checkpoint_that_is_gone_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="is not as it was written"), as_it_was_written(tmp_path):
        (tmp_path / "trainer_state.json").read_text(encoding="utf-8")


def test_a_tensor_with_two_names_is_kept_once_and_read_back(tmp_path: Path) -> None:
    tied = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
    tied[1].weight = tied[0].weight
    write_network(tmp_path / "tied.safetensors", tied)
    other = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
    other[1].weight = other[0].weight

    read_network(tmp_path / "tied.safetensors", other)

    assert torch.equal(other.state_dict()["1.weight"], tied.state_dict()["0.weight"])
