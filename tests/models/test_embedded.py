"""Embedded models: found by name, checked by digest, and named in every output."""

import json
from pathlib import Path
from typing import Any

import pytest

import linnet
from linnet import __version__
from linnet.annotation.annotate import annotate_path
from linnet.errors import BadFile
from linnet.models.embedded import embedded_folder, embedded_models, open_embedded, title_of
from linnet.models.evaluation import evaluate
from linnet.models.loading import load
from linnet.tasks.ner.predictor import Predictor
from tests import tiny
from tests.embedded import damage, infons, stand_in, without_models
from tests.export.exported import change_facts, exported

TEXT = "ataxia was treated with folic acid ."


SCORE = {"corpus": "C", "split": "test", "label": "all", "f1": 0.5, "f1_low": 0.4, "f1_high": 0.6, "units": "documents",
         "n_units": 3}  # fmt: skip


def test_without_a_name_the_embedded_model_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, tmp_path / "root")

    model = linnet.load()

    assert isinstance(model, Predictor)
    expected = load(exported(int8=True))
    assert list(model.annotate([TEXT])) == list(expected.annotate([TEXT]))


def test_outputs_name_the_model_and_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, tmp_path / "root")
    (tmp_path / "in.txt").write_text(TEXT, encoding="utf-8")

    done = annotate_path(tmp_path / "in.txt", output=tmp_path / "out.jsonl")

    assert infons(tmp_path / "out.jsonl")["annotated_by"] == f"Linnet {__version__}; model bio 0.9.1"
    assert done.as_dict()["model"] == "bio 0.9.1"


def test_it_is_evaluated_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, tmp_path / "root")

    found = evaluate("bio", tiny.corpus(), n_resamples=0)

    assert found.main_score == evaluate(exported(int8=True), tiny.corpus(), n_resamples=0).main_score


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_damaged_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    damage(stand_in(monkeypatch, tmp_path / "root") / name)

    with pytest.raises(BadFile, match=f"{name}: a file of the embedded model 'bio' is damaged .*\n.*force-reinstall"):
        linnet.load()


def test_a_missing_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (stand_in(monkeypatch, tmp_path / "root") / "tokenizer.json").unlink()

    with pytest.raises(BadFile, match=r"tokenizer.json: a file of the embedded model 'bio' cannot be read"):
        open_embedded("bio")


def test_facts_that_are_cut_off_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = stand_in(monkeypatch, tmp_path / "root") / "linnet.json"
    path.write_bytes(path.read_bytes()[:-20])

    with pytest.raises(BadFile, match=r"broken JSON .*\n.*force-reinstall"):
        linnet.load()


def test_facts_without_digests_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change_facts(stand_in(monkeypatch, tmp_path / "root"), {"release": {"name": "bio", "version": "1.0.0"}})

    with pytest.raises(BadFile, match="'release' does not say licence, files"):
        open_embedded("bio")


BROKEN: list[dict[str, Any]] = [
    {"scores": 5}, {"scores": None}, {"scores": ["a"]}, {"scores": "abc"}, {"scores": [{}]}, {"scores": {"a": 1}},
    {"words_per_second": "x"}, {"words_per_second": [1]}, {"words_per_second": float("nan")},
    {"words_per_second": True}, {"scores": [{**SCORE, "f1": "x"}]}, {"scores": [{**SCORE, "f1_low": "x"}]},
    {"scores": [{**SCORE, "n_units": "x"}]}, {"scores": [{**SCORE, "f1": None}]},
    {"scores": [{**SCORE, "f1_high": None}]}, {"scores": [{**SCORE, "corpus": None}]},
    {"scores": [{**SCORE, "f1": 10**400}]}, {"scores": [{**SCORE, "units": 5}]},
]  # fmt: skip


@pytest.mark.parametrize("changed", BROKEN, ids=range(len(BROKEN)))
def test_figures_that_could_not_be_shown_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: dict[str, Any]
) -> None:
    folder = stand_in(monkeypatch, tmp_path / "root")
    release = json.loads((folder / "linnet.json").read_text(encoding="utf-8"))["release"]
    change_facts(folder, {"release": {**release, "scores": [SCORE], **changed}})

    with pytest.raises(BadFile, match=r"'(scores|words_per_second)' of 'release'.*\n.*force-reinstall"):
        embedded_models()


def test_an_installation_without_models_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_models(monkeypatch, tmp_path / "root")

    with pytest.raises(BadFile, match=r"no embedded model 'bio'\n.*--model FOLDER.*linnet train"):
        linnet.load()
    assert embedded_models() == []


def test_a_model_folder_of_the_same_name_comes_first_and_other_folders_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = stand_in(monkeypatch, tmp_path / "root")
    monkeypatch.chdir(tmp_path)

    (tmp_path / "bio").mkdir()
    assert embedded_folder("bio") == folder
    (tmp_path / "bio" / "config.json").touch()
    assert embedded_folder("bio") is None
    assert embedded_folder(folder) is None
    assert embedded_folder("someone/tagger") is None


def test_models_are_described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = stand_in(monkeypatch, tmp_path / "root")

    (model,) = embedded_models()

    found = model.as_dict()
    assert (found["name"], found["version"], found["labels"]) == ("bio", "0.9.1", ["Chemical", "Disease"])
    assert (found["f1"], found["f1_low"], found["units"], found["n_units"]) == (0.9, 0.85, "documents", 8)
    assert found["bytes"] == sum(path.stat().st_size for path in folder.iterdir())
    assert title_of(folder) == "bio 0.9.1"
