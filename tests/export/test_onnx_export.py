"""ONNX files: every family says what it says in torch, and what cannot be written is named."""

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from transformers.modeling_outputs import TokenClassifierOutput

from linnet.errors import BadSetting, LinnetError, MissingExtra
from linnet.export.exporting import export_model
from linnet.export.onnx_export import check_packages, write_network
from linnet.tasks.ner.predictor import load
from tests import tiny
from tests.export.exported import LONG, SENTENCES, network

INPUTS = {"input_ids": torch.ones((3, 17), dtype=torch.int64), "attention_mask": torch.ones((3, 17), dtype=torch.int64)}
AXES = {name: {0: "windows", 1: "tokens"} for name in INPUTS}


class Undecided(nn.Module):
    """A network whose course depends on the numbers in it, which cannot be traced."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(1, 2)

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> TokenClassifierOutput:
        values = input_ids.float()[..., None]
        if bool(values.sum() > 3):
            values = -values
        return TokenClassifierOutput(logits=self.layer(values) * attention_mask[..., None])


@pytest.mark.slow
@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_every_family_can_be_exported(tmp_path: Path, family: str) -> None:
    run = tiny.train(tmp_path / "run", encoder=str(tiny.encoder(family)), epochs=1)

    done = export_model(run.folder, tmp_path / "onnx")
    smaller = export_model(run.folder, tmp_path / "int8", int8=True)

    assert done.parity.n_different == 0
    assert done.parity.largest_difference <= 1e-4
    assert smaller.parity.n_compared == done.parity.n_compared
    ours, theirs = load(tmp_path / "onnx"), load(run.folder)
    assert [each.tags for each in ours.tag([*SENTENCES, LONG])] == [
        each.tags for each in theirs.tag([*SENTENCES, LONG])
    ]


def test_the_file_says_nothing_about_the_machine_that_wrote_it() -> None:
    content = network().read_bytes()

    assert str(Path(torch.__file__).parent).encode() not in content
    assert str(Path(__file__).parents[2]).encode() not in content


def test_a_network_that_cannot_be_followed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LinnetError, match="cannot write Undecided as ONNX") as caught:
        write_network(Undecided(), tmp_path / "model.onnx", inputs=INPUTS, axes=AXES)

    assert "engine torch" in caught.value.remedy
    assert not list(tmp_path.iterdir())


def test_a_network_too_large_for_one_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linnet.export.onnx_export.MOST_BYTES", 10)

    with pytest.raises(BadSetting, match="an ONNX file holds 2 GB at most"):
        write_network(Undecided(), tmp_path / "model.onnx", inputs=INPUTS, axes=AXES)


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linnet.extras.find_spec", {"onnx": object()}.get)

    with pytest.raises(MissingExtra, match="exporting needs onnxscript") as caught:
        check_packages()
    assert caught.value.remedy.endswith("[train]'")


def test_windows_and_tokens_of_a_batch_may_be_any_number() -> None:
    import onnxruntime  # type: ignore[import-untyped]

    session = onnxruntime.InferenceSession(str(network()), providers=["CPUExecutionProvider"])

    shapes = [(1, 1), (1, 7), (9, 2), (4, 64)]
    found = [session.run(None, dict.fromkeys(("input_ids", "attention_mask"), np.ones(s, np.int64))) for s in shapes]
    assert [scores.shape for [scores] in found] == [(*shape, 5) for shape in shapes]
