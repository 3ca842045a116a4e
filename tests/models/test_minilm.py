"""The packaged MiniLM: found without a network, opened only with the weights that Linnet was tested with."""

import hashlib
import importlib.util
import shutil
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
from transformers import AutoConfig

from linnet.errors import BadFile, MissingExtra
from linnet.models import minilm
from linnet.models.encoders import find_encoder
from linnet.models.minilm import minilm_folder
from tests import tiny


def packaged_minilm(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a tiny encoder where the package with MiniLM would be."""
    spec = ModuleSpec(minilm.PACKAGE, None, is_package=True)
    spec.submodule_search_locations = [str(folder)]
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: spec if name == minilm.PACKAGE else None)
    find_encoder.cache_clear()
    return Path(shutil.copytree(tiny.encoder(), folder / "model"))


def test_other_weights_than_the_tested_ones_are_not_opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    packaged_minilm(tmp_path, monkeypatch)
    monkeypatch.setattr(AutoConfig, "from_pretrained", pytest.fail)

    with pytest.raises(BadFile, match=rf"the SHA-256 is [0-9a-f]{{64}}, expected {minilm.SHA256}"):
        find_encoder("minilm")


def test_a_package_without_its_weights_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (packaged_minilm(tmp_path, monkeypatch) / "model.safetensors").unlink()

    with pytest.raises(BadFile, match="the SHA-256 is no file"):
        minilm_folder()


def test_the_tested_weights_are_opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = packaged_minilm(tmp_path, monkeypatch)
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    monkeypatch.setattr(minilm, "SHA256", digest)

    assert find_encoder("minilm").source == str(folder)
    find_encoder.cache_clear()


def test_minilm_without_its_package_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    find_encoder.cache_clear()

    with pytest.raises(MissingExtra, match=r"pip install .*\[minilm\]'"):
        find_encoder("minilm")
