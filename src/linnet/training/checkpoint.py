"""Checkpoints of a training: a killed run that is resumed ends with the same weights.

A checkpoint is a folder `step-N` with safetensors and JSON, written under a temporary name and then renamed, so it is
complete or missing. The order of batches and the dropout of each step follow from seed, epoch and step alone, so no
random state has to be saved.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.optim import Optimizer

from linnet.errors import BadFile
from linnet.storage.durable import replacing
from linnet.storage.files import new_folder
from linnet.storage.json_keys import load_json
from linnet.storage.removal import remove_folder

__all__ = ["as_it_was_written", "last_checkpoint", "read_average", "read_network", "read_optimiser", "read_state",
           "write_checkpoint", "write_network"]  # fmt: skip

NETWORK, OPTIMISER, STATE = "network.safetensors", "optimiser.safetensors", "state.json"
AVERAGE = "average.safetensors"  # of a training that keeps one
NAME = re.compile(r"step-(\d+)$")
START_AGAIN = "remove the checkpoints and start again"


@contextmanager
def as_it_was_written(path: Path) -> Iterator[None]:
    """Turn any error in the content of a checkpoint, which was damaged or changed, into `BadFile`."""
    try:
        yield
    except (AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError) as error:
        raise BadFile(f"{path}: is not as it was written ({type(error).__name__}: {error})", START_AGAIN) from None


def last_checkpoint(folder: Path) -> Path | None:
    """Return the newest checkpoint in the folder, if there is one."""
    found = [(int(match[1]), path) for path in folder.glob("step-*") if (match := NAME.search(path.name))]
    return max(found)[1] if found else None


def write_checkpoint(
    folder: Path,
    step: int,
    network: nn.Module,
    optimiser: Optimizer,
    state: Mapping[str, Any],
    *,
    also: Mapping[str, str],
    average: Mapping[str, Tensor] | None = None,
) -> Path:
    """Write `step-N`, then remove older checkpoints.

    Args:
        folder: of all checkpoints.
        step: updates that were made.
        network: whose weights are written.
        optimiser: whose state is written.
        state: what else a resumed training must know.
        also: further text files to put into it, by their names.
        average: the running average of the weights, where there is one.
    """
    place = folder / f"step-{step}"
    tensors, groups = _flatten(optimiser.state_dict())
    try:
        with new_folder(place, overwrite=True) as part:
            save_file(_tensors(network), part / NETWORK)
            save_file(tensors, part / OPTIMISER)
            if average is not None:
                save_file({name: each.cpu() for name, each in average.items()}, part / AVERAGE)
            (part / STATE).write_text(json.dumps({**state, "groups": groups}), encoding="utf-8")
            for name, text in also.items():
                (part / name).write_text(text, encoding="utf-8")
    except SafetensorError as error:
        raise _writing_error(place, error) from None
    for old in folder.glob("step-*"):
        if old != place:
            remove_folder(old)
    return place


def write_network(path: Path, network: nn.Module) -> None:
    """Write the network's weights; the file appears when it is complete."""
    try:
        with replacing(path) as part:
            save_file(_tensors(network), part)
    except (OSError, SafetensorError) as error:
        raise _writing_error(path, error) from None


def read_network(path: Path, network: nn.Module) -> None:
    """Put saved weights into the network."""
    file = path / NETWORK if path.is_dir() else path
    saved = _read_tensors(file)
    if saved.keys() != _tensors(network).keys():
        raise BadFile(f"{file}: holds another network's weights", START_AGAIN)
    with as_it_was_written(file):
        network.load_state_dict(saved, strict=False)  # a tensor with two names is saved under one


def read_optimiser(checkpoint: Path, optimiser: Optimizer) -> None:
    """Put the saved state into the optimiser."""
    state: dict[int, dict[str, Tensor]] = {}
    with as_it_was_written(checkpoint):
        for key, tensor in _read_tensors(checkpoint / OPTIMISER).items():
            number, name = key.split(".", 1)
            state.setdefault(int(number), {})[name] = tensor
        optimiser.load_state_dict({"state": state, "param_groups": read_state(checkpoint)["groups"]})


def read_average(checkpoint: Path) -> dict[str, Tensor]:
    """Return the running average of the weights."""
    return _read_tensors(checkpoint / AVERAGE)


def read_state(checkpoint: Path) -> dict[str, Any]:
    """Return the state that was saved beside the tensors."""
    path = checkpoint / STATE
    try:
        found: dict[str, Any] = load_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadFile(f"{path}: cannot be read ({error})", START_AGAIN) from None
    return found


def _read_tensors(path: Path) -> dict[str, Tensor]:
    try:
        return load_file(path)
    except (OSError, SafetensorError) as error:
        raise BadFile(f"{path}: cannot be read ({error})", START_AGAIN) from None


def _tensors(network: nn.Module) -> dict[str, Tensor]:
    """Return the network's tensors; one with two names is saved once, as safetensors requires."""
    tensors: dict[str, Tensor] = {}
    seen: set[int] = set()
    for name, tensor in network.state_dict().items():
        if tensor.data_ptr() not in seen or tensor.numel() == 0:
            seen.add(tensor.data_ptr())
            tensors[name] = tensor.detach().cpu().contiguous()
    return tensors


def _writing_error(path: Path, error: Exception) -> BadFile:
    return BadFile(f"{path}: cannot be written ({error})", "check the folder's permissions and the space left")


def _flatten(state: Mapping[str, Any]) -> tuple[dict[str, Tensor], list[Any]]:
    tensors = {
        f"{number}.{name}": value.detach().cpu().contiguous() if isinstance(value, Tensor) else torch.tensor(value)
        for number, values in state["state"].items()
        for name, value in values.items()
    }
    return tensors, list(state["param_groups"])
