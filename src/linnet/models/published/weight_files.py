"""Reads published weights: safetensors, or PyTorch's own files through its restricted loader, which runs no code.

A `pytorch_model.bin` is a pickle. `torch.load(weights_only=True)` rebuilds tensors from it and refuses whatever else
stands in it, so no code from a file is ever run.
"""

import pickle
import warnings
import zipfile
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file
from torch import Tensor

from linnet.errors import BadFile
from linnet.storage.json_keys import load_json

__all__ = ["read_weights", "weight_files", "weight_names", "weights_form"]

SAFETENSORS, TORCH_FILE = "model.safetensors", "pytorch_model.bin"
FORMS = {"safetensors": SAFETENSORS, "torch": TORCH_FILE}
# raised by PyTorch for files that are cut off or hold no weights
UNREADABLE = (
    OSError, EOFError, RuntimeError, ValueError, LookupError, AttributeError, TypeError, zipfile.BadZipFile,
)  # fmt: skip
LFS_POINTER = b"version https://git-lfs"
COPY_AGAIN = "copy or download it again"


def weights_form(folder: Path) -> str | None:
    """Return `safetensors` or `torch`, whichever the folder holds, safetensors first; None where it holds neither."""
    for form, name in FORMS.items():
        if (folder / name).is_file() or (folder / f"{name}.index.json").is_file():
            return form
    return None


def weight_files(folder: Path) -> list[Path]:
    """Return the files of the folder's weights, one, or the shards that its index names, in order."""
    form = weights_form(folder)
    if form is None:
        return []
    whole = folder / FORMS[form]
    if whole.is_file():
        return [whole]
    index = folder / f"{FORMS[form]}.index.json"
    return [_shard(folder, name, index) for name in dict.fromkeys(_weight_map(index).values())]


def weight_names(folder: Path) -> list[str]:
    """Return the names of the weights in a folder, without reading the weights where its form allows that."""
    if weights_form(folder) == "torch":
        return list(read_weights(folder))
    names: list[str] = []
    for path in weight_files(folder):
        try:
            with safe_open(path, framework="pt") as file:
                names += file.keys()
        except (SafetensorError, OSError) as error:
            raise BadFile(f"{path}: cannot be read as weights ({error})", COPY_AGAIN) from None
    return names


def read_weights(folder: Path) -> dict[str, Tensor]:
    """Return the weights of a folder by name, every tensor in memory of its own.

    Raises:
        BadFile: where a file is cut off, is no state dict, or holds anything but tensors.
    """
    found: dict[str, Tensor] = {}
    for path in weight_files(folder):
        found |= _read(path)
    if not found:
        raise BadFile(f"{folder}: there are no weights", "give a folder with model.safetensors or pytorch_model.bin")
    # tied weights share memory, which safetensors does not keep
    return {name: tensor.detach().clone().contiguous() for name, tensor in found.items()}


def _read(path: Path) -> dict[str, Tensor]:
    if path.suffix == ".safetensors":
        try:
            return load_file(path)
        except (SafetensorError, OSError) as error:
            raise BadFile(f"{path}: cannot be read as weights ({error})", COPY_AGAIN) from None
    _refuse_pointer(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what matters becomes an error
            state = torch.load(path, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        raise BadFile(
            f"{path}: it holds something else than tensors, so it is not opened ({_first_sentence(error)})",
            "no code from a file is ever run; give weights that were saved as a state dict, or as safetensors",
        ) from None
    except UNREADABLE as error:
        raise BadFile(f"{path}: cannot be read as weights ({_first_sentence(error)})", COPY_AGAIN) from None
    return _unwrap_state(state, path)


def _refuse_pointer(path: Path) -> None:
    """Refuse an empty file, and what Git LFS leaves in the place of a large file that was not fetched."""
    with path.open("rb") as file:
        head = file.read(len(LFS_POINTER))
    if not head:
        raise BadFile(f"{path}: the file is empty", COPY_AGAIN)
    if head == LFS_POINTER:
        raise BadFile(
            f"{path}: this is a pointer of Git LFS, not the weights", "fetch them with `git lfs pull` in that folder"
        )


def _unwrap_state(state: object, path: Path) -> dict[str, Tensor]:
    """Return the tensors by name, also where a training script wrapped them, as in `{"state_dict": ...}`."""
    for key in ("state_dict", "model_state_dict", "model"):
        if isinstance(state, Mapping) and isinstance(state.get(key), Mapping):
            state = state[key]
    expected = "save the network's `state_dict()`: tensors by name"
    if not isinstance(state, Mapping):
        raise BadFile(f"{path}: found {type(state).__name__}, expected a state dict (tensors by name)", expected)
    others = [f"{name} ({type(each).__name__})" for name, each in state.items() if not isinstance(each, Tensor)]
    if others:
        raise BadFile(f"{path}: holds other things than tensors: {', '.join(others[:5])}", expected)
    return {str(name): each for name, each in state.items()}


def _weight_map(index: Path) -> dict[str, str]:
    try:
        found = load_json(index.read_text(encoding="utf-8"))["weight_map"]
        return {str(name): str(file) for name, file in found.items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise BadFile(f"{index}: names no files of weights ({error})", COPY_AGAIN) from None


def _shard(folder: Path, name: str, index: Path) -> Path:
    path = folder / name
    if Path(name).name != name:
        raise BadFile(f"{index}: names a file outside its folder: {name!r}", "give the folder as it was published")
    if not path.is_file():
        raise BadFile(f"{index}: names {name!r}, which is not there", f"{COPY_AGAIN}, with all its shards")
    return path


def _first_sentence(error: Exception) -> str:
    return " ".join(str(error).split()).split(". ")[0][:200]
