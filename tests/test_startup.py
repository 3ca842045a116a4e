"""What reads, converts, scores and helps starts at once, and without the heavy packages."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.export.exported import exported

pytestmark = pytest.mark.long

HEAVY = {"torch", "transformers", "matplotlib", "scipy", "pydantic", "accelerate"}


def modules_after(code: str) -> set[str]:
    """Return the packages that are loaded in a new interpreter after the code has run."""
    program = f"""
import json, sys
sys.argv[0] = "linnet"
try:
    {code}
except SystemExit:
    pass
print(json.dumps(sorted({{name.partition(".")[0] for name in sys.modules}})), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr.splitlines()[-1]))


def test_import_of_the_package_takes_less_than_a_tenth_of_a_second() -> None:
    code = "import time; start = time.perf_counter(); import linnet; print(time.perf_counter() - start)"

    seconds = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(3)
    ]

    assert min(seconds) < 0.1


def test_import_of_the_package_loads_nothing_heavy() -> None:
    assert not modules_after("import linnet") & {*HEAVY, "numpy", "typer", "rich", "lxml"}


def test_command_line_and_contracts_import_nothing_heavy() -> None:
    assert not modules_after("import linnet.cli.main, linnet.contracts") & {*HEAVY, "numpy", "lxml"}


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["list", "formats"], ["list", "schemes"]])
def test_first_answers_load_nothing_heavy(arguments: list[str]) -> None:
    code = f"sys.argv[1:] = {arguments!r}; from linnet.cli.main import main; main()"

    assert not modules_after(code) & HEAVY


@pytest.mark.parametrize("arguments", [["stats", "demo"], ["weights", "demo", "--scheme", "welt"]])
def test_reading_and_weighting_need_no_network_library(arguments: list[str]) -> None:
    code = f"sys.argv[1:] = {arguments!r}; from linnet.cli.main import main; main()"

    assert not modules_after(code) & {"torch", "transformers", "matplotlib"}


def test_scoring_needs_no_neural_network() -> None:
    code = "import linnet.scoring, linnet.reports.statistics, linnet.reports.tables"

    assert not modules_after(code) & {"torch", "transformers", "matplotlib"}


def test_annotating_with_an_exported_model_loads_neither_torch_nor_matplotlib(tmp_path: Path) -> None:
    text = tmp_path / "case.txt"
    text.write_text("ataxia was treated with folic acid .", encoding="utf-8")
    arguments = ["annotate", str(text), "--model", str(exported()), "--output", str(tmp_path / "case.jsonl")]
    code = f"sys.argv[1:] = {arguments!r}; from linnet.cli.main import main; main()"

    loaded = modules_after(code)

    assert "onnxruntime" in loaded
    assert not loaded & {"torch", "transformers", "matplotlib", "accelerate", "onnx"}
    assert (tmp_path / "case.jsonl").is_file()


def test_a_grid_can_be_compared_from_python_whatever_was_imported_before() -> None:
    program = """
import linnet, linnet.comparison.grid
for _ in range(2):
    try:
        linnet.compare("nowhere.toml")
    except linnet.errors.LinnetError as error:
        print(error.problem)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.count("nowhere.toml: cannot be read") == 2
