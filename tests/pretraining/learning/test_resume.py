"""A pretraining that is killed at any moment and resumed ends like an uninterrupted one; two processes like one."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from linnet.settings.files import to_toml
from tests import tiny
from tests.pretraining import tiny_text
from tests.pretraining.forks import KILLED

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def forked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """How the runs ended."""
    folder = tmp_path_factory.mktemp("forked")
    recipe = folder / "recipe.toml"
    settings = tiny_text.settings(
        folder / "unused",
        encoder=str(tiny.encoder("albert")),
        budget={"steps": 7},  # intervals of 3, 3 and 1
        evaluations=3,
        checkpoint_minutes=0,
        masking={"unit": "ngram"},
        length=48,
    )
    recipe.write_text(to_toml(settings), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "tests.pretraining.forks", str(folder), str(recipe)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=os.environ | {"TOKENIZERS_PARALLELISM": "false"},  # its threads would not survive a fork
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found | {"errors": done.stderr}


@pytest.mark.parametrize("name", KILLED)
def test_a_run_killed_again_and_again_ends_with_the_same_weights(forked: dict[str, Any], name: str) -> None:
    found = forked[name]

    assert found["codes"] == [0, *[-9] * len(KILLED[name][1]), 0], forked["errors"]
    assert found["killed"] == found["whole"]


def test_two_processes_learn_the_same_as_one(forked: dict[str, Any]) -> None:
    found = forked["two processes"]
    losses = {name: [row["loss"] for row in found[name]["history"] if "loss" in row] for name in ("one", "two")}
    perplexity = {name: found[name]["history"][-1]["perplexity"] for name in ("one", "two")}

    assert found["codes"][:3] == [0, 0, 0], forked["errors"]
    assert losses["two"] == pytest.approx(losses["one"], rel=1e-4)
    assert perplexity["two"] == pytest.approx(perplexity["one"], rel=1e-3)
    assert found["two"]["files"] == found["one"]["files"]


def test_two_processes_agree_on_the_updates_of_a_budget_in_hours(forked: dict[str, Any]) -> None:
    found = forked["two processes"]

    assert found["codes"][3:] == [0, 0], forked["errors"]
    assert found["timed"]["files"] == found["one"]["files"]
