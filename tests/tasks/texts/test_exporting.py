"""Models about texts as ONNX: they predict the same, without torch, and int8 is checked by its score."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linnet
from linnet.annotation.predict import predict_path
from linnet.contracts import LossInterval
from linnet.errors import BadSetting, LinnetError
from linnet.export.exporting import export_model
from linnet.models.model_folder import NETWORK
from linnet.tasks.texts.exporting import TextParity, embedded_texts, open_exportable
from linnet.tasks.texts.networks.engines import OnnxTextEngine
from linnet.tasks.texts.predictor import load_texts
from tests import text_corpora, tiny

# following a network takes the exporter seconds: multi-label with a mean by default, the others in the slow tests
KINDS = ["several", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("relations", "similarity", "answering"))]


@pytest.fixture(autouse=True)
def own_checks(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setenv("LINNET_CACHE", str(tmp_path_factory.mktemp("cache")))  # checks are kept there


@cache
def exported(kind: str) -> Path:
    """Return the folder of an exported tiny model."""
    folder = tiny.workshop() / f"exported-{kind}"
    export_model(text_corpora.trained(kind), folder)
    return folder


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_an_exported_model_predicts_what_the_original_predicts(kind: str, tmp_path: Path) -> None:
    (source,) = text_corpora.corpus(kind).glob("test.*")

    for name, folder in {"torch": text_corpora.trained(kind), "onnx": exported(kind)}.items():
        predict_path(folder, source, output=tmp_path / f"{name}.tsv")

    ours, theirs = (
        [line.split("\t") for line in (tmp_path / f"{name}.tsv").read_text(encoding="utf-8").splitlines()[1:]]
        for name in ("torch", "onnx")
    )
    assert len(ours) == len(theirs) > 0
    for (a, first, score), (b, second, other) in zip(ours, theirs, strict=True):
        assert a == b
        if kind == "similarity":
            assert float(first) == pytest.approx(float(second), abs=1e-3)
        else:
            assert (first, score[:5]) == (second, other[:5])
    assert isinstance(load_texts(exported(kind)).engine, OnnxTextEngine)


@pytest.mark.slow
def test_a_pair_of_texts_that_are_read_apart_is_exported_too(tmp_path: Path) -> None:
    run = text_corpora.train("similarity", tmp_path / "run", text={"method": "bi"})

    done = export_model(run.folder, tmp_path / "onnx", check=text_corpora.corpus("similarity"))

    assert done.parity.n_different == 0
    assert done.parity.points_lost == pytest.approx(0.0, abs=0.01)


@pytest.fixture
def export_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let int8 exports of the multi-label model begin with the network that the exporter wrote before."""

    def copy(_: object, path: Path, **__: object) -> int:
        shutil.copy(exported("several") / NETWORK, path)
        return 20

    exported("several")
    monkeypatch.setattr("linnet.export.exporting.write_network", copy)


@pytest.mark.usefixtures("export_again")
def test_the_check_on_a_corpus_has_the_score_of_both(tmp_path: Path) -> None:
    corpus = text_corpora.corpus("several")

    done = export_model(text_corpora.trained("several"), tmp_path / "int8", int8=True, check=corpus, tolerance=100)

    told: Any = done.as_dict()
    assert told["examples"] == 8
    assert told["score"] is not None
    assert done.parity.points_lost == pytest.approx(100 * (told["score"] - told["exported_score"]))
    assert any("before" in sentence for sentence in done.parity.sentences())
    assert told["points_lost_low"] <= done.parity.points_lost <= told["points_lost_high"]
    assert (told["units"], told["n_units"]) == ("documents", 5)


@pytest.mark.usefixtures("export_again")
def test_an_int8_model_that_loses_more_than_allowed_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = TextParity(examples=8, equal=4, largest_difference=1.0, metric="F1", score=0.9, exported_score=0.5)
    monkeypatch.setattr("linnet.tasks.texts.exporting.compare_predictors", lambda *_, **__: lost)

    with pytest.raises(LinnetError, match=r"int8 loses 40\.00 points, more than the 0\.5 allowed"):
        export_model(text_corpora.trained("several"), tmp_path / "int8", int8=True)

    assert not list(tmp_path.iterdir())


def test_a_comparison_is_restored_from_its_record() -> None:
    model = open_exportable(text_corpora.trained("yesno"), check=None, split="test", repair=False)
    interval = LossInterval(low=-1.0, high=2.0, units="documents", n_units=2)
    parity = TextParity(examples=8, equal=4, largest_difference=1.0, metric="F1", score=0.9, exported_score=0.5)

    for each in (parity, replace(parity, loss_interval=interval)):
        assert model.restore(json.loads(json.dumps(each.as_record()))) == each


def test_what_only_taggers_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="the task 'answering' does not know --label"):
        export_model(text_corpora.trained("yesno"), tmp_path / "x", label="Disease", check=text_corpora.corpus("yesno"))


def test_embedded_texts_are_pairs_where_the_task_needs_pairs_and_one_is_long() -> None:
    single, pairs = (embedded_texts(load_texts(text_corpora.trained(kind))) for kind in ("several", "similarity"))

    assert all(each.second is None for each in single)
    assert all(each.second for each in pairs)
    assert max(len(each.first) for each in single) > 2 * np.median([len(each.first) for each in single])


def test_texts_are_predicted_without_torch() -> None:
    program = (
        "import sys, linnet\n"
        f"found = linnet.load({str(exported('several'))!r}).predict(['we gave aspirin .'])\n"
        "print(len(found), sorted({'torch', 'transformers'} & sys.modules.keys()))\n"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert (done.stdout.strip(), done.stderr) == ("1 []", "")


def test_the_engine_must_fit_the_folder() -> None:
    with pytest.raises(BadSetting, match="the engine onnx needs an exported model"):
        linnet.load(text_corpora.trained("several"), engine="onnx")
    with pytest.raises(BadSetting, match="this is an exported model, which the engine torch cannot run"):
        linnet.load(exported("several"), engine="torch")
