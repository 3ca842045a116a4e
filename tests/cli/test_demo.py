"""The demonstration, with a tiny encoder and corpus in place of the real ones."""

from pathlib import Path
from typing import Any

import pytest

from linnet.settings.training import TrainSettings
from linnet.training.run_folder import Run
from tests import tiny
from tests.cli.running import run

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def _train_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    def train(settings: TrainSettings, *, watcher: Any, resume: bool) -> Run:
        scheme = settings.loss.scheme
        return tiny.train(Path(settings.output), scheme=scheme, resume=resume, epochs=6, learning_rate=0.03)

    monkeypatch.setattr("linnet.comparison.demo.train", train)


def test_demo_trains_both_ways_and_says_what_the_difference_is_worth(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    done = run(capsys, "demo", "--output", tmp_path / "runs")

    assert (done.code, done.err) == (0, "")
    assert "demo (jsonl, iob2)" in done.out
    assert "largest / smallest weight: 2.100" in done.out
    table = done.out.partition("strict scores on the test split")[2].splitlines()
    assert [row.split()[0] for row in table[2:4]] == ["none", "welt"]
    assert "welt minus none: " in done.out
    assert "paired bootstrap over sentences, one seed each" in done.out
    assert "insulin" in done.out.partition("3. A paragraph")[2]
    assert (tmp_path / "runs" / "welt" / "model.safetensors").is_file()


def test_demo_takes_finished_runs_as_they_are(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first = run(capsys, "demo", "--output", tmp_path / "runs")
    written = (tmp_path / "runs" / "none" / "model.safetensors").stat().st_mtime_ns

    second = run(capsys, "demo", "--output", tmp_path / "runs")

    assert second.out == first.out
    assert (tmp_path / "runs" / "none" / "model.safetensors").stat().st_mtime_ns == written
