"""Runs as Ray tasks: an address that does not answer is refused at once, and a lost worker's run is run again."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from linnet.comparison.ray_runner import run_on_ray
from linnet.comparison.runner import SilentGridWatcher
from linnet.errors import BadSetting, LinnetError, MissingExtra
from linnet.extras import install_command
from linnet.storage.processors import connect_to_ray
from tests.cli.running import environment, run_process
from tests.comparison.fake_runs import make_grid, write_grid
from tests.tiny import corpus, encoder

ROOT = Path(__file__).parents[2]
SAME_MODULES = {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}  # for the workers of Ray as well


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> Any:  # Any: ray has no types of its own
    """Ray, where it is installed, on a machine without a network."""
    found = pytest.importorskip("ray")
    monkeypatch.setattr(found.util, "get_node_ip_address", lambda: "127.0.0.1")
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    return found


@pytest.fixture
def silent_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        port: int = opened.getsockname()[1]
    return port


def refused(address: str) -> LinnetError:
    with pytest.raises(BadSetting, match=f"--ray {address}: no Ray cluster answers there") as caught:
        connect_to_ray(address)
    assert "--ray local" in caught.value.remedy
    return caught.value


@pytest.mark.usefixtures("ray")
@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_an_address_on_which_nobody_listens_is_refused_at_once(silent_port: int, scheme: str) -> None:
    problem = refused(f"{scheme}localhost:{silent_port}").problem

    assert "refused" in problem


@pytest.mark.usefixtures("ray")
def test_the_address_in_the_environment_is_looked_at_as_well(silent_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_ADDRESS", f"127.0.0.1:{silent_port}")

    assert "refused" in refused("auto").problem


@pytest.mark.usefixtures("ray")
def test_what_is_no_address_is_refused() -> None:
    refused("nonsense")
    refused("localhost:port")


def test_a_cluster_that_is_nowhere_is_refused(ray: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def find_none(**_: object) -> None:
        raise ConnectionError("Could not find any running Ray instance.\nSecond line")

    monkeypatch.setattr(ray, "init", find_none)

    assert refused("auto").problem.endswith("(Could not find any running Ray instance.)")


def test_ray_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)

    with pytest.raises(MissingExtra, match="needs Ray") as caught:
        connect_to_ray("auto")

    assert caught.value.remedy == install_command("ray")


def test_more_threads_than_this_machine_has_are_refused_instead_of_waited_for(
    ray: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = []
    monkeypatch.setattr(ray, "init", lambda **_: None)
    monkeypatch.setattr(ray, "cluster_resources", lambda: {"CPU": 2.0})
    monkeypatch.setattr(ray, "shutdown", lambda: ended.append(True))

    with pytest.raises(BadSetting, match="--threads is 3, but this machine has 2"):
        run_on_ray(make_grid(tmp_path).runs, address="local", threads=3, watcher=SilentGridWatcher())

    assert ended


@pytest.mark.slow
@pytest.mark.usefixtures("ray")
def test_a_lost_workers_run_is_run_again(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.comparison.ray_scenario", str(tmp_path)],
        capture_output=True, text=True, check=False, cwd=ROOT, env=environment(SAME_MODULES),
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    entries = {entry["name"]: entry for entry in json.loads(done.stdout)}  # nothing else is printed there
    assert {name: entry["error"] for name, entry in entries.items()} == {"killed": None, "fine": None}
    assert (tmp_path / "runs" / "killed.lost").exists()
    assert all((tmp_path / "runs" / name / "linnet.json").is_file() for name in entries)


@pytest.mark.slow
@pytest.mark.usefixtures("ray")
def test_a_grid_is_run_on_ray_from_the_command_line(tmp_path: Path) -> None:
    axes = "[axes]\nseed = [1]\nscheme = ['none', 'welt']\n"
    recipe = {"data": str(corpus()), "encoder": str(encoder()), "epochs": 1, "max_length": 64}
    grid = write_grid(tmp_path, axes, recipe=recipe, baseline={"scheme": "none"})

    done = run_process("compare", grid, "--ray", "local", "--json", variables=SAME_MODULES)

    assert done.code == 0, done.err
    results = json.loads(done.out)
    assert [len(cell["score_by_seed"]) for cell in results["cells"]] == [1, 1]
    assert "[2/2]" in done.err
