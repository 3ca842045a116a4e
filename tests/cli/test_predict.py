"""The command `linnet predict`."""

import json
from pathlib import Path

import pytest

from tests import text_corpora
from tests.cli.running import run


def test_it_predicts_a_file_and_says_how_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, model = text_corpora.corpus("yesno") / "test.tsv", text_corpora.trained("yesno")

    done = run(capsys, "predict", source, "--model", model, "--output", tmp_path / "out", "--shard", "5", "--json")

    told = json.loads(done.out)
    assert (done.code, told["examples"]) == (0, told["answers"])
    assert (tmp_path / "out" / "part-00000.jsonl").is_file()


def test_a_job_is_resumed_or_replaced_not_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, model = text_corpora.corpus("yesno") / "test.tsv", text_corpora.trained("yesno")

    done = run(capsys, "predict", source, "--model", model, "--output", tmp_path / "o.tsv", "--resume", "--overwrite")

    assert (done.code, list(tmp_path.iterdir())) == (2, [])
