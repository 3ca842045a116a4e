"""The trainings that need processes of their own, all in one go and beside the tests that do not wait for them."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from linnet.settings.files import to_toml
from tests import tiny
from tests.tasks.ner import several
from tests.training.scenarios import KILLED, OF_SEVERAL_CORPORA, SHARED_BY_TWO

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session", autouse=True)
def forking(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, subprocess.Popen[bytes]] | None]:
    """Start the process if any test will ask for its results, and give it with the folder that gets them."""
    if not any("forked" in getattr(item, "fixturenames", ()) for item in request.session.items):
        yield None
        return
    folder = tmp_path_factory.mktemp("forked")
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
    with (folder / "out").open("w") as out, (folder / "err").open("w") as err:
        started = subprocess.Popen(
            [sys.executable, "-m", "tests.training.forks", json.dumps(plan)],
            stdout=out,
            stderr=err,
            cwd=ROOT,
            env=os.environ | {"TOKENIZERS_PARALLELISM": "false"},  # its threads would not survive a fork
        )
    yield folder, started
    started.kill()
    started.wait()


@pytest.fixture(scope="session")
def forked(forking: tuple[Path, subprocess.Popen[bytes]]) -> dict[str, Any]:
    """How the trainings of all scenarios ended, by the scenario's name."""
    folder, started = forking
    code = started.wait()
    errors = (folder / "err").read_text(encoding="utf-8")
    assert code == 0, errors
    found: dict[str, Any] = json.loads((folder / "out").read_text(encoding="utf-8"))
    return found | {"errors": errors}
