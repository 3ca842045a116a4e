"""The core works without the extras, and what needs one says which."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from linnet.errors import MissingExtra
from linnet.extras import EXTRA_OF, explain_missing_extras, require
from tests import tiny
from tests.cli.running import Done, environment, write
from tests.export.exported import exported

ROOT = Path(__file__).parents[1]
OF_TRAINING = ("torch", "transformers", "accelerate", "matplotlib", "onnx", "onnxscript")
EXAMPLES = ROOT / "docs" / "examples"
INSTALL = "Try: pip install 'linnet[train]'"
GRID = """
output = "grid"
baseline = {scheme = "none"}
[axes]
scheme = ["none", "welt"]
seed = [1, 2]
[recipe]
data = "demo"
"""


def run_without(packages: tuple[str, ...], *arguments: object, folder: Path | None = None) -> Done:
    """Run a command as if some packages were not installed."""
    program = f"""
import sys
sys.modules.update(dict.fromkeys({packages!r}))
sys.argv = ["linnet", *{list(map(str, arguments))!r}]
from linnet.cli.main import main
main()
"""
    path = {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=folder, env=environment(path)
    )
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize(
    "command",
    [
        "stats demo",
        "weights demo --scheme welt",
        f"score {EXAMPLES / 'gold.tsv'} {EXAMPLES / 'predicted.tsv'}",
        f"convert {EXAMPLES / 'sample.pubtator'} sample.xml --to bioc-xml",
        "list schemes",
        "list encoders",
        "list tasks",
        "list sizes",
        "list settings",
        "list settings compare",
    ],
)
def test_the_core_needs_nothing_of_training(command: str, tmp_path: Path) -> None:
    done = run_without(OF_TRAINING, *command.split(), folder=tmp_path)

    assert (done.code, done.err) == (0, "")


def test_an_exported_model_annotates_and_is_evaluated_without_torch(tmp_path: Path) -> None:
    text = write(tmp_path / "case.txt", "ataxia was treated with folic acid .")

    annotated = run_without(OF_TRAINING, "annotate", text, "--model", exported(), "--output", tmp_path / "case.jsonl")
    evaluated = run_without(OF_TRAINING, "evaluate", exported(), tiny.corpus(), "--json")

    assert (annotated.code, evaluated.code) == (0, 0), annotated.err + evaluated.err
    assert '"spans": [{' in (tmp_path / "case.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "command",
    [
        "train --data demo --output run",
        "train recipe.toml",
        "demo",
        "compare grid.toml",
        "compare grid.toml --dry-run",
        "pretrain --texts text.txt --output run --fresh --encoder bert-tiny --vocab 100 --steps 1",
        "export model out",
        "find-lr recipe.toml",
        "list losses",
    ],
)
def test_a_command_that_needs_the_extra_says_what_to_install(command: str, tmp_path: Path) -> None:
    write(tmp_path / "recipe.toml", 'data = "demo"\noutput = "run"\n')
    write(tmp_path / "grid.toml", GRID)
    write(tmp_path / "text.txt", "Ataxia was treated with folic acid.\n")

    done = run_without(OF_TRAINING, *command.split(), folder=tmp_path)

    assert (done.code, INSTALL in done.err, "Traceback" in done.err) == (2, True, False), done.err
    assert not (tmp_path / "run").exists()


def test_converting_a_checkpoint_names_both_extras_that_it_needs(tmp_path: Path) -> None:
    done = run_without(OF_TRAINING, "import-checkpoint", "model", "out", folder=tmp_path)

    assert (done.code, "Traceback" in done.err) == (2, False)
    assert "pip install 'linnet[tensorflow,train]'" in done.err


def test_a_model_folder_that_is_not_there_is_said_before_anything_is_to_be_installed(tmp_path: Path) -> None:
    text = write(tmp_path / "case.txt", "ataxia")

    done = run_without(OF_TRAINING, "annotate", text, "--model", tmp_path / "nowhere", "--output", tmp_path / "o.jsonl")

    assert done.code == 2
    assert "there is no such model folder" in done.err


def test_a_model_of_pytorch_is_refused_with_what_to_install_and_what_to_do_instead(tmp_path: Path) -> None:
    text = write(tmp_path / "case.txt", "ataxia")

    done = run_without(OF_TRAINING, "annotate", text, "--model", tiny.trained(), "--output", tmp_path / "case.jsonl")

    assert done.code == 2
    assert done.err == (
        f"linnet: {tiny.trained()}: running a model in PyTorch's format needs torch, transformers\n"
        "  Try: pip install 'linnet[train]'; or give what `linnet export` made of it, which runs without\n"
    )
    assert not (tmp_path / "case.jsonl").exists()


def test_python_users_are_told_the_same() -> None:
    program = """
import sys
sys.modules["torch"] = None
import linnet
try:
    linnet.train
except linnet.errors.MissingExtra as error:
    print(error.remedy)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "pip install 'linnet[train]'\n"


def test_a_failed_import_of_something_else_is_a_bug_and_stays_one() -> None:
    with pytest.raises(ModuleNotFoundError, match="linnet_nowhere"), explain_missing_extras():
        import linnet_nowhere  # type: ignore[import-not-found]  # noqa: F401


def test_only_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linnet.extras.EXTRA_OF", {"one_nowhere": "train", "two_nowhere": "lora"})

    require("sys", "json", problem="this needs")
    with pytest.raises(MissingExtra, match="this needs one_nowhere, two_nowhere") as refused:
        require("one_nowhere", "json", "two_nowhere", problem="this needs")
    assert refused.value.remedy == "pip install 'linnet[train,lora]'"


def test_every_package_that_is_asked_for_is_in_the_extra_that_is_named() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    core, extras = project["dependencies"], project["optional-dependencies"]

    for package, extra in EXTRA_OF.items():
        assert package in {name_of(requirement) for requirement in extras[extra]}, package
        assert package not in {name_of(requirement) for requirement in core}


def name_of(requirement: str) -> str:
    name = requirement.partition("[")[0].partition(">")[0]
    return name.replace("-", "_")
