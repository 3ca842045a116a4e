"""The command `linnet split`."""

import json
import shlex
from pathlib import Path

import pytest

from linnet import read_corpus
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


def test_a_corpus_with_splits_is_split_anew_on_request(tmp_path: Path, capsys: Capture) -> None:
    refused = run(capsys, "split", "demo", tmp_path / "out")
    done = run(capsys, "split", "demo", tmp_path / "out", "--join-splits", "--json")

    assert refused.code == 2
    assert "--join-splits" in refused.err
    total = sum(part["documents"] for part in json.loads(done.out)["parts"].values())
    assert total == sum(len(list(split)) for split in read_corpus("demo").splits.values())


def test_the_first_step_of_the_engineers_tour_runs_as_written(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    tour = (Path(__file__).parents[3] / "docs" / "tours" / "engineer.md").read_text(encoding="utf-8")
    blocks = [part.split("```")[0] for part in tour.split("```bash\n")[1:3]]
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    commands = [shlex.split(line)[1:] for line in lines if line.startswith("linnet ")]
    monkeypatch.chdir(tmp_path)

    codes = [run(capsys, *command).code for command in commands]

    assert [command[0] for command in commands] == ["convert", "split", "stats"]
    assert codes == [0, 0, 0]
    assert list(read_corpus(tmp_path / "corpus").splits) == ["train", "devel", "test"]
