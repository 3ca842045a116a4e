"""A broken model about texts is refused when it is opened, issue 27."""

import json
import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from safetensors.numpy import load_file, save_file

from linnet.errors import BadFile
from linnet.tasks.texts.predictor import load_texts
from tests import text_corpora


def damaged(folder: Path, kind: str, change: Callable[[dict[str, Any]], object]) -> Path:
    shutil.copytree(text_corpora.trained(kind), folder)
    path = folder / "linnet.json"
    values = json.loads(path.read_text(encoding="utf-8"))
    change(values)
    path.write_text(json.dumps(values), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda values: values["text"].pop("shape"), "it does not say shape"),
        (lambda values: values["text"].update(settings=[]), "'settings' is"),
        (lambda values: values["text"]["shape"].update(kind="x"), "'kind' is 'x', expected"),
        (lambda values: values["text"]["shape"].update(pooling=None), "'pooling' is None, expected"),
        (lambda values: values["text"]["shape"].update(extra=1), "unknown field 'extra'"),
        (lambda values: values["text"]["shape"].update(method="bi"), "'method' is 'bi'"),
        (
            lambda values: values["text"]["shape"].update(kind="number"),
            r"config\.json says 'multi_label_classification'",
        ),
        (lambda values: values["text"].update(range=[1, 0]), r"'range' is \[1, 0\]"),
        (lambda values: values["text"].update(range=[0, math.nan]), "'range' is"),
        (lambda values: values["text"].update(thresholds={"chemical": 0.5}), "other labels than 'tags'"),
        (lambda values: values["text"].update(thresholds={"chemical": 2, "disease": 0}), "'chemical' is 2, expected"),
        (lambda values: values["text"]["settings"].update(devel_share="x"), "the setting 'devel_share' of `text`"),
        (lambda values: values.update(max_length=-1), "'max_length' is -1"),
        (lambda values: values.update(max_length=2), "special tokens"),
        (lambda values: values.update(max_length=10**6), "reads at most 96"),
        (lambda values: values.update(tags=[]), "other labels than 'tags'"),
    ],
)
def test_facts_that_no_such_model_has_are_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], message: str
) -> None:
    folder = damaged(tmp_path / "m", "several", change)

    with pytest.raises(BadFile, match=message):
        load_texts(folder)


@pytest.mark.parametrize("file", ["model.safetensors", "text-head.safetensors"])
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_weights_that_are_not_finite_are_refused(tmp_path: Path, file: str, value: float) -> None:
    folder = damaged(tmp_path / "m", "several", lambda values: None)
    weights = load_file(folder / file)
    next(iter(weights.values())).flat[0] = value
    save_file(weights, folder / file)

    with pytest.raises(BadFile, match="not finite"):
        load_texts(folder)


def test_a_head_of_whole_numbers_is_refused(tmp_path: Path) -> None:
    folder = damaged(tmp_path / "m", "several", lambda values: None)
    weights: Any = load_file(folder / "text-head.safetensors")
    save_file({name: each.astype("int8") for name, each in weights.items()}, folder / "text-head.safetensors")

    with pytest.raises(BadFile, match=r"text-head\.safetensors: \w+ is no weight"):
        load_texts(folder)
