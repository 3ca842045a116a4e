"""An exported tiny model, made once: following a network takes the exporter seconds, whatever its size."""

import json
import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from linnet.export.exporting import export_model
from linnet.export.onnx_export import write_network
from linnet.tasks.ner.exporting import open_exportable
from tests import tiny
from tests.once import make_once

LONG = ["ataxia", "was", "treated", "with", "folic", "acid", "."] * 40  # several windows of 64 sub-words
SENTENCES = [[word for word, _ in row] for row in tiny.sentences(30, seed=9)]


@cache
def network() -> Path:
    """Return the file of the trained tiny model's network, as the exporter writes it."""
    return make_once("trained.onnx", _write_network)


def _write_network(path: Path) -> None:
    model = open_exportable(tiny.trained(), check=None, split="test", label=None, repair=False)
    write_network(model.network(), path, inputs=model.inputs(), axes=model.axes())


def exported(*, int8: bool = False) -> Path:
    """Return the folder of the exported tiny model."""
    return _exported(int8)


@cache
def _exported(int8: bool) -> Path:
    folder = tiny.workshop() / ("trained-int8" if int8 else "trained-onnx")
    with pytest.MonkeyPatch.context() as patch:
        export_again(patch)
        export_model(tiny.trained(), folder, int8=int8)
    return folder


def export_again(patch: pytest.MonkeyPatch) -> None:
    """Let exports of the trained tiny model take the network that the exporter wrote before."""

    def copy(_: object, path: Path, **__: object) -> int:
        shutil.copy(network(), path)
        return 20

    patch.setattr("linnet.export.exporting.write_network", copy)


def copied(folder: Path, *, source: Path | None = None) -> Path:
    """Return a copy that a test may change."""
    return Path(shutil.copytree(source or exported(), folder))


def with_transitions(folder: Path) -> Path:
    """Return the trained tiny model, as if a CRF had learned that everything is outside."""
    copied(folder, source=tiny.trained())
    change_facts(folder, {"decoding": "crf"})
    start = np.array([50, 0, 0, 0, 0], np.float32)
    steps = np.zeros((5, 5), np.float32)
    steps[:, 0] = 50
    save_file({"start": start, "transitions": steps, "end": start}, folder / "crf.safetensors")
    return folder


def change_facts(folder: Path, changes: Mapping[str, Any]) -> None:
    """Change what `linnet.json` says."""
    path = folder / "linnet.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | changes), encoding="utf-8")
