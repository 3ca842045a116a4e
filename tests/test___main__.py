"""The command line runs as a module of Python, too."""

import subprocess
import sys

import linnet


def test_python_runs_the_command_line_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "linnet", "--version"], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (0, f"linnet {linnet.__version__}\n")
