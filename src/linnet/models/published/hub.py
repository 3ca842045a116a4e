"""Finds the files of a published model: a folder, or a repository of the model hub, fetched or from its local cache.

Local files come first. A hub name is fetched where there is a network and read from the local cache where there is
none; both give the same folder, whose name is the commit. Only the branch that was asked for is read, never somebody's
open pull request, and only weights that Linnet can open are fetched.
"""

import re
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import getproxies

from huggingface_hub import HfApi, constants, snapshot_download
from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError
from huggingface_hub.utils.tqdm import disable_progress_bars, enable_progress_bars

from linnet.errors import BadFile, BadSetting, LinnetError
from linnet.storage.files import check_path

__all__ = ["OTHER_WEIGHTS", "Located", "is_hub_name", "locate_files", "may_fetch"]

SMALL_FILES = ("*.json", "*.txt", "*.model", "README.md")  # configuration, tokenizer, licence
SAFETENSORS = ("model.safetensors", "model-*.safetensors", "model.safetensors.index.json")
TORCH_FILES = ("pytorch_model.bin", "pytorch_model-*.bin", "pytorch_model.bin.index.json")
OTHER_WEIGHTS = ("tf_model.h5", "flax_model.msgpack", "model.ckpt*", "rust_model.ot", "*.ckpt.index")
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".7z")
HUB_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?(@[\w./-]+)?")


@dataclass(frozen=True)
class Located:
    """A folder with the files of a model, and where it comes from."""

    folder: Path
    hub_name: str | None = None  # None: a folder that the user named
    revision: str | None = None  # the commit, of a hub name


def locate_files(source: str) -> Located:
    """Return the folder of a model that is named by a path or a hub name; `NAME@REVISION` names a branch or commit.

    Raises:
        BadFile: where it is a file, or weights of another kind.
        BadSetting: where it cannot be found, saying how to provide it.
    """
    path = Path(source)
    check_path(path)
    if path.is_dir():
        return Located(path)
    if path.exists() or source.lower().endswith(ARCHIVES):
        raise _not_a_folder(path)
    if not is_hub_name(source):
        raise BadSetting(f"{source}: there is no such folder, and it cannot be a hub name", "check the path")
    name, _, revision = source.partition("@")
    why = "HF_HUB_OFFLINE is set" if constants.HF_HUB_OFFLINE else "there is no network"
    folder = _fetch(name, revision or None) if may_fetch() else _find_in_cache(name, revision or None, why)
    return Located(folder, name, folder.name)


def is_hub_name(source: str) -> bool:
    """Return whether this can be the name of a repository, rather than a path."""
    return HUB_NAME.fullmatch(source) is not None and not source.startswith(".") and ".." not in source


def may_fetch() -> bool:
    """Return whether the hub can be reached. Without a network its own client would try for half a minute."""
    if constants.HF_HUB_OFFLINE:
        return False
    if any(getproxies().values()):
        return True
    address = urlsplit(constants.ENDPOINT)
    port = address.port or (80 if address.scheme == "http" else 443)
    try:
        with socket.create_connection((address.hostname or "", port), timeout=3):
            return True
    except OSError:
        return False


def _fetch(name: str, revision: str | None) -> Path:
    """Return the folder of a repository; fetch files that are not in the cache."""
    disable_progress_bars()
    try:
        listed = HfApi(endpoint=constants.ENDPOINT).model_info(name, revision=revision)
        files = [each.rfilename for each in listed.siblings or ()]
        _check_weights(name, files)
        if sys.stderr.isatty():
            enable_progress_bars()  # weights take a while
        wanted = [*SMALL_FILES, *(SAFETENSORS if _has_any(files, SAFETENSORS) else TORCH_FILES)]
        return Path(snapshot_download(name, revision=revision, allow_patterns=wanted, endpoint=constants.ENDPOINT))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        return _find_in_cache(name, revision, " ".join(str(error).split())[:300])
    finally:
        enable_progress_bars()


def _find_in_cache(name: str, revision: str | None, why: str) -> Path:
    """Return the folder of a repository in the local cache."""
    try:
        folder = Path(snapshot_download(name, revision=revision, local_files_only=True, allow_patterns=["config.json"]))
    except (LocalEntryNotFoundError, HFValidationError, OSError):
        raise BadSetting(
            f"{name!r} is no folder here, it is not in the local cache, and it could not be fetched from the hub "
            f"({why})",
            f"check the name; connect once and run `{_download_command(name, revision)}`; give a folder with its "
            "files; or set HF_HOME to a cache that has it",
        ) from None
    files = [each.name for each in folder.iterdir()]
    if not _has_any(files, (*SAFETENSORS, *TORCH_FILES)):
        raise BadSetting(
            f"{name!r} is in the local cache without its weights ({folder}), and could not be fetched ({why})",
            f"connect once and run `{_download_command(name, revision)}`",
        )
    return folder


def _download_command(name: str, revision: str | None) -> str:
    return f"hf download {name} --revision {revision}" if revision else f"hf download {name}"


def _check_weights(name: str, files: Sequence[str]) -> None:
    if not _has_any(files, (*SAFETENSORS, *TORCH_FILES)):
        others = [file for file in files if any(fnmatch(file, pattern) for pattern in OTHER_WEIGHTS)]
        found = f"only {', '.join(others)}" if others else "and no other weights"
        raise BadFile(
            f"{name}: the repository has no model.safetensors or pytorch_model.bin, {found}",
            "choose a repository that has them; TensorFlow 1 checkpoints are converted by `linnet import-checkpoint`",
        )


def _has_any(files: Sequence[str], patterns: Sequence[str]) -> bool:
    return any(fnmatch(file, pattern) for file in files for pattern in patterns)


def _not_a_folder(path: Path) -> LinnetError:
    if not path.exists():
        return BadSetting(f"{path}: there is no such file", "check the path; unpack an archive and give its folder")
    if path.name.lower().endswith(ARCHIVES):
        return BadFile(f"{path}: this is an archive", "unpack it, then give the folder that holds config.json")
    return BadFile(f"{path}: this is a file, not a model folder", "give the folder that it lies in")
