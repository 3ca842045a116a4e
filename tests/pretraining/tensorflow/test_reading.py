"""Errors of TensorFlow's checkpoint reader are reported as damaged files."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from linnet.errors import BadFile
from linnet.pretraining.tensorflow.reading import TensorFlowReader, open_with_tensorflow


def test_an_error_in_a_variable_is_reported_as_a_damaged_file(tmp_path: Path) -> None:
    def cut(_: str) -> None:
        raise IndexError("Read less bytes than requested")

    broken: Any = SimpleNamespace(get_tensor=cut, get_variable_to_shape_map=lambda: {"step": ()})
    reader = TensorFlowReader(broken, tmp_path / "model.ckpt-1", (IndexError,))

    assert reader.get_variable_to_shape_map() == {"step": ()}
    with pytest.raises(BadFile, match=r"model\.ckpt-1: TensorFlow cannot read this checkpoint \(Read less bytes"):
        reader.get_tensor("step")


def test_other_errors_stay_what_they_are(tmp_path: Path) -> None:
    def fail(_: str) -> None:
        raise KeyError("a bug")

    reader: Any = SimpleNamespace(get_tensor=fail)

    with pytest.raises(KeyError, match="a bug"):
        TensorFlowReader(reader, tmp_path / "model.ckpt-1", (IndexError,)).get_tensor("step")


def test_a_checkpoint_that_cannot_be_opened_is_a_damaged_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class OpError(Exception):
        """Stands for TensorFlow's own error."""

    def load(_: str) -> None:
        raise OpError("Unsuccessful TensorSliceReader constructor")

    fake = SimpleNamespace(errors=SimpleNamespace(OpError=OpError), train=SimpleNamespace(load_checkpoint=load))
    monkeypatch.setitem(sys.modules, "tensorflow", fake)
    for name in ("TF_CPP_MIN_LOG_LEVEL", "TF_ENABLE_ONEDNN_OPTS"):
        monkeypatch.setenv(name, "0")  # so that the test leaves no variable behind

    with pytest.raises(BadFile, match=r"model\.ckpt-1: TensorFlow cannot read this checkpoint \(Unsuccessful"):
        open_with_tensorflow(tmp_path / "model.ckpt-1")
