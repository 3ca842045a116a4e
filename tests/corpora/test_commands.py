"""What `linnet corpus` prints, and commands that are given the name of a corpus."""

import json
from pathlib import Path

import pytest

from tests import tiny as tiny_models
from tests.cli.running import run
from tests.corpora.tiny_table import TEST, TRAIN, Server, fill


def test_a_corpus_is_got_checked_and_used(
    server: Server, tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    got = run(capsys, "corpus", "get", "tiny")
    checked = run(capsys, "corpus", "check", "tiny", "--json")
    counted = run(capsys, "stats", "tiny", "--json")
    weighed = run(capsys, "weights", "tiny", "--scheme", "welt", "--json")
    converted = run(capsys, "convert", "tiny/test.tsv", tmp_path / "test.jsonl")
    scored = run(capsys, "score", "tiny/test.tsv", tiny / "corpora" / "tiny" / "test.tsv", "--json")

    assert (got.code, "licence: CC0 1.0" in got.out, got.err.count("fetching")) == (0, True, 3)
    assert json.loads(checked.out)["ok"] is True
    assert json.loads(counted.out)["splits"]["train"]["mentions"] == 1
    assert [weighed.code, converted.code, scored.code] == [0, 0, 0]
    assert json.loads(scored.out)["strict"]["micro"]["f1"] == 1.0


def test_the_json_of_a_check_has_the_promised_shape(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(tiny, "tiny")

    found = json.loads(run(capsys, "corpus", "check", "tiny", "--json").out)

    assert {"name", "files", "splits", "licence"} <= found.keys()
    assert found["name"] == "tiny"
    assert found["licence"] == "CC0 1.0"
    assert set(found["files"]) == {"train.tsv", "devel.tsv", "test.tsv"}
    assert set(found["files"]["train.tsv"]) == {"sha256", "ok"}
    assert found["splits"]["test"] == {
        "sentences": 1, "mentions": 1, "ok": True, "expected": {"sentences": 1, "mentions": 1},
    }  # fmt: skip


def test_a_damaged_corpus_fails_the_check_with_what_is_wrong(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = fill(tiny, "tiny")
    (folder / "train.tsv").write_bytes(TRAIN + TEST)
    (folder / "devel.tsv").unlink()

    done = run(capsys, "corpus", "check", "tiny", "--json")
    found = json.loads(done.out)

    assert (done.code, found["ok"]) == (2, False)
    assert found["files"]["devel.tsv"] == {"sha256": None, "ok": False}
    assert found["splits"]["train"]["ok"] is False
    assert "train.tsv: is another file" in done.err
    assert "has no split 'devel'" in done.err
    assert "holds 3 sentences, 2 mentions, expected 2 sentences, 1 mention" in done.err
    assert "`linnet corpus get tiny`" in done.err


def test_a_check_looks_into_another_folder(tmp_path: Path, tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = fill(tmp_path / "elsewhere", "tiny")

    done = run(capsys, "corpus", "check", "tiny", "--in", folder)

    assert done.code == 0
    assert "1 sentence, 1 mention" in done.out


def test_a_corpus_that_is_not_here_cannot_be_checked(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "corpus", "check", "tiny")

    assert done.code == 2
    assert "`linnet corpus get tiny`" in done.err


def test_files_that_were_put_there_by_hand_are_counted_where_they_can_be_read(
    tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tiny / "corpora" / "tiny-signed"
    folder.mkdir(parents=True)
    (folder / "golden.json").write_text("{}", encoding="utf-8")

    done = run(capsys, "corpus", "check", "tiny-signed", "--json")

    assert done.code == 0
    assert json.loads(done.out)["splits"] == {}


def test_the_list_says_what_is_here_and_what_is_not(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(tiny, "tiny")

    printed = run(capsys, "corpus", "list").out
    found = {each["name"]: each for each in json.loads(run(capsys, "corpus", "list", "--json").out)["corpora"]}

    states = {line.split()[0]: line.split()[1] for line in printed.splitlines()}
    assert (states["tiny"], states["tiny-red"], states["tiny-signed"]) == ("here", "get", "by")
    assert (found["tiny"]["is_here"], found["tiny-red"]["is_here"]) == (True, False)
    assert found["tiny"]["files"][0]["address"].startswith("https://raw.githubusercontent.com/owner/name/")
    assert found["tiny-signed"]["by_hand"].endswith("tiny-signed.")


def test_training_on_a_corpus_that_is_not_here_names_the_command(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run(capsys, "train", "--data", "tiny", "--output", tmp_path / "run")

    assert done.code == 2
    assert "`linnet corpus get tiny`" in done.err
    assert not (tmp_path / "run").exists()


def test_a_model_is_evaluated_on_a_corpus_by_its_name(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(tiny, "tiny")

    done = run(capsys, "evaluate", tiny_models.trained(), "tiny", "--split", "devel", "--json")

    found = json.loads(done.out)
    assert (found["corpus"], found["split"], found["sentences"]) == ("tiny", "devel", 2)


def test_a_model_about_texts_is_trained_evaluated_and_answers_by_name(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(tiny, "tiny-pairs")
    encoder, model = tiny_models.encoder(), tmp_path / "run"

    trained = run(capsys, "train", "--task", "relations", "--data", "tiny-pairs", "--encoder", encoder,
                  "--output", model, "--epochs", 1, "--max-length", 64)  # fmt: skip
    evaluated = run(capsys, "evaluate", model, "tiny-pairs", "--json")
    answered = run(capsys, "predict", model, "tiny-pairs", "--split", "test", "--output", tmp_path / "answers.jsonl")

    assert [trained.code, evaluated.code, answered.code] == [0, 0, 0], trained.err + evaluated.err + answered.err
    assert json.loads((model / "linnet.json").read_text(encoding="utf-8"))["corpus"] == "tiny-pairs"
    assert (json.loads(evaluated.out)["corpus"], json.loads(evaluated.out)["examples"]) == ("tiny-pairs", 1)
