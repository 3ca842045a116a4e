"""How tests run the command line: in this process, or as a user does."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from linnet.cli.main import main

LINNET = str(Path(sys.executable).with_name("linnet"))


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> Done:
    """Run a command in this process."""
    capsys.readouterr()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["linnet", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
    printed = capsys.readouterr()
    return Done(int(ended.value.code or 0), printed.out, printed.err)


def run_process(*arguments: object, variables: Mapping[str, str] | None = None) -> Done:
    """Run the installed command, output buffered as usual."""
    done = subprocess.run(
        [LINNET, *map(str, arguments)], capture_output=True, text=True, check=False, env=environment(variables)
    )
    return Done(done.returncode, done.stdout, done.stderr)


def environment(variables: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of an ordinary terminal, with some variables besides."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COLUMNS"))}
    return kept | {"PYTHONDONTWRITEBYTECODE": "1"} | dict(variables or {})


def write(path: Path, content: str | bytes) -> Path:
    """Write a file, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path
