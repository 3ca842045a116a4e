"""Training without a network."""

import subprocess
import sys
from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.training.without_network import train_without_network
from tests.tasks.linking.corpora import linking_settings, train_linking


def test_a_finished_run_is_kept_with_resume_and_refused_without(tmp_path: Path) -> None:
    run = train_linking(tmp_path / "run")
    before = (run.folder / "metrics.json").stat().st_mtime_ns

    again = train_without_network(linking_settings(tmp_path / "run"), resume=True)

    assert again.metrics == run.metrics
    assert (run.folder / "metrics.json").stat().st_mtime_ns == before
    with pytest.raises(BadFile, match="holds a run already"):
        train_linking(tmp_path / "run")


def test_an_interrupted_run_begins_again(tmp_path: Path) -> None:
    run = train_linking(tmp_path / "run")
    (run.folder / "linnet.json").unlink()

    again = train_without_network(linking_settings(tmp_path / "run"), resume=True)

    assert again.metrics["scores"] == run.metrics["scores"]


def test_no_module_of_torch_is_imported() -> None:
    program = "import sys, linnet.training.without_network, linnet.tasks.linking.results; print('torch' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"
