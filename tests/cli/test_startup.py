"""Commands start without what they do not need."""

import re
import subprocess
import sys

import pytest

from tests.cli.running import run


def test_the_help_needs_neither_numpy_nor_pydantic_nor_torch() -> None:
    program = (
        "import sys\n"
        "from linnet.cli.main import main\n"
        "sys.argv = ['linnet', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted({'numpy', 'pydantic', 'torch'} & sys.modules.keys()))\n"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert done.stdout.strip().endswith("[]")


@pytest.mark.parametrize("command", ["annotate", "compare-runs"])
def test_the_help_has_no_types_of_python(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, command, "--help")

    assert done.code == 0
    assert "list[" not in done.out
    assert "{" not in done.out.partition("\n")[0]


@pytest.mark.parametrize("command", ["annotate", "compare-runs", "vocabulary build"])
def test_descriptions_of_options_stand_in_one_column(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, *command.split(), "--help")

    for section in done.out.split("\n\n")[2:]:
        rows = re.findall(r"^(  (?:-|[A-Z]).*?\S {2,}|  {5,})(?=\S)", section, re.M)
        assert len({len(row) for row in rows}) <= 1, section


def test_the_usage_has_plain_names(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "vocabulary", "build", "--help")

    assert done.out.startswith("Usage: linnet vocabulary build [OPTIONS] SOURCE...\n")


def test_a_missing_option_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "annotate", "in.txt")

    assert done.code == 2
    assert "Usage: linnet annotate [OPTIONS] INPUT" in done.err
    assert "Missing option '--output'" in done.err
    assert "Try: add it: file to write, - for standard output" in done.err
