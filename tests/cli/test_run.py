"""`linnet run publish`: a run without the texts of its corpus."""

import json
from pathlib import Path

import pytest

from tests import tiny
from tests.cli.running import run


def test_a_run_is_published_and_the_command_lists_what_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = run(capsys, "run", "publish", tiny.trained(), tmp_path / "a")
    found = json.loads(run(capsys, "run", "publish", tiny.trained(), tmp_path / "b", "--json").out)
    refused = run(capsys, "run", "publish", tmp_path / "none", tmp_path / "c")

    assert "left out: mistakes.tsv, predictions-devel.tsv, predictions-test.tsv, report.md" in told.out
    assert "model.safetensors" in found["files"]
    assert (refused.code, "there is no such run folder" in refused.err) == (2, True)
