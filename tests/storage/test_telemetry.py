"""No library reports about its use, or marks the machine, when a model annotates."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from linnet.storage.telemetry import SWITCHES, switch_off_telemetry

ANNOTATE = "import linnet; print(*(len(d.spans) for d in linnet.load().annotate(['ataxia'])))"
COMMAND = """
import sys
sys.argv[1:] = ["annotate", "case.txt", "--output", "case.jsonl"]
from linnet.cli.main import main
main()
"""


def test_what_the_user_has_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORT_DISABLE_TELEMETRY", "0")
    monkeypatch.delenv("RAY_USAGE_STATS_ENABLED", raising=False)

    switch_off_telemetry()

    assert {name: os.environ[name] for name in SWITCHES} == {
        "ORT_DISABLE_TELEMETRY": "0",
        "RAY_USAGE_STATS_ENABLED": "0",
    }


@pytest.mark.long
@pytest.mark.parametrize("program", [ANNOTATE, COMMAND], ids=["Python", "command"])
def test_annotating_leaves_nothing_in_the_home_of_the_user(tmp_path: Path, program: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "case.txt").write_text("ataxia", encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if name not in {*SWITCHES, "XDG_CACHE_HOME"}}

    subprocess.run([sys.executable, "-c", program], check=True, cwd=tmp_path, env=kept | {"HOME": str(home)})

    assert [path for path in home.rglob("*") if path.is_file()] == []
