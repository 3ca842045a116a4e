"""Names of schemes, losses, formats, matchings, tasks and encoders are taken in any letter case."""

import json
from pathlib import Path
from typing import Any

import pytest

import linnet
from linnet.settings.files import to_toml
from linnet.settings.training import LossSettings
from linnet.training.options import alias_name, load_training, read_recipe
from tests import tiny
from tests.cli.running import run, write

GOLD = "a\tB-X\nb\tO\n"


def test_a_scheme_may_be_written_as_its_paper_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "train.tsv", GOLD)

    found = {name: run(capsys, "weights", path, "--scheme", name, "--json") for name in ("welt", "WeLT", "WELT")}

    assert {done.code for done in found.values()} == {0}
    assert len({done.out for done in found.values()}) == 1
    assert json.loads(found["WELT"].out)["scheme"] == "welt"


def test_a_scheme_with_a_beta_may_be_in_capitals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "train.tsv", GOLD)

    done = run(capsys, "weights", path, "--scheme", "ENS", "--beta", "0.9", "--json")

    assert json.loads(done.out)["scheme"] == "ens"


def test_formats_and_taggings_may_be_in_capitals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "gold.tsv", GOLD)

    converted = run(capsys, "convert", path, tmp_path / "out", "--from", "CoNLL", "--to", "JSONL")
    scored = run(capsys, "score", path, path, "--format", "CoNLL", "--tagging", "IOB2", "--json")
    counted = run(capsys, "stats", path, "--format", "CONLL", "--json")

    assert (converted.code, scored.code, counted.code) == (0, 0, 0)
    assert json.loads(scored.out)["strict"]["micro"]["f1"] == 1.0
    assert json.loads(counted.out)["format"] == "conll"


def test_a_folder_of_splits_is_converted_by_a_format_in_capitals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "corpus" / "train.tsv", GOLD)

    assert run(capsys, "convert", tmp_path / "corpus", tmp_path / "out", "--from", "CONLL", "--to", "Jsonl").code == 0
    assert (tmp_path / "out" / "train.jsonl").is_file()


def test_the_resolved_recipe_has_the_names_as_they_are_listed(tmp_path: Path) -> None:
    run = tiny.train(
        tmp_path / "run", epochs=0, task="NER", loss={"name": "Focal", "scheme": "WELT"}, tagging="IOB2",
        selection={"matching": "Partial"}, format="CoNLL",
    )  # fmt: skip

    found: Any = read_recipe(run.folder / "recipe.toml")
    assert (found.task, found.format, found.tagging) == ("ner", "conll", "iob2")
    assert (found.loss.name, found.loss.scheme, found.selection.matching) == ("focal", "welt", "partial")
    assert '"WELT"' not in (run.folder / "recipe.toml").read_text(encoding="utf-8")
    assert (run.facts.task, run.facts.scheme, run.facts.loss) == ("ner", "welt", "focal")


def test_a_run_is_resumed_whatever_the_letter_case_of_its_names(tmp_path: Path) -> None:
    first = tiny.train(tmp_path / "run", epochs=0, scheme="welt")

    assert tiny.train(tmp_path / "run", epochs=0, scheme="WeLT", resume=True) == first


def test_an_alias_of_an_encoder_is_written_as_it_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_training(None, data="demo", output="run", encoder="PubMedBERT")

    assert settings.encoder == "pubmedbert"
    assert 'encoder = "pubmedbert"' in to_toml(settings)
    assert alias_name("BioBERT") == "biobert"
    assert alias_name("dmis-lab/BioBERT") == "dmis-lab/BioBERT"
    (tmp_path / "BioBERT").mkdir()
    monkeypatch.chdir(tmp_path)
    assert alias_name("BioBERT") == "BioBERT"  # a folder of the user's


def test_a_name_that_is_wrong_in_any_case_is_refused_with_the_nearest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run(capsys, "weights", write(tmp_path / "train.tsv", GOLD), "--scheme", "WELTT")

    assert done.code == 2
    assert "did you mean 'welt'?" in done.err


def test_given_weights_are_still_told_from_a_scheme() -> None:
    assert LossSettings(scheme="None", weights={"O": 1.0}).scheme == "none"


def test_a_matching_is_asked_for_in_any_case(tmp_path: Path) -> None:
    path = write(tmp_path / "gold.tsv", GOLD)

    assert linnet.score(path, path, n_resamples=0).matching("Strict").micro.f1 == 1.0
