"""The trainings that need processes of their own, all in one go."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from linnet.settings.files import to_toml
from tests import tiny
from tests.once import make_once
from tests.tasks.ner import several
from tests.training.scenarios import KILLED, OF_SEVERAL_CORPORA, SHARED_BY_TWO

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def forked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """How the trainings of all scenarios ended, by the scenario's name."""
    path = make_once("forked-trainings.json", lambda path: _train(tmp_path_factory.mktemp("forked"), path))
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _train(folder: Path, results: Path) -> None:
    """Run all scenarios in one process that imports everything once; each training is a fork of it."""
    recipe = folder / "recipe.toml"
    recipe.write_text(to_toml(tiny.settings(folder / "unused", threads=1)), encoding="utf-8")
    several_corpora = folder / "several.toml"
    described = several.joint_then_target(threads=1)
    several_corpora.write_text(to_toml(tiny.settings(folder / "unused", **described)), encoding="utf-8")
    plan = {
        "folder": str(folder),
        "recipe": str(recipe),
        "recipes": dict.fromkeys(OF_SEVERAL_CORPORA, str(several_corpora)),  # of scenarios that have their own
        "kill": KILLED,
        "share": SHARED_BY_TWO,
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.training.forks", json.dumps(plan)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=os.environ | {"TOKENIZERS_PARALLELISM": "false"},  # its threads would not survive a fork
    )
    assert done.returncode == 0, done.stderr
    results.write_text(json.dumps(json.loads(done.stdout) | {"errors": done.stderr}), encoding="utf-8")
