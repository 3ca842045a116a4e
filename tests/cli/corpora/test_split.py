"""The command `linnet split`."""

import json
from pathlib import Path

import pytest

from tests.cli.running import run

Capture = pytest.CaptureFixture[str]


def corpus(folder: Path) -> Path:
    path = folder / "a.jsonl"
    rows = [{"id": f"d{n}", "text": f"case{n} had ataxia{n} on day{n}"} for n in range(20)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("shares", ["0.8,0.1,0.1", "80,10,10"])
def test_the_parts_are_printed_with_the_command_that_trains(tmp_path: Path, capsys: Capture, shares: str) -> None:
    result = run(capsys, "split", corpus(tmp_path), tmp_path / "out", "--shares", shares)

    assert result.code == 0
    assert "train: 16 documents\ndevel: 2 documents\ntest: 2 documents\n" in result.out
    assert f"linnet train --data {tmp_path / 'out'}" in result.out


def test_json_has_the_counts(tmp_path: Path, capsys: Capture) -> None:
    result = run(capsys, "split", corpus(tmp_path), tmp_path / "out", "--json")

    assert json.loads(result.out)["parts"]["train"] == {"documents": 14}


def test_shares_that_are_no_numbers_are_refused(tmp_path: Path, capsys: Capture) -> None:
    result = run(capsys, "split", corpus(tmp_path), tmp_path / "out", "--shares", "most,few")

    assert result.code == 2
    assert "'most,few'" in result.err
    assert not (tmp_path / "out").exists()
