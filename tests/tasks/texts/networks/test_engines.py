"""Engines get all inputs of the network by name, and do not change whether it trains."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import torch

from linnet.batches.text_windows import TextBatch
from linnet.models.onnx_engine import OUTPUT
from linnet.tasks.texts.networks.engines import INPUTS, OnnxTextEngine, TorchTextEngine, inputs_of, tensors


def batch(n_marks: int = 0) -> TextBatch:
    ids = np.arange(6, dtype=np.int64).reshape(2, 3)
    return TextBatch(
        windows=[], ids=ids, mask=np.ones_like(ids), types=np.zeros_like(ids), marks=np.ones((2, n_marks), np.int64)
    )


class Network(torch.nn.Module):
    """A network that returns what it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(1))
        self.trained_while_reading: bool | None = None

    def read(self, input_ids: Any, attention_mask: Any, token_type_ids: Any, marks: Any) -> Any:
        self.trained_while_reading = self.training
        return input_ids * self.weight


def test_tensors_have_the_names_of_the_inputs() -> None:
    assert tuple(tensors(batch())) == INPUTS


def test_exported_networks_always_get_two_marks() -> None:
    assert inputs_of(batch(0))["marks"].tolist() == [[0, 0], [0, 0]]
    assert inputs_of(batch(1))["marks"].tolist() == [[1, 0], [1, 0]]
    assert inputs_of(batch(3))["marks"].shape == (2, 3)


def test_torch_reads_without_dropout_and_goes_on_training() -> None:
    network: Any = Network().train()

    found = TorchTextEngine(network).read(batch())

    assert found.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    assert found.dtype == np.float32
    assert network.trained_while_reading is False
    assert network.training


def test_onnx_gets_only_the_inputs_that_the_file_has() -> None:
    given: dict[str, Any] = {}

    def run(names: list[str], arrays: dict[str, Any]) -> list[Any]:
        given.update(arrays)
        assert names == [OUTPUT]
        return [arrays["input_ids"]]

    inputs = [SimpleNamespace(name=name) for name in ("input_ids", "attention_mask")]
    engine = OnnxTextEngine(SimpleNamespace(get_inputs=lambda: inputs, run=run))

    assert engine.read(batch()).shape == (2, 3)
    assert list(given) == ["input_ids", "attention_mask"]
